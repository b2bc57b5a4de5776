// eta/json: encodes field lists, element lists and arrays from JSON objects; other containers go to EntriesToRwf.
#include "json/PayloadToRwf.h"

#include "json/EntriesToRwf.h"
#include "json/MessageToRwf.h"
#include "json/TextWriter.h"
#include "json/digits.h"
#include "json/quick_fields.h"

#include <limits>
#include <utility>

namespace emissary::eta::json {

using codec::ArrayEncoder;
using codec::ElementListEncoder;
using codec::FieldListEncoder;

namespace {

constexpr std::uint64_t kMax16 = 0xFFFF;
constexpr MemberSet kTypedMembers{Member::Type, Member::Data},
    kArrayMembers{Member::Type, Member::Data, Member::Length};

}  // namespace

bool PayloadToRwf::container(DataType type, NodeIndex at, BeWriter& out, int depth) {
    if (!in_.deeper(depth, at)) return false;
    const Kind kind = tree_.kind(at);
    switch (type) {
    case DataType::FieldList:
        return fields(at, out, depth);
    case DataType::ElementList:
        return elements(at, out, depth);
    case DataType::Map:
        return entries_.map(at, out, depth);
    case DataType::Vector:
        return entries_.vector(at, out, depth);
    case DataType::Series:
        return entries_.series(at, out, depth);
    case DataType::FilterList:
        return entries_.filterList(at, out, depth);
    case DataType::Msg: {
        if (kind != Kind::object) return in_.fail(ErrorClass::UnexpectedValue, at);
        Members m;
        std::uint8_t messageClass = 0;
        return in_.collect(at, m) && messages_.messageType(m, messageClass) &&
               messages_.rwfMessage(m, messageClass, out, depth);
    }
    case DataType::Json:
        return text(at, out), true;
    case DataType::Xml:
    case DataType::Opaque: {
        if (kind == Kind::null) return true;
        if (kind != Kind::string) return in_.fail(ErrorClass::UnexpectedValue, at);
        Bytes content = asBytes(tree_.text(at));
        if (type == DataType::Opaque && !in_.base64(at, content)) return false;
        out.bytes(content);
        return true;
    }
    default:
        return in_.fail(ErrorClass::InvalidContainerType, at);
    }
}

/// The value again as JSON text, without white space.
void PayloadToRwf::text(NodeIndex at, BeWriter& out) noexcept {
    TextWriter w(out);
    const NodeIndex end = tree_.end(at);
    switch (tree_.kind(at)) {
    case Kind::string:
        return w.string(tree_.text(at));
    case Kind::array:
        w.raw('[');
        for (NodeIndex item = Tree::first(at); item != end; item = tree_.nextItem(item)) {
            if (item != Tree::first(at)) w.raw(',');
            text(item, out);
        }
        return w.raw(']');
    case Kind::object:
        w.raw('{');
        for (NodeIndex key = Tree::first(at); key != end; key = tree_.nextMember(key)) {
            if (key != Tree::first(at)) w.raw(',');
            w.string(tree_.text(key));
            w.raw(':');
            text(key + 1, out);
        }
        return w.raw('}');
    default:
        return w.raw(tree_.text(at));
    }
}

bool PayloadToRwf::fields(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) != Kind::object) return in_.fail(ErrorClass::UnexpectedValue, at);
    if (!names_.any()) return in_.fail(ErrorClass::DictionaryNotInitialized, at);
    FieldListEncoder list;
    list.begin(out);
    if (const FlatFields& flat = tree_.flatFields(); flat.at == at) [[likely]]
        return flatFields(list, flat, depth) && in_.encoded(list.complete(), at);
    const NodeIndex end = tree_.end(at);
    std::int16_t before = 0;
    for (NodeIndex key = Tree::first(at); key != end; key = tree_.nextMember(key)) {
        const dictionary::FieldDefinition* definition = names_.next(tree_.text(key), before);
        if (definition == nullptr || definition->type == DataType::Unknown) {
            if (!options_.catchUnknownFields) continue;
            return in_.fail(ErrorClass::UnexpectedField, key + 1);
        }
        before = definition->fieldId;
        if (quickField(list, *definition, {tree_.text(key + 1), tree_.kind(key + 1) == Kind::string})) [[likely]]
            continue;
        if (!field(list, *definition, key + 1, depth)) return false;
    }
    return in_.encoded(list.complete(), at);
}

/// Fields that are no nodes, straight from their tokens. False without a failure: the tree of the whole text has to
/// say what they are.
bool PayloadToRwf::flatFields(FieldListEncoder& list, const FlatFields& flat, int depth) {
    const char* const text = tree_.text().data();
    const std::uint32_t* token = flat.first;
    if (token == flat.close) return true;
    FieldOrder order = names_.order(text + token[0], token[1] - token[0], flat.close - flat.first);
    // Entries that are not counted in the list yet: from `begin` to `to`, in room up to `last`.
    constexpr std::size_t kSome = 8 * kQuickEntry;
    BeWriter& out = list.writer();
    std::byte *begin = out.room(kSome), *to = begin;
    if (begin == nullptr) return false;
    const std::byte* last = to + out.space() - kQuickEntry;
    std::uint32_t entries = 0;
    const dictionary::FieldDefinition* before = nullptr;
    for (;; token += 4) {
        const std::uint32_t name = token[0], behind = token[1] + 1, value = token[2], next = token[3];
        const dictionary::FieldDefinition* definition = order.guess(text + name, behind - name);
        if (definition == nullptr) [[unlikely]] {
            definition = flatField({text + name, behind - name}, before);
            if (definition == nullptr) return false;
            order.learn(definition->fieldId);
        }
        before = definition;
        const bool quoted = text[value] == '"';
        if (quoted && (next - value < 2 || text[next - 1] != '"')) [[unlikely]]
            return false;  // blanks
        const std::uint32_t quotes = quoted ? 1 : 0;
        const PlainValue plain{{text + value + quotes, next - value - 2 * quotes}, quoted};
        std::byte* const end = to <= last ? putQuickField(to, *definition, plain) : nullptr;
        if (end != nullptr) [[likely]] {
            to = end;
            ++entries;
        } else {
            list.written(std::exchange(entries, 0));
            out.advance(static_cast<std::size_t>(to - begin));
            if (!slowFlatField(list, *definition, plain, depth) || (begin = out.room(kSome)) == nullptr) return false;
            to = begin;
            last = to + out.space() - kQuickEntry;
        }
        if (token + 3 == flat.close) break;
        if (text[next] != ',') return false;
    }
    list.written(entries);
    out.advance(static_cast<std::size_t>(to - begin));
    return true;
}

/// One that putQuickField() leaves, or for which there was no room.
bool PayloadToRwf::slowFlatField(FieldListEncoder& list, const dictionary::FieldDefinition& definition,
                                 const PlainValue& value, int depth) {
    if (definition.type == DataType::Unknown) return false;
    const NodeIndex node = tree_.loose(value.text, value.quoted);
    return node != 0 && field(list, definition, node, depth);
}

/// The field of a member, `"BID":`; null when it is none, or no member.
const dictionary::FieldDefinition* PayloadToRwf::flatField(std::string_view member,
                                                           const dictionary::FieldDefinition* before) noexcept {
    if (member.size() < 3 || !member.starts_with('"') || !member.ends_with("\":")) return nullptr;
    const auto* const found =
        names_.next(member.substr(1, member.size() - 3), before != nullptr ? before->fieldId : std::int16_t{0});
    return found == nullptr || found->type == DataType::Unknown ? nullptr : found;
}

/// What most fields carry, without a call. False, and nothing is written: it has to go the long way, through field(),
/// which gives the same where both can.
inline bool PayloadToRwf::quickField(FieldListEncoder& list, const dictionary::FieldDefinition& definition,
                                     const PlainValue& value) noexcept {
    BeWriter& out = list.writer();
    if (out.space() < kQuickEntry) return false;
    std::byte* const to = out.room(0);
    std::byte* const end = putQuickField(to, definition, value);
    if (end == nullptr) return false;
    list.written(1);
    out.advance(static_cast<std::size_t>(end - to));
    return true;
}

bool PayloadToRwf::field(FieldListEncoder& list, const dictionary::FieldDefinition& definition, NodeIndex at,
                         int depth) {
    const std::int16_t id = definition.fieldId;
    if (tree_.kind(at) == Kind::null) return list.addBlank(id), true;
    switch (definition.type) {
    case DataType::Real: {
        codec::Real v;
        if (!values_.real(at, v)) return false;
        list.addReal(id, v);
        return true;
    }
    case DataType::UInt: {
        std::uint64_t v = 0;
        if (!in_.number(at, std::numeric_limits<std::uint64_t>::max(), v, ErrorClass::UnexpectedValue)) return false;
        list.addUInt(id, v);
        return true;
    }
    case DataType::Array:
        list.beginField(id);
        if (!array(at, list.writer(), depth + 1)) return false;
        list.endField();
        return true;
    default:
        break;
    }
    if (codec::isContainer(definition.type)) {
        list.beginField(id);
        if (!container(definition.type, at, list.writer(), depth + 1)) return false;
        list.endField();
        return true;
    }
    Bytes content;
    if (!values_.value(at, definition.type, definition.enums, content)) return false;
    list.add(id, content);
    return true;
}

bool PayloadToRwf::elements(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) != Kind::object) return in_.fail(ErrorClass::UnexpectedValue, at);
    ElementListEncoder list;
    list.begin(out);
    return appendElements(list, at, depth) && in_.encoded(list.complete(), at);
}

bool PayloadToRwf::appendElements(ElementListEncoder& list, NodeIndex at, int depth) {
    if (tree_.kind(at) != Kind::object) return in_.fail(ErrorClass::UnexpectedValue, at);
    const NodeIndex end = tree_.end(at);
    for (NodeIndex key = Tree::first(at); key != end; key = tree_.nextMember(key))
        if (!element(list, tree_.text(key), key + 1, depth)) return false;
    return true;
}

bool PayloadToRwf::loginElements(NodeIndex at, BeWriter& out, int depth) {
    ofLogin_ = true;
    const bool good = elements(at, out, depth);
    ofLogin_ = false;
    return good;
}

bool PayloadToRwf::element(ElementListEncoder& list, std::string_view name, NodeIndex at, int depth) {
    switch (tree_.kind(at)) {
    case Kind::string:
        return list.addAscii(name, tree_.text(at)), true;
    case Kind::null:  // says nothing
        return true;
    case Kind::integer:
    case Kind::decimal: {
        if (!in_.isInteger(at)) {
            if (ofLogin_) return list.addAscii(name, tree_.text(at)), true;
            return in_.fail(ErrorClass::UnexpectedValue, at);
        }
        std::uint64_t v = 0;
        if (!in_.number(at, std::numeric_limits<std::uint64_t>::max(), v)) return false;
        list.addUInt(name, v);
        return true;
    }
    case Kind::object:
        break;
    case Kind::yes:
    case Kind::no:
        if (ofLogin_) return list.addUInt(name, tree_.kind(at) == Kind::yes ? 1 : 0), true;
        return in_.fail(ErrorClass::UnexpectedValue, at);
    default:
        // Only elements of a login that are read matter, and their reader reports what is wrong.
        if (ofLogin_) return list.element(name, DataType::NoData), true;
        return in_.fail(ErrorClass::UnexpectedValue, at);
    }
    Members m;
    if (!in_.collect(at, m) || !in_.known(m, kTypedMembers)) return false;
    if (!m.has(Member::Type)) return in_.missing("Type", at);
    if (!m.has(Member::Data)) return in_.missing("Data", at);
    DataType type = DataType::NoData;
    if (!in_.typeName(m[Member::Type], type)) return false;
    const NodeIndex data = m[Member::Data];
    const bool null = tree_.kind(data) == Kind::null;
    if (type == DataType::NoData) {
        list.element(name, type);
        return null || in_.fail(ErrorClass::UnexpectedValue, data);
    }
    if (type == DataType::Array || codec::isContainer(type)) {
        list.beginElement(name, type);
        // null stands for content of length 0, except in JSON, where it is a value
        if (type == DataType::Array
                ? !null && !array(data, list.writer(), depth + 1)
                : (!null || type == DataType::Json) && !container(type, data, list.writer(), depth + 1))
            return false;
        list.endElement();
        return true;
    }
    Bytes content;
    if (!values_.value(data, type, nullptr, content)) return false;
    list.add(name, type, content);
    return true;
}

bool PayloadToRwf::array(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    if (!in_.deeper(depth, at)) return false;
    Members m;
    if (!in_.collect(at, m) || !in_.known(m, kArrayMembers)) return false;
    if (!m.has(Member::Type)) return in_.missing("Type", at);
    if (!m.has(Member::Data)) return in_.missing("Data", at);
    DataType type = DataType::NoData;
    if (!in_.typeName(m[Member::Type], type)) return false;
    if (type == DataType::Array || codec::isContainer(type))
        return in_.fail(ErrorClass::InvalidPrimitiveType, m[Member::Type]);
    std::uint16_t length = 0;
    if (m.has(Member::Length) && !in_.number(m[Member::Length], kMax16, length)) return false;
    const NodeIndex data = m[Member::Data];
    if (tree_.kind(data) != Kind::array) return in_.fail(ErrorClass::UnexpectedValue, data);
    ArrayEncoder items;
    items.begin(out, type, length);
    Kind common = Kind::null;
    for (NodeIndex item = Tree::first(data); item != tree_.end(data); item = tree_.nextItem(item)) {
        const Kind kind = tree_.kind(item);
        if (kind != Kind::null) {
            if (common != Kind::null && kind != common && !(isNumber(kind) && isNumber(common)))
                return in_.fail(ErrorClass::TypeMismatch, item);
            common = kind;
        }
        Bytes content;
        if (!values_.value(item, type, nullptr, content)) return false;
        items.add(content);
    }
    return in_.encoded(items.complete(), data);
}

}  // namespace emissary::eta::json

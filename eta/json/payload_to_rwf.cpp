// Containers of JSON as RWF (json.md 6).
#include "json/JsonToRwf.h"
#include "json/TextWriter.h"
#include "json/text_values.h"

#include <limits>

namespace emissary::eta::json {

using codec::ArrayEncoder;
using codec::ElementListEncoder;
using codec::EntryContainerHeader;
using codec::FieldListEncoder;

namespace {

constexpr std::uint64_t kMax8 = 0xFF, kMax16 = 0xFFFF, kMax30 = 0x3FFFFFFF;

constexpr MemberSet kPayloads{Member::Fields,  Member::FieldList, Member::Elements, Member::ElementList,
                              Member::Map,     Member::Vector,    Member::Series,   Member::FilterList,
                              Member::Message, Member::Opaque,    Member::Xml,      Member::Json};
constexpr MemberSet kMapMembers{Member::KeyType, Member::KeyFieldID, Member::CountHint, Member::Summary,
                                Member::Entries},
    kVectorMembers{Member::SupportSorting, Member::CountHint, Member::Summary, Member::Entries},
    kSeriesMembers{Member::CountHint, Member::Summary, Member::Entries},
    kFilterListMembers{Member::CountHint, Member::Entries}, kTypedMembers{Member::Type, Member::Data},
    kArrayMembers{Member::Type, Member::Data, Member::Length};
constexpr MemberSet kMapEntryMembers = kPayloads | MemberSet{Member::Action, Member::Key, Member::PermData},
                    kVectorEntryMembers = kPayloads | MemberSet{Member::Index, Member::Action, Member::PermData},
                    kFilterEntryMembers = kPayloads | MemberSet{Member::ID, Member::Action, Member::PermData};

[[nodiscard]] bool isNumber(Kind k) noexcept {
    return k == Kind::integer || k == Kind::decimal;
}

}  // namespace

codec::DataType JsonToRwf::typeOf(Member payload) noexcept {
    switch (payload) {
    case Member::Fields:
    case Member::FieldList:
        return DataType::FieldList;
    case Member::Elements:
    case Member::ElementList:
        return DataType::ElementList;
    case Member::Map:
        return DataType::Map;
    case Member::Vector:
        return DataType::Vector;
    case Member::Series:
        return DataType::Series;
    case Member::FilterList:
        return DataType::FilterList;
    case Member::Message:
        return DataType::Msg;
    case Member::Opaque:
        return DataType::Opaque;
    case Member::Xml:
        return DataType::Xml;
    case Member::Json:
        return DataType::Json;
    default:
        return DataType::NoData;
    }
}

bool JsonToRwf::payloadType(const Members& m, DataType& out) noexcept {
    if (m.payloads_ > 1) return fail(ErrorClass::EncodeError, m[m.payload_]);
    out = m.payloads_ == 0 ? DataType::NoData : typeOf(m.payload_);
    return true;
}

bool JsonToRwf::container(DataType type, NodeIndex at, BeWriter& out, int depth) {
    if (!deeper(depth, at)) return false;
    const Kind kind = tree_.kind(at);
    switch (type) {
    case DataType::FieldList:
        return fields(at, out, depth);
    case DataType::ElementList:
        return elements(at, out, depth);
    case DataType::Map:
        return map(at, out, depth);
    case DataType::Vector:
        return vector(at, out, depth);
    case DataType::Series:
        return series(at, out, depth);
    case DataType::FilterList:
        return filterList(at, out, depth);
    case DataType::Msg: {
        if (kind != Kind::object) return fail(ErrorClass::UnexpectedValue, at);
        Members m;
        std::uint8_t messageClass = 0;
        return collect(at, m) && messageType(m, messageClass) && rwfMessage(m, messageClass, out, depth);
    }
    case DataType::Json:
        return text(at, out), true;
    case DataType::Xml:
    case DataType::Opaque: {
        if (kind == Kind::null) return true;
        if (kind != Kind::string) return fail(ErrorClass::UnexpectedValue, at);
        Bytes content = asBytes(tree_.text(at));
        if (type == DataType::Opaque && !base64(at, content)) return false;
        out.bytes(content);
        return true;
    }
    default:
        return fail(ErrorClass::InvalidContainerType, at);
    }
}

/// The value again as JSON text, without white space.
void JsonToRwf::text(NodeIndex at, BeWriter& out) noexcept {
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

// --- lists

const dictionary::FieldDefinition* JsonToRwf::findField(std::string_view name) const noexcept {
    if (const auto* field = dictionary_->find(name); field != nullptr) return field;
    const std::string_view digits = name.substr(name.starts_with('-') ? 1 : 0);
    constexpr std::size_t kLongestId = 5;
    if (digits.empty() || digits.size() > kLongestId) return nullptr;
    for (const char c : digits)
        if (c < '0' || c > '9') return nullptr;
    std::int64_t id = 0;
    if (readInt(name, id) != Read::good || id != static_cast<std::int16_t>(id)) return nullptr;
    return dictionary_->find(static_cast<std::int16_t>(id));
}

/// The same for the member behind field `before` (0: the first one).
const dictionary::FieldDefinition* JsonToRwf::nextField(std::string_view name, std::int16_t before) noexcept {
    std::int16_t& guess = scratch_.fieldAfter[static_cast<std::uint8_t>(before)];
    if (const auto* field = dictionary_->find(guess); field != nullptr && field->acronym == name) [[likely]]
        return field;
    const dictionary::FieldDefinition* const found = findField(name);
    if (found != nullptr) guess = found->fieldId;
    return found;
}

bool JsonToRwf::fields(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) != Kind::object) return fail(ErrorClass::UnexpectedValue, at);
    if (dictionary_ == nullptr) return fail(ErrorClass::DictionaryNotInitialized, at);
    FieldListEncoder list;
    list.begin(out);
    const NodeIndex end = tree_.end(at);
    std::int16_t before = 0;
    for (NodeIndex key = Tree::first(at); key != end; key = tree_.nextMember(key)) {
        const dictionary::FieldDefinition* definition = nextField(tree_.text(key), before);
        if (definition == nullptr || definition->type == DataType::Unknown) {
            if (!options_.catchUnknownFields) continue;
            return fail(ErrorClass::UnexpectedField, key + 1);
        }
        before = definition->fieldId;
        if (!field(list, *definition, key + 1, depth)) return false;
    }
    return encoded(list.complete(), at);
}

bool JsonToRwf::field(FieldListEncoder& list, const dictionary::FieldDefinition& definition, NodeIndex at, int depth) {
    const std::int16_t id = definition.fieldId;
    if (tree_.kind(at) == Kind::null) return list.addBlank(id), true;
    switch (definition.type) {
    case DataType::Real: {
        codec::Real v;
        if (!real(at, v)) return false;
        list.addReal(id, v);
        return true;
    }
    case DataType::UInt: {
        std::uint64_t v = 0;
        if (!number(at, std::numeric_limits<std::uint64_t>::max(), v, ErrorClass::UnexpectedValue)) return false;
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
    if (!value(at, definition.type, definition.enums, content)) return false;
    list.add(id, content);
    return true;
}

bool JsonToRwf::elements(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) != Kind::object) return fail(ErrorClass::UnexpectedValue, at);
    ElementListEncoder list;
    list.begin(out);
    const NodeIndex end = tree_.end(at);
    for (NodeIndex key = Tree::first(at); key != end; key = tree_.nextMember(key))
        if (!element(list, tree_.text(key), key + 1, depth)) return false;
    return encoded(list.complete(), at);
}

bool JsonToRwf::element(ElementListEncoder& list, std::string_view name, NodeIndex at, int depth) {
    switch (tree_.kind(at)) {
    case Kind::string:
        return list.addAscii(name, tree_.text(at)), true;
    case Kind::integer: {
        std::uint64_t v = 0;
        if (!number(at, std::numeric_limits<std::uint64_t>::max(), v)) return false;
        list.addUInt(name, v);
        return true;
    }
    case Kind::object:
        break;
    default:
        return fail(ErrorClass::UnexpectedValue, at);
    }
    Members m;
    if (!collect(at, m) || !known(m, kTypedMembers)) return false;
    if (!m.has(Member::Type)) return missing("Type", at);
    if (!m.has(Member::Data)) return missing("Data", at);
    DataType type = DataType::NoData;
    if (!typeName(m[Member::Type], type)) return false;
    const NodeIndex data = m[Member::Data];
    const bool null = tree_.kind(data) == Kind::null;
    if (type == DataType::NoData) {
        list.element(name, type);
        return null || fail(ErrorClass::UnexpectedValue, data);
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
    if (!value(data, type, nullptr, content)) return false;
    list.add(name, type, content);
    return true;
}

bool JsonToRwf::typeName(NodeIndex at, DataType& out) noexcept {
    if (tree_.kind(at) != Kind::string) return fail(ErrorClass::InvalidTokenType, at);
    const Word* word = kTypes.find(tree_.text(at));
    if (word == nullptr) return fail(ErrorClass::UnsupportedDataType, at);
    out = static_cast<DataType>(word->value);
    return true;
}

bool JsonToRwf::array(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    if (!deeper(depth, at)) return false;
    Members m;
    if (!collect(at, m) || !known(m, kArrayMembers)) return false;
    if (!m.has(Member::Type)) return missing("Type", at);
    if (!m.has(Member::Data)) return missing("Data", at);
    DataType type = DataType::NoData;
    if (!typeName(m[Member::Type], type)) return false;
    if (type == DataType::Array || codec::isContainer(type))
        return fail(ErrorClass::InvalidPrimitiveType, m[Member::Type]);
    std::uint16_t length = 0;
    if (m.has(Member::Length) && !number(m[Member::Length], kMax16, length)) return false;
    const NodeIndex data = m[Member::Data];
    if (tree_.kind(data) != Kind::array) return fail(ErrorClass::UnexpectedValue, data);
    ArrayEncoder items;
    items.begin(out, type, length);
    Kind common = Kind::null;
    for (NodeIndex item = Tree::first(data); item != tree_.end(data); item = tree_.nextItem(item)) {
        const Kind kind = tree_.kind(item);
        if (kind != Kind::null) {
            if (common != Kind::null && kind != common && !(isNumber(kind) && isNumber(common)))
                return fail(ErrorClass::TypeMismatch, item);
            common = kind;
        }
        Bytes content;
        if (!value(item, type, nullptr, content)) return false;
        items.add(content);
    }
    return encoded(items.complete(), data);
}

// --- containers with entries

bool JsonToRwf::entryType(NodeIndex entries, bool isVector, bool isSeries, DataType& out) {
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members m;
        if (!collect(item, m)) return false;
        if (!m.hasPayload()) continue;
        if (!isSeries && m.has(Member::Action)) {  // what carries no payload does not count
            const std::string_view action = tree_.text(m[Member::Action]);
            if (action == "Delete" || (isVector && action == "Clear")) continue;
        }
        return payloadType(m, out);
    }
    return true;
}

bool JsonToRwf::head(const Members& m, EntryContainerHeader& header, BeWriter& summary, bool isVector, int depth) {
    constexpr auto kWrong = ErrorClass::UnexpectedValue;
    if (m.has(Member::CountHint)) {
        if (!number(m[Member::CountHint], kMax30, header.totalCountHint, kWrong)) return false;
        header.hasTotalCountHint = true;
    }
    if (m.has(Member::Entries) && tree_.kind(m[Member::Entries]) != Kind::array)
        return fail(kWrong, m[Member::Entries]);
    if (m.has(Member::Summary)) {
        Members s;
        if (!collect(m[Member::Summary], s) || !known(s, kPayloads) || !payloadType(s, header.entryType)) return false;
        if (s.hasPayload() && !container(header.entryType, s[s.payload_], summary, depth + 1)) return false;
        header.hasSummary = true;
        header.summary = summary.view();
    }
    const bool isSeries = !isVector && !m.has(Member::KeyType);
    if (header.entryType == DataType::NoData && m.has(Member::Entries))
        return entryType(m[Member::Entries], isVector, isSeries, header.entryType);
    return true;
}

template <std::size_t N>
bool JsonToRwf::entryHead(const Members& m, const WordTable<N>& actions, bool numbers, std::uint8_t& action,
                          const Bytes*& permData, Bytes& storage) noexcept {
    if (!m.has(Member::Action)) return missing("Action", m.object_);
    const NodeIndex at = m[Member::Action];
    if (tree_.kind(at) != Kind::string) {
        constexpr std::uint64_t kLargest = 3;
        if (!numbers) return fail(ErrorClass::UnexpectedValue, at);
        if (!number(at, kLargest, action)) return false;
        if (action == 0) return fail(ErrorClass::UnexpectedValue, at);
    } else {
        const Word* word = actions.find(tree_.text(at));
        if (word == nullptr) return fail(ErrorClass::UnexpectedValue, at);
        action = word->value;
    }
    permData = nullptr;
    if (!m.has(Member::PermData)) return true;
    permData = &storage;
    return base64(m[Member::PermData], storage);
}

bool JsonToRwf::entryPayload(const Members& m, DataType expected, BeWriter& out, int depth) {
    DataType type = DataType::NoData;
    if (!payloadType(m, type)) return false;
    if (type == DataType::NoData) return true;
    if (type != expected) return fail(ErrorClass::EncodeError, m[m.payload_]);
    return container(type, m[m.payload_], out, depth + 1);
}

bool JsonToRwf::map(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!collect(at, m) || !known(m, kMapMembers)) return false;
    if (!m.has(Member::KeyType)) return missing("KeyType", at);
    DataType keyType = DataType::NoData;
    if (!typeName(m[Member::KeyType], keyType)) return false;
    if (keyType == DataType::Array || codec::isContainer(keyType))
        return fail(ErrorClass::InvalidPrimitiveType, m[Member::KeyType]);
    std::int16_t keyField = 0;
    if (m.has(Member::KeyFieldID)) {
        std::int32_t id = 0;
        if (!int32(m[Member::KeyFieldID], id, ErrorClass::UnexpectedValue)) return false;
        keyField = static_cast<std::int16_t>(id);
        if (keyField != id) return fail(ErrorClass::UnexpectedValue, m[Member::KeyFieldID]);
    }
    Lease summary(scratch_);
    EntryContainerHeader header;
    if (!head(m, header, summary.writer(), false, depth)) return false;
    codec::MapEncoder list;
    list.begin(out, header, keyType, m.has(Member::KeyFieldID) ? &keyField : nullptr);
    if (!m.has(Member::Entries)) return encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        std::uint8_t action = 0;
        const Bytes* permData = nullptr;
        Bytes perm, key;
        if (!collect(item, e) || !known(e, kMapEntryMembers) ||
            !entryHead(e, kMapActions, false, action, permData, perm))
            return false;
        if (!e.has(Member::Key)) return missing("Key", item);
        if (!value(e[Member::Key], keyType, nullptr, key)) return false;
        if (action == codec::MapAction::del) {
            list.add(action, key, {}, permData);
            continue;
        }
        list.beginEntry(action, key, permData);
        if (!entryPayload(e, header.entryType, out, depth)) return false;
        list.endEntry();
    }
    return encoded(list.complete(), at);
}

bool JsonToRwf::vector(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!collect(at, m) || !known(m, kVectorMembers)) return false;
    bool sortable = false;
    if (m.has(Member::SupportSorting)) {
        const Kind kind = tree_.kind(m[Member::SupportSorting]);
        sortable = kind == Kind::yes;
        if (!sortable && kind != Kind::no) return fail(ErrorClass::UnexpectedValue, m[Member::SupportSorting]);
    }
    Lease summary(scratch_);
    EntryContainerHeader header;
    if (!head(m, header, summary.writer(), true, depth)) return false;
    codec::VectorEncoder list;
    list.begin(out, header, sortable);
    if (!m.has(Member::Entries)) return encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        std::uint8_t action = 0;
        std::uint32_t index = 0;
        const Bytes* permData = nullptr;
        Bytes perm;
        if (!collect(item, e) || !known(e, kVectorEntryMembers) ||
            !entryHead(e, kVectorActions, false, action, permData, perm))
            return false;
        if (!e.has(Member::Index)) return missing("Index", item);
        if (!number(e[Member::Index], kMax30, index)) return false;
        if (action == codec::VectorAction::clear || action == codec::VectorAction::del) {
            list.add(action, index, {}, permData);
            continue;
        }
        list.beginEntry(action, index, permData);
        if (!entryPayload(e, header.entryType, out, depth)) return false;
        list.endEntry();
    }
    return encoded(list.complete(), at);
}

bool JsonToRwf::series(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!collect(at, m) || !known(m, kSeriesMembers)) return false;
    Lease summary(scratch_);
    EntryContainerHeader header;
    if (!head(m, header, summary.writer(), false, depth)) return false;
    codec::SeriesEncoder list;
    list.begin(out, header);
    if (!m.has(Member::Entries)) return encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        if (!collect(item, e) || !known(e, kPayloads)) return false;
        list.beginEntry();
        if (!entryPayload(e, header.entryType, out, depth)) return false;
        list.endEntry();
    }
    return encoded(list.complete(), at);
}

bool JsonToRwf::filterList(NodeIndex at, BeWriter& out, int depth) {
    if (tree_.kind(at) == Kind::null) return true;
    Members m;
    if (!collect(at, m) || !known(m, kFilterListMembers)) return false;
    std::uint8_t hint = 0;
    if (m.has(Member::CountHint) && !number(m[Member::CountHint], kMax8, hint, ErrorClass::UnexpectedValue))
        return false;
    codec::FilterListEncoder list;
    list.begin(out, DataType::ElementList, m.has(Member::CountHint) ? &hint : nullptr);
    if (!m.has(Member::Entries)) return encoded(list.complete(), at);
    const NodeIndex entries = m[Member::Entries];
    if (tree_.kind(entries) != Kind::array) return fail(ErrorClass::UnexpectedValue, entries);
    for (NodeIndex item = Tree::first(entries); item != tree_.end(entries); item = tree_.nextItem(item)) {
        Members e;
        std::uint8_t action = 0, id = 0;
        const Bytes* permData = nullptr;
        Bytes perm;
        DataType type = DataType::NoData;
        if (!collect(item, e) || !known(e, kFilterEntryMembers) ||
            !entryHead(e, kFilterActions, true, action, permData, perm))
            return false;
        if (!e.has(Member::ID)) return missing("ID", item);
        if (!number(e[Member::ID], kMax8, id) || !payloadType(e, type)) return false;
        if (action == codec::FilterAction::clear || type == DataType::NoData) {
            list.add(action, id, DataType::ElementList, {}, permData);
            continue;
        }
        list.beginEntry(action, id, type, permData);
        if (!container(type, e[e.payload_], out, depth + 1)) return false;
        list.endEntry();
    }
    return encoded(list.complete(), at);
}

}  // namespace emissary::eta::json

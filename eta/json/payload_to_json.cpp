// Containers and primitive values of RWF as JSON (json.md 6, 7).
#include "eta/codec/Rmtes.h"
#include "eta/codec/primitives.h"
#include "json/RwfToJson.h"

#include <algorithm>

namespace emissary::eta::json {

using codec::Decoded;

namespace {

using codec::DataType;

/// `"Fields":` ...; empty for types without a member.
[[nodiscard]] std::string_view memberOf(DataType type) noexcept {
    switch (type) {
    case DataType::FieldList:
        return "\"Fields\":";
    case DataType::ElementList:
        return "\"Elements\":";
    case DataType::Map:
        return "\"Map\":";
    case DataType::Vector:
        return "\"Vector\":";
    case DataType::Series:
        return "\"Series\":";
    case DataType::FilterList:
        return "\"FilterList\":";
    case DataType::Msg:
        return "\"Message\":";
    case DataType::Opaque:
        return "\"Opaque\":";
    case DataType::Xml:
        return "\"Xml\":";
    case DataType::Json:
        return "\"Json\":";
    default:
        return {};
    }
}

/// Containers that have a JSON form when their content has length 0.
[[nodiscard]] bool hasEmptyForm(DataType type) noexcept {
    return type == DataType::FieldList || type == DataType::ElementList || type == DataType::Opaque ||
           type == DataType::Xml || type == DataType::Json;
}

[[nodiscard]] bool isPlain(Bytes in) noexcept {
    return std::all_of(in.begin(), in.end(), [](std::byte b) { return b >= std::byte{0x20} && b < std::byte{0x7F}; });
}

constexpr std::size_t kRmtesColumns = 4096;

}  // namespace

bool RwfToJson::payload(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth, bool first) noexcept {
    if (type == DataType::NoData || (in.empty() && !hasEmptyForm(type))) return true;
    const std::string_view member = memberOf(type);
    if (member.empty()) return fail(Errc::unsupportedType);
    if (!first) w_.raw(',');
    w_.raw(member);
    return container(type, in, sets, depth);
}

bool RwfToJson::container(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept {
    switch (type) {
    case DataType::FieldList:
        return fields(in, sets, depth);
    case DataType::ElementList:
        return elements(in, sets, depth);
    case DataType::Opaque:
        return in.empty() ? w_.null() : w_.base64(in), true;
    case DataType::Xml:
        return w_.stringOrNull(asText(in)), true;
    case DataType::NoData:
        return w_.null(), true;
    case DataType::Json:
        return json(in);
    default:
        break;
    }
    if (in.empty()) return w_.null(), true;
    switch (type) {
    case DataType::Map:
        return map(in, depth);
    case DataType::Vector:
        return vector(in, depth);
    case DataType::Series:
        return series(in, depth);
    case DataType::FilterList:
        return filterList(in, depth);
    case DataType::Msg:
        return messageObject(in, depth);
    default:
        return fail(Errc::unsupportedType);
    }
}

bool RwfToJson::fields(Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::FieldListDecoder list;
    if (const Error e = list.start(in, sets); !e.ok()) return fail(e);
    codec::FieldEntry entry;
    w_.raw('{');
    bool comma = false;
    while (list.next(entry)) {
        if (dictionary_ == nullptr) return fail(Errc::notFound);
        const dictionary::FieldDefinition* field = dictionary_->find(entry.fieldId);
        if (field == nullptr) continue;
        const DataType type = entry.setType == DataType::Unknown ? field->type : codec::baseType(entry.setType);
        if (type == DataType::Unknown) continue;  // a dictionary entry without a type that RWF has
        if (std::exchange(comma, true)) w_.raw(',');
        w_.string(field->acronym);
        w_.raw(':');
        if (!value(type, entry.data, entry.setType, field->enums, depth)) return false;
    }
    w_.raw('}');
    return list.error().ok() || fail(list.error());
}

bool RwfToJson::elements(Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::ElementListDecoder list;
    if (const Error e = list.start(in, sets); !e.ok()) return fail(e);
    codec::ElementEntry entry;
    w_.raw('{');
    for (bool comma = false; list.next(entry); comma = true) {
        if (comma) w_.raw(',');
        w_.string(asText(entry.name));
        w_.raw(':');
        const bool bare = !entry.data.empty() && (entry.type == DataType::AsciiString || entry.type == DataType::UInt);
        if (!bare) {
            w_.raw("{\"Type\":\"");
            w_.raw(codec::name(entry.type));
            w_.raw("\",\"Data\":");
        }
        if (!value(entry.type, entry.data, entry.setType, nullptr, depth)) return false;
        if (!bare) w_.raw('}');
    }
    w_.raw('}');
    return list.error().ok() || fail(list.error());
}

bool RwfToJson::head(const codec::EntryContainerDecoder& c, bool& comma, int depth) noexcept {
    if (c.hasSummary()) {
        if (std::exchange(comma, true)) w_.raw(',');
        w_.raw("\"Summary\":{");
        if (!payload(c.entryType(), c.summary(), c.sets(), depth + 1, true)) return false;
        w_.raw('}');
    }
    if (c.hasTotalCountHint()) {
        if (std::exchange(comma, true)) w_.raw(',');
        w_.raw("\"CountHint\":");
        w_.integer(std::uint64_t{c.totalCountHint()});
    }
    return true;
}

namespace {

template <std::size_t N>
void action(TextWriter& w, const WordTable<N>& words, std::uint8_t number) noexcept {
    w.raw("\"Action\":");
    const std::string_view text = words.textOf(number);
    if (text.empty()) return w.integer(std::uint64_t{number});
    w.raw('"');
    w.raw(text);
    w.raw('"');
}

void permData(TextWriter& w, bool has, Bytes data) noexcept {
    if (!has) return;
    w.raw(",\"PermData\":");
    w.base64(data);
}

}  // namespace

/// The rest of a container's object: its entries, each an object of what `writeInner` writes, if there are any.
template <class Entry, class Decoder, class WriteInner>
bool RwfToJson::entries(Decoder& decoder, bool comma, WriteInner writeInner) noexcept {
    bool any = false;
    Entry entry;
    while (decoder.next(entry)) {
        if (std::exchange(any, true)) w_.raw(',');
        else w_.raw(comma ? ",\"Entries\":[" : "\"Entries\":[");
        w_.raw('{');
        if (!writeInner(entry)) return false;
        w_.raw('}');
    }
    if (any) w_.raw(']');
    w_.raw('}');
    return decoder.error().ok() || fail(decoder.error());
}

bool RwfToJson::map(Bytes in, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::MapDecoder c;
    if (const Error e = c.start(in); !e.ok()) return fail(e);
    w_.raw("{\"KeyType\":\"");
    w_.raw(codec::name(c.keyType()));
    w_.raw('"');
    if (c.hasKeyFieldId()) {
        w_.raw(",\"KeyFieldID\":");
        w_.integer(std::int64_t{c.keyFieldId()});
    }
    bool comma = true;
    if (!head(c, comma, depth)) return false;
    return entries<codec::MapEntry>(c, comma, [&](const codec::MapEntry& entry) {
        action(w_, kMapActions, entry.action);
        w_.raw(",\"Key\":");
        if (!value(c.keyType(), entry.key, DataType::Unknown, nullptr, depth)) return false;
        permData(w_, entry.hasPermData, entry.permData);
        return entry.data.empty() || payload(c.entryType(), entry.data, c.sets(), depth + 1);
    });
}

bool RwfToJson::vector(Bytes in, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::VectorDecoder c;
    if (const Error e = c.start(in); !e.ok()) return fail(e);
    w_.raw('{');
    bool comma = false;
    if (c.sortable()) {
        comma = true;
        w_.raw("\"SupportSorting\":true");
    }
    if (!head(c, comma, depth)) return false;
    return entries<codec::VectorEntry>(c, comma, [&](const codec::VectorEntry& entry) {
        w_.raw("\"Index\":");
        w_.integer(std::uint64_t{entry.index});
        w_.raw(',');
        action(w_, kVectorActions, entry.action);
        permData(w_, entry.hasPermData, entry.permData);
        return entry.data.empty() || payload(c.entryType(), entry.data, c.sets(), depth + 1);
    });
}

bool RwfToJson::series(Bytes in, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::SeriesDecoder c;
    if (const Error e = c.start(in); !e.ok()) return fail(e);
    w_.raw('{');
    bool comma = false;
    if (!head(c, comma, depth)) return false;
    return entries<codec::SeriesEntry>(c, comma, [&](const codec::SeriesEntry& entry) {
        return entry.data.empty() || payload(c.entryType(), entry.data, c.sets(), depth + 1, true);
    });
}

bool RwfToJson::filterList(Bytes in, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::FilterListDecoder c;
    if (const Error e = c.start(in); !e.ok()) return fail(e);
    w_.raw('{');
    bool comma = false;
    if (c.hasTotalCountHint()) {
        comma = true;
        w_.raw("\"CountHint\":");
        w_.integer(std::uint64_t{c.totalCountHint()});
    }
    return entries<codec::FilterEntry>(c, comma, [&](const codec::FilterEntry& entry) {
        w_.raw("\"ID\":");  // before the payload: one of the deployed readers needs it there
        w_.integer(std::uint64_t{entry.id});
        w_.raw(',');
        action(w_, kFilterActions, entry.action);
        permData(w_, entry.hasPermData, entry.permData);
        return entry.data.empty() || payload(entry.type, entry.data, nullptr, depth + 1);
    });
}

/// Written as it stands, but only when it is JSON: anything else would break the text around it.
bool RwfToJson::json(Bytes in) noexcept {
    if (in.empty()) return w_.null(), true;
    scratch_.text.assign(1, '[');
    scratch_.text.append(asText(in)).push_back(']');
    Tree& tree = scratch_.tree;
    if (!tree.parse(scratch_.text) || tree.end(0) == 1 || tree.nextItem(Tree::first(0)) != tree.end(0))
        return fail(Errc::badValue);
    w_.raw(asText(in));
    return true;
}

bool RwfToJson::value(DataType type, Bytes in, DataType setType, const dictionary::EnumTable* enums,
                      int depth) noexcept {
    if (in.empty() && codec::isPrimitive(type)) return w_.null(), true;
    const auto primitive = [&](auto v, auto decode, auto write) {
        switch (decode(in, v)) {
        case Decoded::value:
            return write(v), true;
        case Decoded::blank:
            return w_.null(), true;
        case Decoded::malformed:
            break;
        }
        return fail(Errc::badLength);
    };
    switch (type) {
    case DataType::Real: {
        codec::Real v;
        if (setType == DataType::Unknown) [[likely]]
            return primitive(v, codec::decodeReal, [this](const auto& r) { w_.real(r); });
        const auto decode = [setType](Bytes bytes, codec::Real& r) { return codec::decodeSetReal(bytes, setType, r); };
        return primitive(v, decode, [this](const auto& r) { w_.real(r); });
    }
    case DataType::Int:
        return primitive(std::int64_t{}, codec::decodeInt, [this](auto v) { w_.integer(v); });
    case DataType::UInt:
        return primitive(std::uint64_t{}, codec::decodeUInt, [this](auto v) { w_.integer(v); });
    case DataType::Enum:
        return primitive(std::uint16_t{}, codec::decodeEnum, [&](auto v) { enumerated(v, enums); });
    case DataType::Date:
        return primitive(codec::Date{}, codec::decodeDate, [this](const auto& v) { w_.date(v); });
    case DataType::Time:
        return primitive(codec::Time{}, codec::decodeTime, [this](const auto& v) { w_.time(v); });
    case DataType::DateTime:
        return primitive(codec::DateTime{}, codec::decodeDateTime, [this](const auto& v) { w_.dateTime(v); });
    case DataType::Float:
        return primitive(float{}, codec::decodeFloat, [this](auto v) { w_.number(v); });
    case DataType::Double:
        return primitive(double{}, codec::decodeDouble, [this](auto v) { w_.number(v); });
    case DataType::Qos:
        return primitive(codec::Qos{}, codec::decodeQos, [this](const auto& v) { qos(v); });
    case DataType::State:
        return primitive(codec::State{}, codec::decodeState, [this](const auto& v) { state(v); });
    case DataType::RmtesString:
        return rmtes(in), true;
    case DataType::AsciiString:
    case DataType::Utf8String:
        return w_.string(asText(in)), true;
    case DataType::Buffer:
        return w_.base64(in), true;
    case DataType::Array:
        return array(in, depth + 1);
    default:
        return codec::isContainer(type) ? container(type, in, nullptr, depth + 1) : fail(Errc::unsupportedType);
    }
}

bool RwfToJson::array(Bytes in, int depth) noexcept {
    if (!deeper(depth)) return false;
    codec::ArrayDecoder items;
    if (const Error e = items.start(in); !e.ok()) return fail(e);
    if (items.itemType() == DataType::Array || codec::isContainer(items.itemType())) return fail(Errc::unsupportedType);
    w_.raw("{\"Type\":\"");
    w_.raw(codec::name(items.itemType()));
    w_.raw("\",\"Data\":[");
    Bytes item;
    for (bool comma = false; items.next(item); comma = true) {
        if (comma) w_.raw(',');
        if (!value(items.itemType(), item, DataType::Unknown, nullptr, depth)) return false;
    }
    w_.raw("]}");
    return items.error().ok() || fail(items.error());
}

void RwfToJson::enumerated(std::uint16_t v, const dictionary::EnumTable* enums) noexcept {
    const dictionary::EnumValue* entry = options_.expandEnums && enums != nullptr ? enums->find(v) : nullptr;
    if (entry == nullptr) return w_.integer(std::uint64_t{v});
    rmtes(asBytes(entry->display));
}

void RwfToJson::rmtes(Bytes in) noexcept {
    if (isPlain(in)) return w_.string(asText(in));
    if (codec::isRmtesPartial(in)) {  // no form of its own: what it makes of an empty field
        std::size_t length = 0;
        scratch_.store.resize(kRmtesColumns);
        if (codec::applyRmtes(in, scratch_.store, length).ok()) in = Bytes(scratch_.store).first(length);
    }
    scratch_.text.clear();
    if (codec::rmtesToUtf8(in, scratch_.text).ok()) return w_.string(scratch_.text);
    w_.string(asText(in));  // not RMTES: what is not UTF-8 in it is replaced
}

}  // namespace emissary::eta::json

// Writes field lists, element lists, arrays and containers with entries as JSON, level by level.
#include "json/PayloadToJson.h"

#include "json/MessageToJson.h"
#include "json/quick_values.h"

#include <utility>

namespace emissary::eta::json {

using codec::DataType;

namespace {

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

void permData(TextWriter& w, bool has, Bytes data) noexcept {
    if (!has) return;
    w.raw(",\"PermData\":");
    w.base64(data);
}

}  // namespace

bool PayloadToJson::payload(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth,
                            bool first) noexcept {
    if (type == DataType::NoData || (in.empty() && !hasEmptyForm(type))) return true;
    const std::string_view member = memberOf(type);
    if (member.empty()) return w_.fail(Errc::unsupportedType);
    if (!first) w_.raw(',');
    w_.raw(member);
    return container(type, in, sets, depth);
}

bool PayloadToJson::container(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept {
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
        return messages_.messageObject(in, depth);
    default:
        return w_.fail(Errc::unsupportedType);
    }
}

/// Writes fields up to one that has to go the long way: its value is long or of a rare type. The last few bytes of the
/// list are read from a copy, behind which more may be read.
void PayloadToJson::quickFields(codec::FieldListDecoder& list, bool& comma) noexcept {
    constexpr std::size_t kHead = 3, kLong = 0xFE;  // of an entry: id, length; a length that takes more bytes
    constexpr std::size_t kReach = kHead + kQuickInput, kMost = kShortCopy + kQuickRoom;
    char* const begin = w_.roomFor(0);
    if (dictionary_ == nullptr || begin == nullptr || w_.out().space() < kMost) return;
    const char* const room = begin + (w_.out().space() - kMost);  // a field may be begun up to here
    const bool texts = values_.expandsEnums();
    auto [rest, left] = list.plain();
    if (left == 0) return;  // there may be no bytes at all
    const std::byte *p = rest.data(), *end = p + rest.size();
    const std::byte* last = rest.size() < kReach ? p - 1 : end - kReach;  // and read up to here
    const dictionary::FieldDefinition* const* const definitions = dictionary_->definitions();
    std::array<std::byte, kReach + kQuickInput> copy;
    const std::byte* copied = nullptr;  // from here
    // Each field has a comma before it: that of the first one takes the place of the bracket for a while.
    char* to = begin - !comma;
    for (; left != 0 && to <= room; --left) {
        if (p > last) [[unlikely]] {
            const auto bytes = static_cast<std::size_t>(end - p);
            if (bytes < kHead) break;
            if (copied == nullptr) {
                copied = p;
                static_cast<void>(copyShort(reinterpret_cast<char*>(copy.data()), asText({p, bytes}).data(), bytes));
                p = copy.data();
                end = p + bytes;
                last = end - kHead;
            }
        }
        const std::size_t length = loadBe<std::uint8_t>(p + 2);
        const std::byte* const next = p + kHead + length;
        if (next > end) [[unlikely]]
            break;
        const dictionary::FieldDefinition* const field = definitions[loadBe<std::uint16_t>(p)];
        if (field != nullptr) [[likely]] {
            const std::string_view member = field->jsonMember;
            if (member.size() >= kShortCopy) [[unlikely]]
                break;
            char* const value = copyPadded(to, member.data() - 1, member.size() + 1);
            char* const behind = putQuick(value, *field, {p + kHead, length}, texts);
            if (behind == nullptr) break;
            to = behind;
        } else if (length >= kLong) {  // no quick value is as long as that
            break;
        }
        p = next;
    }
    if (!comma) {
        comma = to >= begin;
        if (!comma) to = begin;
        begin[-1] = '{';
    }
    w_.endAt(to);
    list.resume(copied != nullptr ? copied + (p - copy.data()) : p, left);
}

bool PayloadToJson::fields(Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::FieldListDecoder list;
    if (const Error e = list.start(in, sets); !e.ok()) return w_.fail(e);
    codec::FieldEntry entry;
    w_.raw('{');
    bool comma = false;
    while (quickFields(list, comma), list.next(entry)) {
        if (dictionary_ == nullptr) return w_.fail(Errc::notFound);
        const dictionary::FieldDefinition* field = dictionary_->find(entry.fieldId);
        if (field == nullptr) continue;
        const DataType type = entry.setType == DataType::Unknown ? field->type : codec::baseType(entry.setType);
        if (type == DataType::Unknown) continue;  // a dictionary entry without a type that RWF has
        w_.padded(std::exchange(comma, true), field->jsonMember);
        if (!values_.value(type, entry.data, entry.setType, field->enums, depth)) return false;
    }
    w_.raw('}');
    return list.error().ok() || w_.fail(list.error());
}

bool PayloadToJson::elements(Bytes in, const codec::SetDefinitionDb* sets, int depth,
                             bool (*wanted)(const codec::ElementEntry&)) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::ElementListDecoder list;
    if (const Error e = list.start(in, sets); !e.ok()) return w_.fail(e);
    codec::ElementEntry entry;
    w_.raw('{');
    for (bool comma = false; list.next(entry);) {
        if (wanted != nullptr && !wanted(entry)) continue;
        if (std::exchange(comma, true)) w_.raw(',');
        w_.string(asText(entry.name));
        w_.raw(':');
        const bool bare = !entry.data.empty() && (entry.type == DataType::AsciiString || entry.type == DataType::UInt);
        if (!bare) {
            w_.raw("{\"Type\":\"");
            w_.raw(codec::name(entry.type));
            w_.raw("\",\"Data\":");
        }
        if (!values_.value(entry.type, entry.data, entry.setType, nullptr, depth)) return false;
        if (!bare) w_.raw('}');
    }
    w_.raw('}');
    return list.error().ok() || w_.fail(list.error());
}

bool PayloadToJson::array(Bytes in, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::ArrayDecoder items;
    if (const Error e = items.start(in); !e.ok()) return w_.fail(e);
    if (items.itemType() == DataType::Array || codec::isContainer(items.itemType()))
        return w_.fail(Errc::unsupportedType);
    w_.raw("{\"Type\":\"");
    w_.raw(codec::name(items.itemType()));
    w_.raw("\",\"Data\":[");
    Bytes item;
    for (bool comma = false; items.next(item); comma = true) {
        if (comma) w_.raw(',');
        if (!values_.value(items.itemType(), item, DataType::Unknown, nullptr, depth)) return false;
    }
    w_.raw("]}");
    return items.error().ok() || w_.fail(items.error());
}

// --- containers with entries

bool PayloadToJson::head(const codec::EntryContainerDecoder& c, bool& comma, int depth) noexcept {
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

/// The rest of a container's object: its entries, each an object of what `writeInner` writes, if there are any.
template <class Entry, class Decoder, class WriteInner>
bool PayloadToJson::entries(Decoder& decoder, bool comma, WriteInner writeInner) noexcept {
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
    return decoder.error().ok() || w_.fail(decoder.error());
}

bool PayloadToJson::map(Bytes in, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::MapDecoder c;
    if (const Error e = c.start(in); !e.ok()) return w_.fail(e);
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
        w_.word("\"Action\":", kMapActions, entry.action);
        w_.raw(",\"Key\":");
        if (!values_.value(c.keyType(), entry.key, DataType::Unknown, nullptr, depth)) return false;
        permData(w_, entry.hasPermData, entry.permData);
        return entry.data.empty() || payload(c.entryType(), entry.data, c.sets(), depth + 1);
    });
}

bool PayloadToJson::vector(Bytes in, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::VectorDecoder c;
    if (const Error e = c.start(in); !e.ok()) return w_.fail(e);
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
        w_.word("\"Action\":", kVectorActions, entry.action);
        permData(w_, entry.hasPermData, entry.permData);
        return entry.data.empty() || payload(c.entryType(), entry.data, c.sets(), depth + 1);
    });
}

bool PayloadToJson::series(Bytes in, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::SeriesDecoder c;
    if (const Error e = c.start(in); !e.ok()) return w_.fail(e);
    w_.raw('{');
    bool comma = false;
    if (!head(c, comma, depth)) return false;
    return entries<codec::SeriesEntry>(c, comma, [&](const codec::SeriesEntry& entry) {
        return entry.data.empty() || payload(c.entryType(), entry.data, c.sets(), depth + 1, true);
    });
}

bool PayloadToJson::filterList(Bytes in, int depth) noexcept {
    if (!w_.deeper(depth)) return false;
    codec::FilterListDecoder c;
    if (const Error e = c.start(in); !e.ok()) return w_.fail(e);
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
        w_.word("\"Action\":", kFilterActions, entry.action);
        permData(w_, entry.hasPermData, entry.permData);
        return entry.data.empty() || payload(entry.type, entry.data, nullptr, depth + 1);
    });
}

/// Written as it stands, but only when it is JSON: anything else would break the text around it.
bool PayloadToJson::json(Bytes in) noexcept {
    if (in.empty()) return w_.null(), true;
    scratch_.text.assign(1, '[');
    scratch_.text.append(asText(in)).push_back(']');
    Tree& tree = scratch_.tree;
    if (!tree.parse(scratch_.text) || tree.end(0) == 1 || tree.nextItem(Tree::first(0)) != tree.end(0))
        return w_.fail(Errc::badValue);
    w_.raw(asText(in));
    return true;
}

}  // namespace emissary::eta::json

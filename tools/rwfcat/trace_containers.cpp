// Encodes the containers of an XML trace again as RWF.
#include "rwfcat/trace_containers.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/core/GrowingBuffer.h"

namespace emissary::rwfcat {

using namespace emissary::eta::codec;
using eta::Bytes;
using eta::Error;
using eta::GrowingBuffer;

namespace {

using Sets = const SetDefinitionDb*;

ByteVector copy(const GrowingBuffer& room) {
    return {room.view().begin(), room.view().end()};
}

void need(const TraceLine& line, Error e) {
    if (!e.ok()) line.wrong(std::string("cannot be encoded: ") + describe(e.code));
}

bool ends(const TraceLines& in) {
    return in.next().starts_with("</");
}

/// The definition of the set data of a list.
const SetDefinition& definitionOf(const TraceLine& line, Sets sets, std::uint16_t id) {
    const SetDefinition* const found = sets != nullptr ? sets->find(id) : nullptr;
    if (found == nullptr) line.wrong("there is no set definition " + std::to_string(id));
    return *found;
}

/// A value, or what stands inside a tag that is not closed.
ByteVector entryContent(TraceLines& in, TraceLine& line, DataType type) {
    if (line.closed()) return valueOf(line, type);
    const std::string element(line.element());
    ByteVector content = contentOf(in, type, nullptr);
    in.expect("</" + element + ">");
    return content;
}

constexpr std::uint32_t kInfo = 1, kSetData = 2, kSetId = 4, kStandard = 8;

// Written back into bytes, so that a trace can be read like a capture.
ByteVector fieldList(TraceLines& in, Sets sets) {
    TraceLine head = in.take();
    const std::uint32_t flags = head.flags();
    FieldListEncoder::Info info{1, 0};
    if ((flags & kInfo) != 0) {
        info.fieldListNum = static_cast<std::int16_t>(head.number("fieldListNum"));
        info.dictionaryId = static_cast<std::int16_t>(head.number("dictionaryId"));
    }
    const FieldListEncoder::Info* const given = (flags & kInfo) != 0 ? &info : nullptr;
    const std::uint16_t setId = (flags & (kSetId | kSetData)) == (kSetId | kSetData)
                                    ? static_cast<std::uint16_t>(head.number("setId"))
                                    : std::uint16_t{0};
    GrowingBuffer room;
    FieldListEncoder list;
    if ((flags & kSetData) != 0) {
        const SetDefinition& set = definitionOf(head, sets, setId);
        list.beginSet(room.start(), given, set, (flags & kSetId) != 0, (flags & kStandard) != 0);
        SetEntry entry;
        // Set data stand in the order of the definition, and each entry has a line.
        for (auto cursor = set.entries(); cursor.next(entry);) {
            TraceLine line = in.take();
            need(line, list.addSetValue(entry.type, entryContent(in, line, baseType(entry.type))));
        }
        if ((flags & kStandard) != 0) list.endSet();
    } else if ((flags & kStandard) == 0) list.beginEmpty(room.start(), given);
    else if (given != nullptr) list.begin(room.start(), info);
    else list.begin(room.start());
    while (!ends(in)) {
        TraceLine line = in.take();
        const auto id = static_cast<std::int16_t>(line.number("fieldId"));
        list.add(id, line.hex("data"));
    }
    in.expect("</fieldList>");
    need(head, list.complete());
    return copy(room);
}

ByteVector elementList(TraceLines& in, Sets sets) {
    TraceLine head = in.take();
    const std::uint32_t flags = head.flags();
    std::int16_t number = 0;
    if ((flags & kInfo) != 0) number = static_cast<std::int16_t>(head.number("elementListNum"));
    const std::int16_t* const given = (flags & kInfo) != 0 ? &number : nullptr;
    const std::uint16_t setId = (flags & (kSetId | kSetData)) == (kSetId | kSetData)
                                    ? static_cast<std::uint16_t>(head.number("setId"))
                                    : std::uint16_t{0};
    GrowingBuffer room;
    ElementListEncoder list;
    if ((flags & kSetData) != 0) {
        const SetDefinition& set = definitionOf(head, sets, setId);
        list.beginSet(room.start(), given, set, (flags & kSetId) != 0, (flags & kStandard) != 0);
        SetEntry entry;
        for (auto cursor = set.entries(); cursor.next(entry);) {
            TraceLine line = in.take();
            static_cast<void>(line.raw("name", "\" dataType=\""));
            static_cast<void>(line.type("dataType"));
            need(line, list.addSetValue(entry.type, entryContent(in, line, baseType(entry.type))));
        }
        if ((flags & kStandard) != 0) list.endSet();
    } else if ((flags & kStandard) == 0) list.beginEmpty(room.start(), given);
    else if (given != nullptr) list.begin(room.start(), number);
    else list.begin(room.start());
    while (!ends(in)) {
        TraceLine line = in.take();
        const ByteVector name = line.raw("name", "\" dataType=\"");
        const DataType type = line.type("dataType");
        const std::string_view word = eta::asText(name);
        // Group ids are written as numbers, everything else as it is.
        const bool group = type == DataType::Buffer && (word == "Group" || word == "MergedToGroup");
        list.add(word, type, group ? line.group("data") : entryContent(in, line, type));
    }
    in.expect("</elementList>");
    need(head, list.complete());
    return copy(room);
}

/// Definitions and summary, with what they borrow.
struct Head {
    EntryContainerHeader header;
    ByteVector definitions, summary;
    SetDefinitionDb sets;
    [[nodiscard]] Sets all() const noexcept { return header.hasSetDefs ? &sets : nullptr; }
};

void readHead(TraceLines& in, TraceLine& line, std::uint32_t flags, std::uint32_t hintFlag, std::int64_t hint,
              DataType type, Head& head) {
    EntryContainerHeader& h = head.header;
    h.entryType = type;
    // The count hint is written even when the flag is not there, so the flag decides.
    h.hasTotalCountHint = (flags & hintFlag) != 0;
    h.totalCountHint = static_cast<std::uint32_t>(hint);
    h.hasSetDefs = (flags & 1) != 0;
    h.hasSummary = (flags & 2) != 0;
    if (h.hasSetDefs) {
        const bool elements = type == DataType::ElementList;
        const std::string word = elements ? "element" : "field";
        GrowingBuffer room;
        SetDefinitionEncoder out;
        out.begin(room.start());
        in.expect("<" + word + "SetDefs>");
        while (!ends(in)) {
            TraceLine set = in.take();
            out.beginSet(static_cast<std::uint16_t>(set.number("setId")));
            while (!ends(in)) {
                TraceLine entry = in.take();
                if (elements) {
                    const ByteVector name = entry.raw("name", "\" dataType=\"");
                    out.element(eta::asText(name), entry.type("dataType"));
                } else {
                    const auto id = static_cast<std::int16_t>(entry.number("fieldId"));
                    out.field(id, entry.type("dataType"));
                }
            }
            in.expect("</" + word + "SetDef>");
            out.endSet();
        }
        in.expect("</" + word + "SetDefs>");
        need(line, out.complete());
        head.definitions = copy(room);
        h.setDefs = Bytes(head.definitions);
        // Decoded again: entries of set data need the definitions as they are.
        const auto kind = elements ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields;
        need(line, head.sets.decode(h.setDefs, kind));
    }
    if (!h.hasSummary) return;
    in.expect("<summaryData>");
    head.summary = contentOf(in, type, head.all());
    in.expect("</summaryData>");
    h.summary = Bytes(head.summary);
}

/// The payload of an entry; one that its action leaves without gets none.
ByteVector payload(TraceLines& in, const char* element, DataType type, Sets sets, bool deleted = false) {
    ByteVector content;
    // An entry that is deleted has no payload, whatever stands in its tag.
    if (deleted)
        while (!ends(in))
            static_cast<void>(in.take());
    else content = contentOf(in, type, sets);
    in.expect(std::string("</") + element + ">");
    return content;
}

ByteVector map(TraceLines& in) {
    TraceLine line = in.take();
    const std::uint32_t flags = line.flags();
    const std::int64_t hint = line.number("countHint");
    const DataType keyType = line.type("keyPrimitiveType"), type = line.type("containerType");
    std::int16_t keyField = 0;
    if ((flags & 0x10) != 0) keyField = static_cast<std::int16_t>(line.number("keyFieldId"));
    Head head;
    readHead(in, line, flags, 8, hint, type, head);
    GrowingBuffer room;
    MapEncoder out;
    out.begin(room.start(), head.header, keyType, (flags & 0x10) != 0 ? &keyField : nullptr);
    while (!ends(in)) {
        TraceLine entry = in.take();
        const bool permissions = entry.flags() != 0;
        std::uint32_t action = 0;
        if (const std::string_view word = entry.plain("action"); !eta::trace::kMapActions.number(word, action))
            entry.wrong("an action that is not known");
        const ByteVector key =
            keyOf(entry, entry.raw("key", permissions ? "\" permData=\"" : "\" >", true), baseType(keyType));
        const ByteVector perm = permissions ? entry.hex("permData") : ByteVector{};
        const Bytes permBytes(perm);
        const ByteVector content = payload(in, "mapEntry", type, head.all(), action == MapAction::del);
        out.add(static_cast<std::uint8_t>(action), key, content, permissions ? &permBytes : nullptr);
    }
    in.expect("</map>");
    need(line, out.complete());
    return copy(room);
}

ByteVector vectorOf(TraceLines& in) {
    TraceLine line = in.take();
    const std::uint32_t flags = line.flags();
    const std::int64_t hint = line.number("countHint");
    const DataType type = line.type("containerType");
    Head head;
    readHead(in, line, flags, 8, hint, type, head);
    GrowingBuffer room;
    VectorEncoder out;
    out.begin(room.start(), head.header, (flags & 0x10) != 0);
    while (!ends(in)) {
        TraceLine entry = in.take();
        const auto index = static_cast<std::uint32_t>(entry.number("index"));
        const std::uint32_t action = entry.word("action", eta::trace::kVectorActions);
        const bool permissions = entry.flags() != 0;
        const ByteVector perm = permissions ? entry.hex("permData") : ByteVector{};
        const Bytes permBytes(perm);
        // Clear and Delete have no payload (rwf.md 3.5).
        const bool bare = action == VectorAction::clear || action == VectorAction::del;
        const ByteVector content = payload(in, "vectorEntry", type, head.all(), bare);
        out.add(static_cast<std::uint8_t>(action), index, content, permissions ? &permBytes : nullptr);
    }
    in.expect("</vector>");
    need(line, out.complete());
    return copy(room);
}

ByteVector series(TraceLines& in) {
    TraceLine line = in.take();
    const std::uint32_t flags = line.flags();
    const std::int64_t hint = line.number("countHint");
    const DataType type = line.type("containerType");
    Head head;
    readHead(in, line, flags, 4, hint, type, head);
    GrowingBuffer room;
    SeriesEncoder out;
    out.begin(room.start(), head.header);
    while (!ends(in)) {
        in.expect("<seriesEntry>");
        out.add(payload(in, "seriesEntry", type, head.all()));
    }
    in.expect("</series>");
    need(line, out.complete());
    return copy(room);
}

ByteVector filterList(TraceLines& in) {
    TraceLine line = in.take();
    const DataType type = line.type("containerType");
    const auto hint = static_cast<std::uint8_t>(line.number("countHint"));
    const std::uint32_t flags = line.flags();
    GrowingBuffer room;
    FilterListEncoder out;
    out.begin(room.start(), type, (flags & 2) != 0 ? &hint : nullptr);
    while (!ends(in)) {
        TraceLine entry = in.take();
        const auto id = static_cast<std::uint8_t>(entry.number("id"));
        const std::uint32_t action = entry.word("action", eta::trace::kFilterActions), own = entry.flags();
        const DataType entryType = entry.type("containerType");
        const ByteVector perm = (own & 1) != 0 ? entry.hex("permData") : ByteVector{};
        const Bytes permBytes(perm);
        const ByteVector content = payload(in, "filterEntry", entryType, nullptr, action == FilterAction::clear);
        out.add(static_cast<std::uint8_t>(action), id, entryType, content, (own & 1) != 0 ? &permBytes : nullptr,
                (own & 2) != 0);
    }
    in.expect("</filterList>");
    need(line, out.complete());
    return copy(room);
}

ByteVector array(TraceLines& in) {
    TraceLine line = in.take();
    const auto length = static_cast<std::uint16_t>(line.number("itemLength"));
    const DataType type = line.type("primitiveType");
    GrowingBuffer room;
    ArrayEncoder out;
    // An array has a fixed item length or none; other lengths cannot be encoded.
    if (!ArrayEncoder::takes(type, length)) line.wrong("items that an array cannot have");
    out.begin(room.start(), type, length);
    while (!ends(in)) {
        TraceLine entry = in.take();
        out.add(valueOf(entry, type));
    }
    in.expect("</array>");
    need(line, out.complete());
    return copy(room);
}

}  // namespace

TraceLines::TraceLines(const std::vector<std::string_view>& lines) {
    for (std::string_view line : lines) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (line.empty()) continue;
        // A line that begins without a tag continues the one before.
        if (line.starts_with('<') || lines_.empty()) lines_.emplace_back(line);
        else lines_.back().append(" ").append(line);
    }
}

TraceLine TraceLines::take() {
    if (at_ == lines_.size()) throw TraceFault("the text ends inside the message");
    return TraceLine(lines_[at_++]);
}

void TraceLines::expect(std::string_view tag) {
    if (const TraceLine line = take(); line.text() != tag) line.wrong("no " + std::string(tag));
}

// Nesting is bounded, because a trace may come from anywhere.
void TraceLines::deeper() {
    if (++depth_ > kMaxDepth) throw TraceFault("containers are nested too deep");
}

ByteVector contentOf(TraceLines& in, DataType type, Sets sets) {
    if (ends(in)) return {};
    const std::string_view next = in.next();
    // Types without structure are written as bytes.
    if (next.starts_with("<opaque ") || next.starts_with("<ansiPage ")) return in.take().hex("data");
    if (next.starts_with("<json ")) return in.take().string("data");
    in.deeper();
    ByteVector content;
    switch (type) {
    case DataType::FieldList:
        content = fieldList(in, sets);
        break;
    case DataType::ElementList:
        content = elementList(in, sets);
        break;
    case DataType::Map:
        content = map(in);
        break;
    case DataType::Vector:
        content = vectorOf(in);
        break;
    case DataType::Series:
        content = series(in);
        break;
    case DataType::FilterList:
        content = filterList(in);
        break;
    case DataType::Array:
        content = array(in);
        break;
    case DataType::Msg:
        content = messageFrom(in);
        break;
    default:
        in.take().wrong("a content that is not known");
    }
    in.back();
    return content;
}

}  // namespace emissary::rwfcat

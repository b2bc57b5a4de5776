// Encodes an image or a part of it, container by container.
#include "hub/cache/ImageWriter.h"

#include "eta/codec/encoders.h"

#include <algorithm>

namespace emissary::hub::cache {

using eta::codec::LengthSlot;

namespace {

// Flag bits of the headers (rwf.md 3.2 to 3.7).
constexpr std::uint8_t kInfo = 0x01, kStandard = 0x08;
constexpr std::uint8_t kSummary = 0x02, kPerEntryPerm = 0x04, kHint = 0x08, kSeriesHint = 0x04, kKeyFieldId = 0x10,
                       kSortable = 0x10, kFilterPerEntryPerm = 0x01, kFilterHint = 0x02;
constexpr std::uint8_t kEntryPerm = 0x10, kEntryOwnType = 0x20;  // in the byte that has the action

// Types on the wire are counted from 128 (rwf.md 3.1).
std::uint8_t wireType(DataType type) noexcept {
    return static_cast<std::uint8_t>(static_cast<unsigned>(type) - 128u);
}

}  // namespace

// Standard data only, whatever form the source used (hub.md 6.3).
void ImageWriter::write(Ref ref) noexcept {
    if (ref == 0) return;
    const Node& node = nodes_.at(ref);
    if (node.kind == Kind::fields) return writeFields(static_cast<const FieldsNode&>(node));
    if (node.kind == Kind::bytes) return out_.bytes(static_cast<const BytesNode&>(node).view());
    if (node.kind != Kind::entries) return;
    const auto& entries = static_cast<const EntriesNode&>(node);
    if (node.type == DataType::ElementList) writeElements(entries);
    else if (node.type == DataType::FilterList) writeFilters(entries);
    else writeEntries(entries, nullptr);
}

void ImageWriter::writePart(Ref ref, PartLimit& limit) noexcept {
    partAt_ = out_.size();
    writeEntries(static_cast<const EntriesNode&>(nodes_.at(ref)), &limit);
}

/// A payload behind its length.
void ImageWriter::writeChild(Ref ref) noexcept {
    if (ref == 0) return out_.u8(0);
    // The length is reserved before it is known, and shortened when the content is short.
    LengthSlot length;
    length.open(out_, LengthSlot::Form::u16ob);
    write(ref);
    length.close(out_);
}

// --- FieldList

void ImageWriter::writeFieldsHead(const FieldsNode& node) noexcept {
    const bool info = (node.has & FieldsNode::info) != 0;
    // A dictionary id below 64 has the short form (rwf.md 3.2).
    out_.u8(info ? kStandard | kInfo : kStandard);
    if (info) {
        const bool shortId = node.dictionaryId >= 0 && node.dictionaryId < 0x40;
        out_.u8(shortId ? 3 : 4);
        if (shortId) out_.u8(static_cast<std::uint8_t>(node.dictionaryId));
        else out_.u16(static_cast<std::uint16_t>(0x8000 | (node.dictionaryId & 0x7FFF)));
        out_.u16(static_cast<std::uint16_t>(node.listNum));
    }
    out_.u16(static_cast<std::uint16_t>(node.shape->slots().size()));
}

void ImageWriter::writeFields(const FieldsNode& node) noexcept {
    writeFieldsHead(node);
    const bool noLong = (node.has & FieldsNode::longValues) == 0;
    // Most nodes fit into the room at hand.
    if (noLong && out_.space() < node.shape->maxWire() + 8) static_cast<void>(out_.room(node.shape->maxWire() + 8));
    // 8 bytes beyond the longest form: the copy of the last value may write that far.
    if (noLong && out_.ok() && out_.space() >= node.shape->maxWire() + 8) {
        std::byte* const from = out_.room(0);
        return out_.advance(static_cast<std::size_t>(copySlots(node, from) - from));
    }
    // The slow way, for values outside the node and for a buffer that is nearly full.
    const FieldView view{nodes_.pool, node};
    for (const Slot& s : node.shape->slots()) {
        out_.u16(static_cast<std::uint16_t>(s.id));
        out_.buf16(view.value(s));
    }
}

/// All fields, whose values are at most 64 bytes each, into room that is enough: 8 bytes are copied for any short one.
std::byte* ImageWriter::copySlots(const FieldsNode& node, std::byte* to) noexcept {
    const auto* const base = reinterpret_cast<const std::byte*>(&node);
    for (const Slot& s : node.shape->slots()) {
        const std::byte* const from = base + s.offset();
        const auto length = std::to_integer<std::size_t>(*from);
        // 9 bytes are copied for each field, and the next one overwrites what is too much.
        eta::storeBe(to, static_cast<std::uint16_t>(s.id));
        std::memcpy(to + 2, from, 9);
        if (length > 8) [[unlikely]]
            std::memcpy(to + 11, from + 9, length - 8);
        to += 3 + length;
    }
    return to;
}

// --- ElementList and FilterList

void ImageWriter::writeElements(const EntriesNode& node) noexcept {
    const bool info = (node.has & EntriesNode::withNumber) != 0;
    out_.u8(info ? kStandard | kInfo : kStandard);
    if (info) {
        // 2: the length of the element list's number (rwf.md 3.3).
        out_.u8(2);
        out_.u16(static_cast<std::uint16_t>(node.number));
    }
    out_.u16(static_cast<std::uint16_t>(node.count));
    for (Ref ref = node.first; ref != 0 && out_.ok();) {
        const Entry& e = nodes_.entries.entry(ref);
        out_.buf15(e.key());
        out_.u8(static_cast<std::uint8_t>(e.type));
        if (e.type != DataType::NoData) out_.buf16(nodes_.values.get(e.child));
        ref = e.after;
    }
}

void ImageWriter::writeFilters(const EntriesNode& node) noexcept {
    // The flags are known at the end, since they depend on the entries; the byte is filled in then.
    const std::size_t flagsAt = out_.size();
    const bool hint = (node.has & EntriesNode::withHint) != 0;
    std::uint8_t flags = hint ? kFilterHint : 0;
    out_.u8(0);
    out_.u8(wireType(node.entryType));
    if (hint) out_.u8(static_cast<std::uint8_t>(node.hint));
    out_.u8(static_cast<std::uint8_t>(node.count));
    for (Ref ref = node.first; ref != 0 && out_.ok();) {
        const Entry& e = nodes_.entries.entry(ref);
        // A filter entry may have a type of its own (rwf.md 3.7).
        const bool own = e.type != node.entryType;
        out_.u8(static_cast<std::uint8_t>(eta::codec::FilterAction::set | (e.perm != 0 ? kEntryPerm : 0) |
                                          (own ? kEntryOwnType : 0)));
        out_.bytes(e.key());
        if (own) out_.u8(wireType(e.type));
        if (e.perm != 0) {
            flags |= kFilterPerEntryPerm;
            out_.buf15(nodes_.values.get(e.perm));
        }
        if (e.type != DataType::NoData) writeChild(e.child);
        ref = e.after;
    }
    // Only entries with permission data set this flag.
    if (out_.ok()) *out_.at(flagsAt) = std::byte{flags};
}

// --- Map, Vector, Series

/// Returns where the count stands.
std::size_t ImageWriter::writeEntriesHead(const EntriesNode& node, bool first) noexcept {
    const bool map = node.type == DataType::Map, series = node.type == DataType::Series;
    const bool keyField = map && (node.has & EntriesNode::withNumber) != 0;
    // Only the first part has the summary; set definitions are not needed, because everything is standard data.
    const bool summary = first && node.summary != 0, hint = (node.has & EntriesNode::withHint) != 0;
    const bool sorted = node.type == DataType::Vector && (node.has & EntriesNode::sortable) != 0;
    out_.u8(static_cast<std::uint8_t>((summary ? kSummary : 0) | (hint ? (series ? kSeriesHint : kHint) : 0) |
                                      (keyField ? kKeyFieldId : 0) | (sorted ? kSortable : 0)));
    if (map) out_.u8(static_cast<std::uint8_t>(node.keyType));
    out_.u8(wireType(node.entryType));
    if (keyField) out_.u16(static_cast<std::uint16_t>(node.number));
    if (summary) {
        LengthSlot length;
        length.open(out_, LengthSlot::Form::u15rb);
        write(node.summary);
        length.close(out_);
    }
    if (hint) out_.u30rb(node.hint);
    // Room for the count, which is known when the part is full.
    const std::size_t countAt = out_.size();
    out_.u16(0);
    return countAt;
}

void ImageWriter::writeEntries(const EntriesNode& node, PartLimit* limit) noexcept {
    const std::size_t flagsAt = out_.size();
    const std::size_t countAt = writeEntriesHead(node, limit == nullptr || limit->next == 0);
    std::uint32_t count = 0;
    bool perm = false;
    if (node.type == DataType::Vector) writePositions(node, limit, count, perm);
    else writeKeyed(node, limit, count, perm);
    // A count has 16 bits.
    if (count > 0xFFFF) out_.fail();
    if (!out_.ok()) return;
    eta::storeBe(out_.at(countAt), static_cast<std::uint16_t>(count));
    if (perm) *out_.at(flagsAt) |= std::byte{kPerEntryPerm};
}

void ImageWriter::writeKeyed(const EntriesNode& node, PartLimit* limit, std::uint32_t& count, bool& perm) noexcept {
    // In parts: where the last one ended.
    Ref ref = limit != nullptr && limit->next != 0 ? limit->next : node.first;
    if (limit != nullptr) limit->next = 0;
    while (ref != 0 && out_.ok()) {
        const Entry& e = nodes_.entries.entry(ref);
        const std::size_t at = out_.size();
        writeEntry(node, e, nullptr);
        // The entry did not fit: it was written, taken back, and begins the next part.
        if (tooMuch(limit, count, at, ref)) return;
        ++count;
        perm = perm || e.perm != 0;
        ref = e.after;
    }
}

void ImageWriter::writePositions(const EntriesNode& node, PartLimit* limit, std::uint32_t& count, bool& perm) noexcept {
    const Position* const all = nodes_.entries.positions(node);
    std::uint32_t i = limit != nullptr ? limit->next : 0;
    if (limit != nullptr) limit->next = 0;
    for (; i < node.count && out_.ok(); ++i) {
        const Entry& e = nodes_.entries.entry(all[i].entry);
        const std::size_t at = out_.size();
        writeEntry(node, e, &all[i]);
        if (tooMuch(limit, count, at, i)) return;
        ++count;
        perm = perm || e.perm != 0;
    }
}

/// Takes an entry back that begins the next part.
bool ImageWriter::tooMuch(PartLimit* limit, std::uint32_t count, std::size_t entryAt, std::uint32_t entry) noexcept {
    // One entry at least in each part, or a large one would never be sent.
    if (limit == nullptr || count == 0 || !out_.ok()) return false;
    if (out_.size() - partAt_ <= limit->bytes && count < 0xFFFF) return false;
    out_.truncate(entryAt);
    limit->next = entry;
    return true;
}

void ImageWriter::writeEntry(const EntriesNode& node, const Entry& entry, const Position* position) noexcept {
    const bool map = node.type == DataType::Map;
    if (map || position != nullptr) {
        // All as Add or Set: the image says what there is, not how it came (hub.md 6.3).
        const unsigned action = map ? eta::codec::MapAction::add : eta::codec::VectorAction::set;
        out_.u8(static_cast<std::uint8_t>(action | (entry.perm != 0 ? kEntryPerm : 0)));
        if (position != nullptr) out_.u30rb(position->at);
        if (entry.perm != 0) out_.buf15(nodes_.values.get(entry.perm));
        if (map) out_.buf15(entry.key());
    }
    if (node.entryType != DataType::NoData) writeChild(entry.child);
}

// --- Sizes

namespace {

/// Adds up, and knows when it is enough.
class SizeCounter {
public:
    SizeCounter(const Nodes& nodes, std::size_t enough) noexcept : nodes_(nodes), enough_(enough) {}
    [[nodiscard]] std::size_t total() const noexcept { return total_; }
    void add(Ref ref) noexcept {
        if (ref == 0) return;
        const Node& node = nodes_.at(ref);
        if (node.kind == Kind::bytes) total_ += static_cast<const BytesNode&>(node).size;
        else if (node.kind == Kind::fields) addFields(static_cast<const FieldsNode&>(node));
        else if (node.kind == Kind::entries) addEntries(static_cast<const EntriesNode&>(node));
    }

private:
    // Bounds, not sizes: whoever reserves room by them never has too little.
    static constexpr std::size_t kHead = 16, kEntry = 16;  // more than the fixed members of any container or entry
    void addFields(const FieldsNode& node) noexcept {
        total_ += kHead + node.shape->maxWire();
        if ((node.has & FieldsNode::longValues) == 0) return;
        for (const Slot& s : node.shape->slots())
            total_ += FieldView{nodes_.pool, node}.value(s).size();
    }
    void addEntry(const Entry& e) noexcept {
        total_ += kEntry + e.keySize + nodes_.values.get(e.perm).size();
        add(e.child);
    }
    void addEntries(const EntriesNode& node) noexcept {
        total_ += kHead;
        add(node.summary);
        if (node.type == DataType::Vector) {
            const Position* const all = nodes_.entries.positions(node);
            // Ends early: the caller wants to know whether it is more.
            for (std::uint32_t i = 0; i < node.count && total_ <= enough_; ++i)
                addEntry(nodes_.entries.entry(all[i].entry));
            return;
        }
        for (Ref ref = node.first; ref != 0 && total_ <= enough_; ref = nodes_.entries.entry(ref).after)
            addEntry(nodes_.entries.entry(ref));
    }
    const Nodes& nodes_;
    std::size_t total_ = 0, enough_;
};

}  // namespace

std::size_t wireSize(const Nodes& nodes, Ref ref, std::size_t enough) noexcept {
    SizeCounter counter(nodes, enough);
    counter.add(ref);
    return counter.total();
}

}  // namespace emissary::hub::cache

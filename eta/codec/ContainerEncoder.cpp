// Writing Map, Vector, Series, FilterList, Array and set definitions (rwf.md 2.11, 3.4 to 3.7, 3.9). Counts, flags and
// lengths that are known only later are patched; a failure latches in the writer and complete() reports it.
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"

namespace emissary::eta::codec {

namespace {

/// Flag bits of the container headers.
constexpr std::uint8_t kSetDefs = 0x01, kSummary = 0x02, kPerEntryPerm = 0x04, kHint = 0x08, kSeriesHint = 0x04,
                       kKeyFieldId = 0x10, kSortable = 0x10;
constexpr std::uint8_t kFilterPerEntryPerm = 0x01, kFilterHint = 0x02;
constexpr unsigned kEntryPerm = 0x10, kEntryOwnType = 0x20;  // in the entry's first byte, above the action

/// Container types travel less 128; a primitive type cannot stand here.
void writeContainerType(BeWriter& out, DataType type) noexcept {
    if (!isContainer(type)) return out.fail();
    out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(type) - 128u));
}

[[nodiscard]] std::uint8_t headFlags(const EntryContainerHeader& h, std::uint8_t hintFlag) noexcept {
    return static_cast<std::uint8_t>((h.hasSetDefs ? kSetDefs : 0) | (h.hasSummary ? kSummary : 0) |
                                     (h.hasTotalCountHint ? hintFlag : 0));
}

/// Writes definitions, summary and hint in wire order, then leaves room for the count, whose place is returned.
[[nodiscard]] std::size_t writeHead(BeWriter& out, const EntryContainerHeader& h) noexcept {
    if (h.hasSetDefs) out.buf15(h.setDefs);
    if (h.hasSummary) out.buf15(h.summary);
    if (h.hasTotalCountHint) out.u30rb(h.totalCountHint);
    const std::size_t countAt = out.size();
    out.u16(0);
    return countAt;
}

/// Action and flags share a byte, so an action has four bits.
void writeEntryHead(BeWriter& out, std::uint8_t action, unsigned flags) noexcept {
    if (action > 15) return out.fail();
    out.u8(static_cast<std::uint8_t>(flags | action));
}

/// Count, and the container flag that says "some entries carry permission data".
[[nodiscard]] Error finish(BeWriter& out, std::size_t flagsAt, std::uint8_t permFlag, std::size_t countAt,
                           std::uint32_t count) noexcept {
    if (count > 0xFFFF) out.fail();
    if (!out.ok()) return {out.failure(), 0};
    *out.at(flagsAt) |= std::byte{permFlag};
    storeBe(out.at(countAt), static_cast<std::uint16_t>(count));
    return {};
}

}  // namespace

// --- Map

void MapEncoder::begin(BeWriter& out, const EntryContainerHeader& header, DataType keyType,
                       const std::int16_t* keyFieldId) noexcept {
    *this = MapEncoder{};
    out_ = &out;
    entryType_ = header.entryType;
    flagsAt_ = out.size();
    out.u8(static_cast<std::uint8_t>(headFlags(header, kHint) | (keyFieldId != nullptr ? kKeyFieldId : 0)));
    out.u8(static_cast<std::uint8_t>(keyType));
    writeContainerType(out, entryType_);
    if (keyFieldId != nullptr) out.u16(static_cast<std::uint16_t>(*keyFieldId));
    countAt_ = writeHead(out, header);
}

/// Everything of an entry that comes before its payload.
void MapEncoder::head(std::uint8_t action, Bytes key, const Bytes* permData) noexcept {
    ++count_;
    writeEntryHead(*out_, action, permData != nullptr ? kEntryPerm : 0);
    if (permData != nullptr) {
        perm_ = true;
        out_->buf15(*permData);
    }
    if (key.empty()) out_->fail();  // a key is never blank (rwf.md 3.4)
    out_->buf15(key);
}

void MapEncoder::add(std::uint8_t action, Bytes key, Bytes payload, const Bytes* permData) noexcept {
    head(action, key, permData);
    if (carriesPayload(action)) out_->buf16(payload);
}

void MapEncoder::beginEntry(std::uint8_t action, Bytes key, const Bytes* permData) noexcept {
    head(action, key, permData);
    slotOpen_ = carriesPayload(action);
    if (slotOpen_) slot_.open(*out_, LengthSlot::Form::u16ob);
}

/// Delete entries have no payload, and no entry has one in a map of NoData.
bool MapEncoder::carriesPayload(std::uint8_t action) const noexcept {
    return action != MapAction::del && entryType_ != DataType::NoData;
}

void MapEncoder::endEntry() noexcept {
    if (std::exchange(slotOpen_, false)) slot_.close(*out_);
}

Error MapEncoder::complete() noexcept {
    return finish(*out_, flagsAt_, perm_ ? kPerEntryPerm : std::uint8_t{0}, countAt_, count_);
}

// --- Vector

void VectorEncoder::begin(BeWriter& out, const EntryContainerHeader& header, bool sortable) noexcept {
    *this = VectorEncoder{};
    out_ = &out;
    entryType_ = header.entryType;
    flagsAt_ = out.size();
    out.u8(static_cast<std::uint8_t>(headFlags(header, kHint) | (sortable ? kSortable : 0)));
    writeContainerType(out, entryType_);
    countAt_ = writeHead(out, header);
}

/// Everything of an entry that comes before its payload.
void VectorEncoder::head(std::uint8_t action, std::uint32_t index, const Bytes* permData) noexcept {
    ++count_;
    writeEntryHead(*out_, action, permData != nullptr ? kEntryPerm : 0);
    out_->u30rb(index);
    if (permData != nullptr) {
        perm_ = true;
        out_->buf15(*permData);
    }
}

/// Clear and Delete entries have no payload, and no entry has one in a vector of NoData.
bool VectorEncoder::carriesPayload(std::uint8_t action) const noexcept {
    return action != VectorAction::clear && action != VectorAction::del && entryType_ != DataType::NoData;
}

void VectorEncoder::add(std::uint8_t action, std::uint32_t index, Bytes payload, const Bytes* permData) noexcept {
    head(action, index, permData);
    if (carriesPayload(action)) out_->buf16(payload);
}

void VectorEncoder::beginEntry(std::uint8_t action, std::uint32_t index, const Bytes* permData) noexcept {
    head(action, index, permData);
    slotOpen_ = carriesPayload(action);
    if (slotOpen_) slot_.open(*out_, LengthSlot::Form::u16ob);
}

void VectorEncoder::endEntry() noexcept {
    if (std::exchange(slotOpen_, false)) slot_.close(*out_);
}

Error VectorEncoder::complete() noexcept {
    return finish(*out_, flagsAt_, perm_ ? kPerEntryPerm : std::uint8_t{0}, countAt_, count_);
}

// --- Series

void SeriesEncoder::begin(BeWriter& out, const EntryContainerHeader& header) noexcept {
    *this = SeriesEncoder{};
    out_ = &out;
    entryType_ = header.entryType;
    out.u8(headFlags(header, kSeriesHint));
    writeContainerType(out, entryType_);
    countAt_ = writeHead(out, header);
}

void SeriesEncoder::add(Bytes payload) noexcept {
    ++count_;
    if (entryType_ != DataType::NoData) out_->buf16(payload);
}

void SeriesEncoder::beginEntry() noexcept {
    ++count_;
    if (entryType_ != DataType::NoData) slot_.open(*out_, LengthSlot::Form::u16ob);
}

void SeriesEncoder::endEntry() noexcept {
    if (entryType_ != DataType::NoData) slot_.close(*out_);
}

Error SeriesEncoder::complete() noexcept {
    if (count_ > 0xFFFF) out_->fail();
    if (!out_->ok()) return {out_->failure(), 0};
    storeBe(out_->at(countAt_), static_cast<std::uint16_t>(count_));
    return {};
}

// --- FilterList

void FilterListEncoder::begin(BeWriter& out, DataType entryType, const std::uint8_t* totalCountHint) noexcept {
    *this = FilterListEncoder{};
    out_ = &out;
    entryType_ = entryType;
    flagsAt_ = out.size();
    out.u8(totalCountHint != nullptr ? kFilterHint : std::uint8_t{0});
    writeContainerType(out, entryType);
    if (totalCountHint != nullptr) out.u8(*totalCountHint);
    countAt_ = out.size();
    out.u8(0);
}

/// Everything of an entry that comes before its payload. Returns whether it has one.
bool FilterListEncoder::head(std::uint8_t action, std::uint8_t id, DataType type, bool ownType,
                             const Bytes* permData) noexcept {
    ++count_;
    ownType = ownType || type != entryType_;
    writeEntryHead(*out_, action, (permData != nullptr ? kEntryPerm : 0) | (ownType ? kEntryOwnType : 0));
    out_->u8(id);
    if (ownType) writeContainerType(*out_, type);
    if (permData != nullptr) {
        perm_ = true;
        out_->buf15(*permData);
    }
    return action != FilterAction::clear && type != DataType::NoData;
}

void FilterListEncoder::add(std::uint8_t action, std::uint8_t id, DataType type, Bytes payload, const Bytes* permData,
                            bool ownType) noexcept {
    if (head(action, id, type, ownType, permData)) out_->buf16(payload);
}

void FilterListEncoder::beginEntry(std::uint8_t action, std::uint8_t id, DataType type, const Bytes* permData,
                                   bool ownType) noexcept {
    slotOpen_ = head(action, id, type, ownType, permData);
    if (slotOpen_) slot_.open(*out_, LengthSlot::Form::u16ob);
}

void FilterListEncoder::endEntry() noexcept {
    if (std::exchange(slotOpen_, false)) slot_.close(*out_);
}

Error FilterListEncoder::complete() noexcept {
    if (count_ > 0xFF) out_->fail();
    if (!out_->ok()) return {out_->failure(), 0};
    if (perm_) *out_->at(flagsAt_) |= std::byte{kFilterPerEntryPerm};
    *out_->at(countAt_) = static_cast<std::byte>(count_);
    return {};
}

// --- Array

namespace {

/// Fixed widths that an item type may have; 0 entries end the list (rwf.md 2.11).
[[nodiscard]] bool fixedLengthAllowed(DataType type, std::uint16_t length) noexcept {
    switch (type) {
    case DataType::Int:
    case DataType::UInt:
        return length == 1 || length == 2 || length == 4 || length == 8;
    case DataType::Float:
    case DataType::Date:
        return length == 4;
    case DataType::Double:
        return length == 8;
    case DataType::Time:
        return length == 3 || length == 5 || length == 7 || length == 8;
    case DataType::DateTime:
        return length == 7 || length == 9 || length == 11 || length == 12;
    case DataType::Enum:
        return length == 1 || length == 2;
    case DataType::Buffer:
    case DataType::AsciiString:
    case DataType::Utf8String:
    case DataType::RmtesString:
        return true;
    default:
        return false;
    }
}

/// Primitive types with a number of today; an array cannot hold arrays.
[[nodiscard]] bool isItemType(DataType t) noexcept {
    const auto n = static_cast<std::uint8_t>(t);
    return n >= 3 && n <= 19 && n != 7 && t != DataType::Array;
}

}  // namespace

bool ArrayEncoder::takes(DataType itemType, std::uint16_t itemLength) noexcept {
    return isItemType(itemType) && (itemLength == 0 || fixedLengthAllowed(itemType, itemLength));
}

void ArrayEncoder::begin(BeWriter& out, DataType itemType, std::uint16_t itemLength) noexcept {
    *this = ArrayEncoder{};
    out_ = &out;
    itemType_ = itemType;
    itemLength_ = itemLength;
    if (!takes(itemType, itemLength)) out.fail();
    out.u8(static_cast<std::uint8_t>(itemType));
    out.u16ob(itemLength);
    countAt_ = out.size();
    out.u16(0);
}

/// An item that does not fit is taken back, so that the array stays as it was.
void ArrayEncoder::add(Bytes content) noexcept {
    const std::size_t before = out_->size();
    writeItem(content);
    if (out_->ok()) ++count_;
    else out_->truncate(before);
}

/// Content in the ordinary form, written in the array's form; the content of a fixed-width item is checked against it.
void ArrayEncoder::writeItem(Bytes content) noexcept {
    if (itemLength_ == 0) return out_->buf16(content);
    switch (itemType_) {
    case DataType::Int: {
        std::int64_t v;
        if (decodeInt(content, v) != Decoded::value || detail::signedWidth(v) > itemLength_) return out_->fail();
        return fixedInteger(static_cast<std::uint64_t>(v));
    }
    case DataType::UInt:
    case DataType::Enum: {
        std::uint64_t v;
        if (decodeUInt(content, v) != Decoded::value || detail::unsignedWidth(v) > itemLength_) return out_->fail();
        return fixedInteger(v);
    }
    case DataType::Time:
    case DataType::DateTime:
        return fixedTime(content);
    case DataType::Buffer:
    case DataType::AsciiString:
    case DataType::Utf8String:
    case DataType::RmtesString:
        if (content.size() > itemLength_) return out_->fail();
        if (std::byte* p = out_->room(itemLength_)) {
            if (!content.empty()) std::memcpy(p, content.data(), content.size());
            std::memset(p + content.size(), 0, itemLength_ - content.size());
            out_->advance(itemLength_);
        }
        return;
    default:
        if (content.size() != itemLength_) return out_->fail();
        return out_->bytes(content);
    }
}

void ArrayEncoder::addUInt(std::uint64_t v) noexcept {
    std::array<std::byte, 8> scratch;
    BeWriter content{scratch};
    encodeUInt(content, v);
    add(content.view());
}

void ArrayEncoder::fixedInteger(std::uint64_t v) noexcept {
    switch (itemLength_) {
    case 1:
        return out_->u8(static_cast<std::uint8_t>(v));
    case 2:
        return out_->u16(static_cast<std::uint16_t>(v));
    case 4:
        return out_->u32(static_cast<std::uint32_t>(v));
    default:
        return out_->write(v);
    }
}

/// The set forms of the same width hold exactly what a fixed item holds (rwf.md 2.11, 2.13).
void ArrayEncoder::fixedTime(Bytes content) noexcept {
    DataType form = DataType::Unknown;
    switch (itemLength_) {
    case 3:
        form = DataType::Time3;
        break;
    case 5:
        form = DataType::Time5;
        break;
    case 7:
        form = itemType_ == DataType::Time ? DataType::Time7 : DataType::DateTime7;
        break;
    case 8:
        form = DataType::Time8;
        break;
    case 9:
        form = DataType::DateTime9;
        break;
    case 11:
        form = DataType::DateTime11;
        break;
    default:
        form = DataType::DateTime12;
        break;
    }
    static_cast<void>(encodeSetValue(*out_, form, content));
}

Error ArrayEncoder::complete() noexcept {
    if (count_ > 0xFFFF) out_->fail();
    if (!out_->ok()) return {out_->failure(), 0};
    storeBe(out_->at(countAt_), static_cast<std::uint16_t>(count_));
    return {};
}

// --- set definitions

void SetDefinitionEncoder::begin(BeWriter& out) noexcept {
    *this = SetDefinitionEncoder{};
    out_ = &out;
    out.u8(0);
    countAt_ = out.size();
    out.u8(0);
}

/// Local definitions have ids 0..15.
void SetDefinitionEncoder::beginSet(std::uint16_t id) noexcept {
    ++count_;
    entries_ = 0;
    if (id > 15) out_->fail();
    out_->u15rb(id);
    entriesAt_ = out_->size();
    out_->u8(0);
}

void SetDefinitionEncoder::field(std::int16_t fieldId, DataType type) noexcept {
    ++entries_;
    out_->u16(static_cast<std::uint16_t>(fieldId));
    out_->u8(static_cast<std::uint8_t>(type));
}

void SetDefinitionEncoder::element(std::string_view name, DataType type) noexcept {
    ++entries_;
    out_->buf15(asBytes(name));
    out_->u8(static_cast<std::uint8_t>(type));
}

void SetDefinitionEncoder::endSet() noexcept {
    if (entries_ > 255) out_->fail();
    if (out_->ok()) *out_->at(entriesAt_) = static_cast<std::byte>(entries_);
}

Error SetDefinitionEncoder::complete() noexcept {
    if (count_ > 15) out_->fail();
    if (!out_->ok()) return {out_->failure(), 0};
    *out_->at(countAt_) = static_cast<std::byte>(count_);
    return {};
}

}  // namespace emissary::eta::codec

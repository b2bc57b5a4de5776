// Reading containers entry by entry (rwf.md section 3). start() reads the header, next() one entry; whatever a length
// says is checked against the bytes that are there, and the first fault ends the walk.
#include "eta/codec/containers.h"

#include "codec/wireTypes.h"

namespace emissary::eta::codec {

namespace {

// Flag bits of FieldList and ElementList (rwf.md 3.2, 3.3).
constexpr unsigned kInfo = 0x01, kSetData = 0x02, kSetId = 0x04, kStandard = 0x08;
// Flag bits of Map and Vector; Series differs in the hint (rwf.md 3.4 - 3.6).
constexpr unsigned kSetDefs = 0x01, kSummary = 0x02, kPerEntryPerm = 0x04, kHint = 0x08, kSeriesHint = 0x04,
                   kKeyFieldId = 0x10;
/// Flag bits of FilterList (rwf.md 3.7).
constexpr unsigned kFilterPerEntryPerm = 0x01, kFilterHint = 0x02;
/// Flags of one entry, in the upper half of the byte that holds its action.
constexpr unsigned kEntryPerm = 0x1, kEntryOwnType = 0x2;

/// Permission data of an entry, where the head of the container and its own say that there is some.
template <class Entry>
void readPermData(BeReader& in, bool perEntry, unsigned head, Entry& out) noexcept {
    out.hasPermData = perEntry && (head >> 4 & kEntryPerm) != 0;
    out.permData = out.hasPermData ? in.buf15() : Bytes{};
}

/// Signed relative of u15rb: bit 0x40 of the first byte is the sign (rwf.md 1.3).
[[nodiscard]] std::int16_t readI15rb(BeReader& in) noexcept {
    const unsigned first = in.u8();
    if (first < 0x80) return static_cast<std::int16_t>((first ^ 0x40) - 0x40);
    const int value = static_cast<int>((first & 0x7F) << 8 | in.u8());
    return static_cast<std::int16_t>((value ^ 0x4000) - 0x4000);
}

/// Reads set data and the standard count, which both kinds of list have behind the info, and returns the set data. The
/// numbers are the decoder's own members: returned in a struct they went through memory in one piece, and the processor
/// waited 4 ns for the two halves in every list.
[[nodiscard]] Bytes readListBody(BeReader& in, unsigned flags, std::uint16_t& setId,
                                 std::uint16_t& standardCount) noexcept {
    Bytes setData;
    if ((flags & kSetData) != 0) {
        if ((flags & kSetId) != 0) setId = in.u15rb();
        // Without standard data it reaches to the end of the list and has no length.
        setData = (flags & kStandard) != 0 ? in.buf15() : in.rest();
    }
    if ((flags & kStandard) != 0) standardCount = in.u16();
    return setData;
}

/// Null when the container around the list has no definition of this kind and id.
[[nodiscard]] const SetDefinition* findSet(const SetDefinitionDb* sets, SetDefinitionDb::Kind kind,
                                           std::uint16_t id) noexcept {
    return sets != nullptr && sets->kind() == kind ? sets->find(id) : nullptr;
}

/// Primitive types, old numbers included, but not arrays: what keys and items of arrays may be.
[[nodiscard]] bool isKeyType(std::uint8_t t) noexcept {
    return (t >= 1 && t <= 14) || (t >= 16 && t <= 19);
}

}  // namespace

// --- FieldList

Error FieldListDecoder::start(Bytes in, const SetDefinitionDb* sets) noexcept {
    standard_ = BeReader{in};
    set_.reset();
    error_ = {};
    left_ = setId_ = standardCount_ = 0;
    dictionaryId_ = 1;
    fieldListNum_ = 0;
    flags_ = 0;
    setSkipped_ = false;
    if (in.empty()) return {};
    flags_ = standard_.u8();
    if ((flags_ & kInfo) != 0) {
        BeReader info{standard_.take(standard_.u8())};
        dictionaryId_ = readI15rb(info);
        fieldListNum_ = static_cast<std::int16_t>(info.u16());
        if (!info.ok()) standard_.fail();
    }
    const Bytes setData = readListBody(standard_, flags_, setId_, standardCount_);
    if (!standard_.ok()) return error_ = standard_.error();
    left_ = standardCount_;
    if ((flags_ & kSetData) == 0) return {};
    if (const SetDefinition* set = findSet(sets, SetDefinitionDb::Kind::fields, setId_)) {
        set_.emplace(detail::SetPart{BeReader{setData}, set->entries()});
        left_ = 0;  // until the set data has been read
    } else {
        setSkipped_ = true;
    }
    return {};
}

/// The next value of the set data; its id and type are in the definition. False at the end of the set data.
bool FieldListDecoder::nextSet(FieldEntry& out) noexcept {
    SetEntry entry;
    if (!set_->definition.next(entry)) return set_.reset(), false;
    if (!nextSetValue(set_->data, entry.type, out.data).ok()) return fail(Errc::truncated), false;
    out.fieldId = entry.fieldId;
    out.setType = entry.type;
    return true;
}

/// Everything that the inline path leaves: set data, contents with a long length, and the end.
bool FieldListDecoder::nextOther(FieldEntry& out) noexcept {
    if (set_) {
        if (nextSet(out)) return true;
        if (!error_.ok()) return false;
        left_ = standardCount_;
        return next(out);
    }
    if (left_ == 0) return false;
    --left_;
    out.fieldId = static_cast<std::int16_t>(standard_.u16());
    out.data = standard_.buf16();
    out.setType = DataType::Unknown;
    if (!standard_.ok()) return fail(Errc::truncated), false;
    return true;
}

void FieldListDecoder::fail(Errc code) noexcept {
    error_ = {code, static_cast<std::uint32_t>(standard_.offset())};
    left_ = 0;
    set_.reset();
}

// --- ElementList

Error ElementListDecoder::start(Bytes in, const SetDefinitionDb* sets) noexcept {
    standard_ = BeReader{in};
    set_.reset();
    error_ = {};
    left_ = setId_ = standardCount_ = 0;
    elementListNum_ = 0;
    flags_ = 0;
    setSkipped_ = false;
    if (in.empty()) return {};
    flags_ = standard_.u8();
    if ((flags_ & kInfo) != 0) {
        BeReader info{standard_.take(standard_.u8())};
        elementListNum_ = static_cast<std::int16_t>(info.u16());
        if (!info.ok()) standard_.fail();
    }
    const Bytes setData = readListBody(standard_, flags_, setId_, standardCount_);
    if (!standard_.ok()) return error_ = standard_.error();
    left_ = standardCount_;
    if ((flags_ & kSetData) == 0) return {};
    if (const SetDefinition* set = findSet(sets, SetDefinitionDb::Kind::elements, setId_)) {
        set_.emplace(detail::SetPart{BeReader{setData}, set->entries()});
    } else {
        setSkipped_ = true;
    }
    return {};
}

/// The next value of the set data; its name and type are in the definition.
bool ElementListDecoder::nextSet(ElementEntry& out) noexcept {
    SetEntry entry;
    if (!set_->definition.next(entry)) return set_.reset(), false;
    if (!nextSetValue(set_->data, entry.type, out.data).ok()) return fail(Errc::truncated), false;
    out.name = entry.name;
    out.setType = entry.type;
    out.type = baseType(entry.type);
    return true;
}

bool ElementListDecoder::next(ElementEntry& out) noexcept {
    if (set_) {
        if (nextSet(out)) return true;
        if (!error_.ok()) return false;
    }
    if (left_ == 0) return false;
    --left_;
    out.name = standard_.buf15();
    out.setType = DataType::Unknown;
    out.type = baseType(static_cast<DataType>(standard_.u8()));
    out.data = out.type == DataType::NoData ? Bytes{} : standard_.buf16();
    if (!standard_.ok()) return fail(Errc::truncated), false;
    return true;
}

void ElementListDecoder::fail(Errc code) noexcept {
    error_ = {code, static_cast<std::uint32_t>(standard_.offset())};
    left_ = 0;
    set_.reset();
}

// --- Map, Vector, Series

void EntryContainerDecoder::reset() noexcept {
    in_ = BeReader{};
    sets_.reset();
    summary_ = setBytes_ = {};
    error_ = {};
    hint_ = 0;
    count_ = left_ = 0;
    entryType_ = DataType::NoData;
    flags_ = 0;
    hasSummary_ = hasHint_ = false;
}

/// Local set definitions; only containers of lists may have them. Offsets of faults count from the container's start.
Error EntryContainerDecoder::readSetDefs() noexcept {
    setBytes_ = in_.buf15();
    if (!in_.ok()) return in_.error();
    const bool fields = entryType_ == DataType::FieldList;
    if (!fields && entryType_ != DataType::ElementList) return {Errc::unsupportedType, 0};
    Error e =
        sets_.emplace().decode(setBytes_, fields ? SetDefinitionDb::Kind::fields : SetDefinitionDb::Kind::elements);
    if (e.ok()) return e;
    sets_.reset();
    e.offset += static_cast<std::uint32_t>(in_.offset() - setBytes_.size());
    return e;
}

/// The part of the header that Map, Vector and Series share: definitions, summary, hint and count, in this order.
Error EntryContainerDecoder::readHead(std::uint8_t hintFlag) noexcept {
    if ((flags_ & kSetDefs) != 0) {
        if (const Error e = readSetDefs(); !e.ok()) return error_ = e;
    }
    if ((flags_ & kSummary) != 0) {
        hasSummary_ = true;
        summary_ = in_.buf15();
    }
    if ((flags_ & hintFlag) != 0) {
        hasHint_ = true;
        hint_ = in_.u30rb();
    }
    count_ = left_ = in_.u16();
    if (!in_.ok()) {
        left_ = 0;
        error_ = in_.error();
    }
    return error_;
}

void EntryContainerDecoder::fail(Errc code) noexcept {
    error_ = {code, static_cast<std::uint32_t>(in_.offset())};
    left_ = 0;
}

Error MapDecoder::start(Bytes in) noexcept {
    reset();
    keyType_ = DataType::Buffer;
    keyFieldId_ = 0;
    if (in.empty()) return {};
    in_ = BeReader{in};
    flags_ = in_.u8();
    const std::uint8_t key = in_.u8();
    const bool scaled = readContainerType(in_, entryType_);
    if (!in_.ok()) return error_ = in_.error();
    if (!isKeyType(key)) return error_ = {Errc::unsupportedType, 1};
    if (!scaled) return error_ = {Errc::unsupportedType, 2};
    keyType_ = baseType(static_cast<DataType>(key));
    if ((flags_ & kKeyFieldId) != 0) keyFieldId_ = static_cast<std::int16_t>(in_.u16());
    return readHead(kHint);
}

/// Delete entries have no payload, and no entry has one in a map of NoData (rwf.md 3.4).
bool MapDecoder::next(MapEntry& out) noexcept {
    if (left_ == 0) return false;
    --left_;
    const unsigned head = in_.u8();
    out.action = head & 0x0F;
    readPermData(in_, (flags_ & kPerEntryPerm) != 0, head, out);
    out.key = in_.buf15();
    const bool payload = out.action != MapAction::del && entryType_ != DataType::NoData;
    out.data = payload ? in_.buf16() : Bytes{};
    if (!in_.ok()) return fail(Errc::truncated), false;
    return true;
}

Error VectorDecoder::start(Bytes in) noexcept {
    reset();
    if (in.empty()) return {};
    in_ = BeReader{in};
    flags_ = in_.u8();
    if (!readContainerType(in_, entryType_)) return error_ = {Errc::unsupportedType, 1};
    return readHead(kHint);
}

/// Clear and Delete entries have no payload (rwf.md 3.5).
bool VectorDecoder::next(VectorEntry& out) noexcept {
    if (left_ == 0) return false;
    --left_;
    const unsigned head = in_.u8();
    out.action = head & 0x0F;
    out.index = in_.u30rb();
    readPermData(in_, (flags_ & kPerEntryPerm) != 0, head, out);
    const bool payload =
        out.action != VectorAction::clear && out.action != VectorAction::del && entryType_ != DataType::NoData;
    out.data = payload ? in_.buf16() : Bytes{};
    if (!in_.ok()) return fail(Errc::truncated), false;
    return true;
}

Error SeriesDecoder::start(Bytes in) noexcept {
    reset();
    if (in.empty()) return {};
    in_ = BeReader{in};
    flags_ = in_.u8();
    if (!readContainerType(in_, entryType_)) return error_ = {Errc::unsupportedType, 1};
    return readHead(kSeriesHint);
}

bool SeriesDecoder::next(SeriesEntry& out) noexcept {
    if (left_ == 0) return false;
    --left_;
    out.data = entryType_ == DataType::NoData ? Bytes{} : in_.buf16();
    if (!in_.ok()) return fail(Errc::truncated), false;
    return true;
}

// --- FilterList

Error FilterListDecoder::start(Bytes in) noexcept {
    *this = FilterListDecoder{};
    if (in.empty()) return {};
    in_ = BeReader{in};
    flags_ = in_.u8();
    if (!readContainerType(in_, entryType_)) return error_ = {Errc::unsupportedType, 1};
    if ((flags_ & kFilterHint) != 0) hint_ = in_.u8();
    count_ = left_ = in_.u8();
    return error_ = in_.error();
}

/// An entry may name a type of its own; Clear entries have no payload (rwf.md 3.7).
bool FilterListDecoder::next(FilterEntry& out) noexcept {
    if (left_ == 0) return false;
    --left_;
    const unsigned head = in_.u8();
    out.action = head & 0x0F;
    out.id = in_.u8();
    out.ownType = (head >> 4 & kEntryOwnType) != 0;
    out.type = entryType_;
    if (out.ownType && !readContainerType(in_, out.type)) {
        error_ = {Errc::unsupportedType, static_cast<std::uint32_t>(in_.offset())};
        left_ = 0;
        return false;
    }
    readPermData(in_, (flags_ & kFilterPerEntryPerm) != 0, head, out);
    const bool payload = out.action != FilterAction::clear && out.type != DataType::NoData;
    out.data = payload ? in_.buf16() : Bytes{};
    if (in_.ok()) return true;
    error_ = in_.error();
    left_ = 0;
    return false;
}

// --- Array

Error ArrayDecoder::start(Bytes in) noexcept {
    *this = ArrayDecoder{};
    if (in.empty()) return blank_ = true, Error{};
    in_ = BeReader{in};
    const std::uint8_t type = in_.u8();
    itemLength_ = in_.u16ob();
    count_ = left_ = in_.u16();
    if (!in_.ok()) return left_ = 0, error_ = in_.error();
    if (!isKeyType(type)) return left_ = 0, error_ = Error{Errc::unsupportedType, 0};
    itemType_ = baseType(static_cast<DataType>(type));
    return {};
}

/// Items of an array with a fixed width follow each other without lengths (rwf.md 2.11).
bool ArrayDecoder::next(Bytes& item) noexcept {
    if (left_ == 0) return false;
    --left_;
    item = itemLength_ != 0 ? in_.take(itemLength_) : in_.buf16();
    if (in_.ok()) return true;
    error_ = in_.error();
    left_ = 0;
    return false;
}

}  // namespace emissary::eta::codec

// Writing FieldList and ElementList, with standard data, set data or both (rwf.md 3.2, 3.3), the compact forms of set
// data (rwf.md 2.13), and lengths that are patched behind their content.
#include "eta/codec/encoders.h"

namespace emissary::eta::codec {

namespace {

constexpr std::uint8_t kInfo = 0x01, kSetData = 0x02, kSetId = 0x04, kStandard = 0x08;

/// Only the forms that every peer reads alike: 0..63 in one byte, other non-negative values in two (rwf.md 1.3).
void writeI15rb(BeWriter& out, std::int16_t v) noexcept {
    if (v < -16384 || v > 16383) return out.fail();
    if (v >= -64 && v < 64) return out.u8(static_cast<std::uint8_t>(v & 0x7F));
    out.u16(static_cast<std::uint16_t>(0x8000 | (v & 0x7FFF)));
}

/// The info has a length of its own: 3 bytes with a short dictionary id, else 4.
void writeInfo(BeWriter& out, FieldListEncoder::Info info) noexcept {
    const bool oneByte = info.dictionaryId >= -64 && info.dictionaryId < 64;
    out.u8(oneByte ? 3 : 4);
    writeI15rb(out, info.dictionaryId);
    out.u16(static_cast<std::uint16_t>(info.fieldListNum));
}

void writeInfo(BeWriter& out, std::int16_t elementListNum) noexcept {
    out.u8(2);
    out.u16(static_cast<std::uint16_t>(elementListNum));
}

[[nodiscard]] std::uint8_t setFlags(bool info, bool writeSetId, bool standardFollows) noexcept {
    return static_cast<std::uint8_t>(kSetData | (info ? kInfo : 0) | (writeSetId ? kSetId : 0) |
                                     (standardFollows ? kStandard : 0));
}

/// Leaves room for the entry count and remembers where.
[[nodiscard]] std::size_t reserveCount(BeWriter& out) noexcept {
    const std::size_t at = out.size();
    out.u16(0);
    return at;
}

/// True when standard entries lie inside the set data (endSet() is missing), or have no place at all.
[[nodiscard]] bool isMisplaced(bool setOpen, bool standard, std::uint32_t count) noexcept {
    return count != 0 && (setOpen || !standard);
}

[[nodiscard]] Error finish(BeWriter& out, bool standard, std::size_t countAt, std::uint32_t count) noexcept {
    if (count > 0xFFFF) out.fail();
    if (!out.ok()) return {out.failure(), 0};
    if (standard) storeBe(out.at(countAt), static_cast<std::uint16_t>(count));
    return {};
}

/// The head of a list with set data, and room for their length where standard data follow.
template <class Info>
void writeSetHead(BeWriter& out, const Info* info, const SetDefinition& set, bool writeSetId, bool standardFollows,
                  LengthSlot& length) noexcept {
    out.u8(setFlags(info != nullptr, writeSetId, standardFollows));
    if (info != nullptr) writeInfo(out, *info);
    if (writeSetId) out.u15rb(set.id());
    if (standardFollows) length.open(out, LengthSlot::Form::u15rb);
}

/// The end of set data that standard data follow, where it has not been written; `countAt` is theirs.
void writeSetEnd(BeWriter& out, bool& open, LengthSlot& length, std::size_t& countAt) noexcept {
    if (!open) return;
    open = false;
    length.close(out);
    countAt = reserveCount(out);
}

// --- set forms (rwf.md 2.13)

/// An integer in exactly `width` bytes; a value that needs more is outOfRange, and so is a blank.
void writeSetInt(BeWriter& out, Bytes content, std::size_t width) noexcept {
    std::int64_t v;
    if (decodeInt(content, v) != Decoded::value || detail::signedWidth(v) > width) return out.fail();
    switch (width) {
    case 1:
        return out.u8(static_cast<std::uint8_t>(v));
    case 2:
        return out.u16(static_cast<std::uint16_t>(v));
    case 4:
        return out.u32(static_cast<std::uint32_t>(v));
    default:
        return out.write(static_cast<std::uint64_t>(v));
    }
}

/// A value of a set definition that has a fixed width in bytes; one that does not fit, or is blank, fails the writer.
void writeSetUInt(BeWriter& out, Bytes content, std::size_t width) noexcept {
    std::uint64_t v;
    if (decodeUInt(content, v) != Decoded::value || detail::unsignedWidth(v) > width) return out.fail();
    switch (width) {
    case 1:
        return out.u8(static_cast<std::uint8_t>(v));
    case 2:
        return out.u16(static_cast<std::uint16_t>(v));
    case 4:
        return out.u32(static_cast<std::uint32_t>(v));
    default:
        return out.write(v);
    }
}

/// `step` bytes of mantissa per selector step: 1 for the four-byte form, 2 for the eight-byte one, whose widths are
/// 2, 4, 6, 8.
void writeSetReal(BeWriter& out, Bytes content, std::size_t step) noexcept {
    Real v;
    const Decoded outcome = decodeReal(content, v);
    if (outcome == Decoded::blank) return out.u8(0x20);
    if (outcome == Decoded::malformed || v.hint > 30) return out.fail();
    const std::size_t steps = (detail::signedWidth(v.mantissa) + step - 1) / step;
    if (steps > 4) return out.fail();
    out.u8(static_cast<std::uint8_t>((steps - 1) << 6 | v.hint));
    const std::size_t width = steps * step;
    if (std::byte* p = out.room(width)) {
        for (std::size_t i = 0; i < width; ++i)
            p[i] = static_cast<std::byte>(static_cast<std::uint64_t>(v.mantissa) >> 8 * (width - 1 - i) & 0xFF);
        out.advance(width);
    }
}

/// Widens or narrows a time to a form's width, in eight bytes of which the first `width` count; narrowing must not
/// lose anything.
[[nodiscard]] bool putTime(std::byte* p, const Time& v, bool blank, std::size_t width) noexcept {
    if (v.microsecond > 2047 || v.nanosecond > 2047) return false;
    const bool lossy =
        (width < 8 && v.nanosecond != 0) || (width < 7 && v.microsecond != 0) || (width < 5 && v.millisecond != 0);
    if (lossy && !blank) return false;
    const unsigned nanosecond = width == 8 ? v.nanosecond : 0u;
    storeBe(p, detail::packTime(v.hour, v.minute, v.second, v.millisecond, v.microsecond, nanosecond));
    return true;
}

void writeSetTime(BeWriter& out, Bytes content, std::size_t width) noexcept {
    Time v;
    if (decodeTime(content, v) == Decoded::malformed) return out.fail();
    std::array<std::byte, 8> form;
    if (!putTime(form.data(), v, v.blank(), width)) return out.fail();
    out.bytes(Bytes{form}.first(width));
}

void writeSetDate(BeWriter& out, Bytes content) noexcept {
    Date v;
    if (decodeDate(content, v) == Decoded::malformed) return out.fail();
    encodeDate(out, v);
}

void writeSetDateTime(BeWriter& out, Bytes content, std::size_t width) noexcept {
    DateTime v;
    if (decodeDateTime(content, v) == Decoded::malformed) return out.fail();
    std::array<std::byte, 8> form;
    if (!putTime(form.data(), v.time, v.time.blank(), width - 4)) return out.fail();
    encodeDate(out, v.date);
    out.bytes(Bytes{form}.first(width - 4));
}

void writeSetFixed(BeWriter& out, Bytes content, std::size_t width) noexcept {
    if (content.size() != width) return out.fail();
    out.bytes(content);
}

}  // namespace

Error encodeSetValue(BeWriter& out, DataType type, Bytes content) noexcept {
    switch (type) {
    case DataType::Int1:
        writeSetInt(out, content, 1);
        break;
    case DataType::Int2:
        writeSetInt(out, content, 2);
        break;
    case DataType::Int4:
        writeSetInt(out, content, 4);
        break;
    case DataType::Int8:
        writeSetInt(out, content, 8);
        break;
    case DataType::UInt1:
        writeSetUInt(out, content, 1);
        break;
    case DataType::UInt2:
        writeSetUInt(out, content, 2);
        break;
    case DataType::UInt4:
        writeSetUInt(out, content, 4);
        break;
    case DataType::UInt8:
        writeSetUInt(out, content, 8);
        break;
    case DataType::Float4:
        writeSetFixed(out, content, 4);
        break;
    case DataType::Double8:
        writeSetFixed(out, content, 8);
        break;
    case DataType::Real4RB:
        writeSetReal(out, content, 1);
        break;
    case DataType::Real8RB:
        writeSetReal(out, content, 2);
        break;
    case DataType::Date4:
        writeSetDate(out, content);
        break;
    case DataType::Time3:
        writeSetTime(out, content, 3);
        break;
    case DataType::Time5:
        writeSetTime(out, content, 5);
        break;
    case DataType::Time7:
        writeSetTime(out, content, 7);
        break;
    case DataType::Time8:
        writeSetTime(out, content, 8);
        break;
    case DataType::DateTime7:
        writeSetDateTime(out, content, 7);
        break;
    case DataType::DateTime9:
        writeSetDateTime(out, content, 9);
        break;
    case DataType::DateTime11:
        writeSetDateTime(out, content, 11);
        break;
    case DataType::DateTime12:
        writeSetDateTime(out, content, 12);
        break;
    default:
        if (static_cast<std::uint8_t>(type) <= static_cast<std::uint8_t>(DataType::Qos)) out.buf8(content);
        else out.buf16(content);
        break;
    }
    return {out.failure(), 0};
}

// --- LengthSlot

void LengthSlot::open(BeWriter& out, Form form) noexcept {
    form_ = form;
    at_ = out.size();
    const std::size_t reserved = form == Form::u16ob ? 3 : 2;
    if (out.room(reserved) != nullptr) out.advance(reserved);
}

void LengthSlot::close(BeWriter& out) noexcept {
    if (!out.ok()) return;
    const std::size_t reserved = form_ == Form::u16ob ? 3 : 2;
    const std::size_t length = out.size() - at_ - reserved;
    const std::size_t shortLimit = form_ == Form::u16ob ? 0xFE : 0x80;
    if (length > (form_ == Form::u16ob ? 0xFFFFu : 0x7FFFu)) return out.fail();
    std::byte* p = out.at(at_);
    if (length < shortLimit) {
        p[0] = static_cast<std::byte>(length);
        std::memmove(p + 1, p + reserved, length);
        out.truncate(at_ + 1 + length);
    } else if (form_ == Form::u16ob) {
        p[0] = std::byte{0xFE};
        storeBe(p + 1, static_cast<std::uint16_t>(length));
    } else {
        storeBe(p, static_cast<std::uint16_t>(0x8000 | length));
    }
}

// --- FieldList

void FieldListEncoder::begin(BeWriter& out, Info info) noexcept {
    *this = FieldListEncoder{};
    out_ = &out;
    standard_ = true;
    out.u8(kInfo | kStandard);
    writeInfo(out, info);
    countAt_ = reserveCount(out);
}

void FieldListEncoder::beginEmpty(BeWriter& out, const Info* info) noexcept {
    *this = FieldListEncoder{};
    out_ = &out;
    out.u8(info != nullptr ? kInfo : std::uint8_t{0});
    if (info != nullptr) writeInfo(out, *info);
}

void FieldListEncoder::beginSet(BeWriter& out, const Info* info, const SetDefinition& set, bool writeSetId,
                                bool standardFollows) noexcept {
    *this = FieldListEncoder{};
    out_ = &out;
    standard_ = setOpen_ = standardFollows;
    writeSetHead(out, info, set, writeSetId, standardFollows, setSlot_);
}

Error FieldListEncoder::addSetValue(DataType setType, Bytes baseContent) noexcept {
    return encodeSetValue(*out_, setType, baseContent);
}

void FieldListEncoder::endSet() noexcept {
    writeSetEnd(*out_, setOpen_, setSlot_, countAt_);
}

/// Set data, no data, and everything that is refused.
Error FieldListEncoder::completeOther() noexcept {
    if (isMisplaced(setOpen_, standard_, count_)) return out_->fail(), Error{Errc::usage, 0};
    endSet();
    return finish(*out_, standard_, countAt_, count_);
}

// --- ElementList

void ElementListEncoder::begin(BeWriter& out) noexcept {
    *this = ElementListEncoder{};
    out_ = &out;
    standard_ = true;
    out.u8(kStandard);
    countAt_ = reserveCount(out);
}

void ElementListEncoder::begin(BeWriter& out, std::int16_t elementListNum) noexcept {
    *this = ElementListEncoder{};
    out_ = &out;
    standard_ = true;
    out.u8(kInfo | kStandard);
    writeInfo(out, elementListNum);
    countAt_ = reserveCount(out);
}

void ElementListEncoder::beginEmpty(BeWriter& out, const std::int16_t* elementListNum) noexcept {
    *this = ElementListEncoder{};
    out_ = &out;
    out.u8(elementListNum != nullptr ? kInfo : std::uint8_t{0});
    if (elementListNum != nullptr) writeInfo(out, *elementListNum);
}

void ElementListEncoder::beginSet(BeWriter& out, const std::int16_t* elementListNum, const SetDefinition& set,
                                  bool writeSetId, bool standardFollows) noexcept {
    *this = ElementListEncoder{};
    out_ = &out;
    standard_ = setOpen_ = standardFollows;
    writeSetHead(out, elementListNum, set, writeSetId, standardFollows, setSlot_);
}

void ElementListEncoder::element(std::string_view name, DataType type) noexcept {
    ++count_;
    out_->buf15(asBytes(name));
    out_->u8(static_cast<std::uint8_t>(type));
}

void ElementListEncoder::add(std::string_view name, DataType type, Bytes content) noexcept {
    element(name, type);
    if (type != DataType::NoData) out_->buf16(content);
}

Error ElementListEncoder::addSetValue(DataType setType, Bytes baseContent) noexcept {
    return encodeSetValue(*out_, setType, baseContent);
}

void ElementListEncoder::endSet() noexcept {
    writeSetEnd(*out_, setOpen_, setSlot_, countAt_);
}

Error ElementListEncoder::complete() noexcept {
    if (isMisplaced(setOpen_, standard_, count_)) return out_->fail(), Error{Errc::usage, 0};
    endSet();
    return finish(*out_, standard_, countAt_, count_);
}

}  // namespace emissary::eta::codec

// Primitive values: content bytes (no length prefix) to values and back (rwf.md section 2).
//
// What an update carries most (Int, UInt, Real, Enum, Date, Time) is inline: its cost is a handful of instructions and
// a call would double it.
#pragma once

#include "emissary/wire_numbers.h"
#include "eta/codec/Types.h"
#include "eta/core/byte_order.h"

namespace emissary::eta::codec {

namespace detail {

// The shortest forms of numbers and times (rwf.md 1.7, 2.7): how many bytes (emissary/wire_numbers.h), and one wide
// store that writes them.
using wire_numbers::packDate;
using wire_numbers::packTime;
using wire_numbers::signedWidth;
using wire_numbers::timeWidth;
using wire_numbers::unsignedWidth;

/// The low n bytes of v as an 8-byte store whose first n bytes count; needs 8 writable bytes.
inline void storeWide(std::byte* p, std::uint64_t v, std::size_t n) noexcept {
    storeBe(p, v << (64 - 8 * n));
}

/// 1..8 big-endian bytes, zero-extended: two overlapping loads, no byte loop and nothing read past n.
[[nodiscard]] inline std::uint64_t loadUnsigned(const std::byte* p, std::size_t n) noexcept {
    if (n >= 4) {
        const std::uint64_t high = loadBe<std::uint32_t>(p);
        return high << (8 * (n - 4)) | loadBe<std::uint32_t>(p + n - 4);
    }
    if (n == 1) return loadBe<std::uint8_t>(p);
    const std::uint64_t high = loadBe<std::uint16_t>(p);
    return high << (8 * (n - 2)) | loadBe<std::uint16_t>(p + n - 2);
}

/// The same, sign-extended from the top byte.
[[nodiscard]] inline std::int64_t loadSigned(const std::byte* p, std::size_t n) noexcept {
    const auto unused = static_cast<unsigned>(64 - 8 * n);
    return static_cast<std::int64_t>(loadUnsigned(p, n) << unused) >> unused;
}

// Exact writers for a block with less than a wide store of space left (out of line).
/// encodeInt(), encodeUInt() and their prefixed forms for a nearly full block.
void encodeIntegerSlow(BeWriter& out, std::uint64_t v, std::size_t width, bool prefixed) noexcept;
/// encodeReal() for a nearly full block and for hints above 30.
void encodeRealSlow(BeWriter& out, const Real& v, bool prefixed) noexcept;

}  // namespace detail

// --- decoding: `in` is exactly the content. Length 0 is blank for every type. On Decoded::malformed `out` is
// untouched; on blank it holds the type's blank value (0, Date{}, Time::blankTime() ...). Never reads past `in`.

/// 1..8 bytes.
[[nodiscard]] inline Decoded decodeInt(Bytes in, std::int64_t& out) noexcept {
    if (in.size() - 1 < 8) [[likely]] {
        out = detail::loadSigned(in.data(), in.size());
        return Decoded::value;
    }
    if (!in.empty()) return Decoded::malformed;
    out = 0;
    return Decoded::blank;
}

/// 1..8 bytes.
[[nodiscard]] inline Decoded decodeUInt(Bytes in, std::uint64_t& out) noexcept {
    if (in.size() - 1 < 8) [[likely]] {
        out = detail::loadUnsigned(in.data(), in.size());
        return Decoded::value;
    }
    if (!in.empty()) return Decoded::malformed;
    out = 0;
    return Decoded::blank;
}

/// 1 or 2 bytes.
[[nodiscard]] inline Decoded decodeEnum(Bytes in, std::uint16_t& out) noexcept {
    if (in.size() == 2) out = loadBe<std::uint16_t>(in.data());
    else if (in.size() == 1) out = loadBe<std::uint8_t>(in.data());
    else if (in.empty()) return out = 0, Decoded::blank;
    else return Decoded::malformed;
    return Decoded::value;
}

/// 4 bytes.
[[nodiscard]] inline Decoded decodeFloat(Bytes in, float& out) noexcept {
    if (in.size() == 4) return out = std::bit_cast<float>(loadBe<std::uint32_t>(in.data())), Decoded::value;
    if (!in.empty()) return Decoded::malformed;
    return out = 0, Decoded::blank;
}

/// 8 bytes.
[[nodiscard]] inline Decoded decodeDouble(Bytes in, double& out) noexcept {
    if (in.size() == 8) return out = std::bit_cast<double>(loadBe<std::uint64_t>(in.data())), Decoded::value;
    if (!in.empty()) return Decoded::malformed;
    return out = 0, Decoded::blank;
}

/// Everything but "hint 0..30 and a mantissa of 1..8 bytes".
[[nodiscard]] Decoded decodeRealOther(Bytes in, Real& out) noexcept;

/// A hint byte and a mantissa of 1..8 bytes; hints 33..35 alone (rwf.md 2.5).
[[nodiscard]] inline Decoded decodeReal(Bytes in, Real& out) noexcept {
    if (in.size() - 2 < 8) [[likely]] {
        const auto hint = static_cast<std::uint8_t>(loadBe<std::uint8_t>(in.data()) & 0x3F);
        if (hint <= 30) [[likely]] {
            out.mantissa = detail::loadSigned(in.data() + 1, in.size() - 1);
            out.hint = hint;
            return Decoded::value;
        }
    }
    return decodeRealOther(in, out);
}

/// 4 bytes; all zero is blank.
[[nodiscard]] inline Decoded decodeDate(Bytes in, Date& out) noexcept {
    if (in.size() != 4) {
        if (!in.empty()) return Decoded::malformed;
        return out = Date{}, Decoded::blank;
    }
    const auto raw = loadBe<std::uint32_t>(in.data());
    out.day = static_cast<std::uint8_t>(raw >> 24);
    out.month = static_cast<std::uint8_t>(raw >> 16);
    out.year = static_cast<std::uint16_t>(raw);
    return raw == 0 ? Decoded::blank : Decoded::value;
}

/// 2, 3, 5, 7 or 8 bytes; blank when every part is (rwf.md 2.7).
[[nodiscard]] inline Decoded decodeTime(Bytes in, Time& out) noexcept {
    const std::byte* p = in.data();
    Time t;
    std::uint32_t marked;  // all ones while every member present holds its blank marker
    switch (in.size()) {
    case 0:
        out = Time::blankTime();
        return Decoded::blank;
    case 2:
        marked = 0xFFFF0000u | loadBe<std::uint16_t>(p);
        break;
    case 3:
        marked = 0xFF000000u | static_cast<std::uint32_t>(loadBe<std::uint16_t>(p)) << 8 | loadBe<std::uint8_t>(p + 2);
        break;
    case 5:
    case 7:
    case 8:
        marked = loadBe<std::uint32_t>(p);
        break;
    default:
        return Decoded::malformed;
    }
    t.hour = loadBe<std::uint8_t>(p);
    t.minute = loadBe<std::uint8_t>(p + 1);
    if (in.size() > 2) t.second = loadBe<std::uint8_t>(p + 2);
    if (in.size() > 3) {
        t.millisecond = loadBe<std::uint16_t>(p + 3);
        if (t.millisecond != 0xFFFF) marked = 0;
    }
    if (in.size() == 7) {
        t.microsecond = loadBe<std::uint16_t>(p + 5);
        if (t.microsecond != 2047) marked = 0;
    } else if (in.size() == 8) {
        const auto packed = loadBe<std::uint16_t>(p + 5);
        t.microsecond = packed & 0x07FF;
        t.nanosecond = static_cast<std::uint16_t>(((packed & 0x3800) >> 3) + loadBe<std::uint8_t>(p + 7));
        if (t.microsecond != 2047 || t.nanosecond != 2047) marked = 0;
    }
    if (marked == 0xFFFFFFFFu) [[unlikely]]
        return out = Time::blankTime(), Decoded::blank;
    out = t;
    return Decoded::value;
}

[[nodiscard]] Decoded decodeDateTime(Bytes in, DateTime& out) noexcept;  ///< date and time bytes together (rwf.md 2.8)
[[nodiscard]] Decoded decodeQos(Bytes in, Qos& out) noexcept;            ///< rwf.md 2.9
/// A state (rwf.md 2.10); its text borrows `in`.
[[nodiscard]] Decoded decodeState(Bytes in, State& out) noexcept;  // text borrows `in`
/// Buffer and strings: blank when empty, never malformed.
[[nodiscard]] inline Decoded decodeBuffer(Bytes in, Bytes& out) noexcept {
    out = in;
    return in.empty() ? Decoded::blank : Decoded::value;
}

// Qos and State inside a message header have no length of their own; failure latches in the reader.
void readQos(BeReader& in, Qos& out) noexcept;      ///< the next quality of service
void readState(BeReader& in, State& out) noexcept;  ///< the next state; its text borrows the input

// --- encoding: content only, no length prefix; shortest form. Failure latches in the writer (noSpace / outOfRange).
/// 1..8 bytes.
inline void encodeInt(BeWriter& out, std::int64_t v) noexcept {
    const std::size_t n = detail::signedWidth(v);
    if (out.space() < 8) [[unlikely]]
        return detail::encodeIntegerSlow(out, static_cast<std::uint64_t>(v), n, false);
    detail::storeWide(out.room(8), static_cast<std::uint64_t>(v), n);
    out.advance(n);
}
/// 1..8 bytes.
inline void encodeUInt(BeWriter& out, std::uint64_t v) noexcept {
    const std::size_t n = detail::unsignedWidth(v);
    if (out.space() < 8) [[unlikely]]
        return detail::encodeIntegerSlow(out, v, n, false);
    detail::storeWide(out.room(8), v, n);
    out.advance(n);
}
/// 4 bytes.
inline void encodeFloat(BeWriter& out, float v) noexcept {
    out.u32(std::bit_cast<std::uint32_t>(v));
}
/// 8 bytes.
inline void encodeDouble(BeWriter& out, double v) noexcept {
    out.write(std::bit_cast<std::uint64_t>(v));
}
/// Hints 33..35 write the hint byte alone; 31, 32 and 36+ are outOfRange.
inline void encodeReal(BeWriter& out, const Real& v) noexcept {
    if (out.space() < 9 || v.hint > 30) [[unlikely]]
        return detail::encodeRealSlow(out, v, false);
    const std::size_t n = detail::signedWidth(v.mantissa);
    std::byte* p = out.room(9);
    p[0] = static_cast<std::byte>(v.hint);
    detail::storeWide(p + 1, static_cast<std::uint64_t>(v.mantissa), n);
    out.advance(1 + n);
}
void encodeDate(BeWriter& out, const Date& v) noexcept;  ///< 4 bytes, zeros for blank parts
/// 2 to 8 bytes, as many as its parts need; microseconds or nanoseconds above 11 bits are outOfRange.
void encodeTime(BeWriter& out, const Time& v) noexcept;
void encodeDateTime(BeWriter& out, const DateTime& v) noexcept;  ///< encodeDate() and encodeTime() in one
/// Unspecified or unassigned timeliness or rate is outOfRange.
void encodeQos(BeWriter& out, const Qos& v) noexcept;
/// Unspecified stream state is outOfRange, as is text above 32767 bytes.
void encodeState(BeWriter& out, const State& v) noexcept;
/// 1 or 2 bytes.
inline void encodeEnum(BeWriter& out, std::uint16_t v) noexcept {
    if (v < 256) out.u8(static_cast<std::uint8_t>(v));
    else out.u16(v);
}

// The same with the u16ob length prefix of fields, elements and array items, in one bounds check where the size has a
// small maximum. encodeBlank writes the prefix 00; so do the date and time forms for their all-blank values.
/// Length and 1..8 bytes.
inline void encodeIntPrefixed(BeWriter& out, std::int64_t v) noexcept {
    const std::size_t n = detail::signedWidth(v);
    if (out.space() < 9) [[unlikely]]
        return detail::encodeIntegerSlow(out, static_cast<std::uint64_t>(v), n, true);
    std::byte* p = out.room(9);
    p[0] = static_cast<std::byte>(n);
    detail::storeWide(p + 1, static_cast<std::uint64_t>(v), n);
    out.advance(1 + n);
}
/// Length and 1..8 bytes.
inline void encodeUIntPrefixed(BeWriter& out, std::uint64_t v) noexcept {
    const std::size_t n = detail::unsignedWidth(v);
    if (out.space() < 9) [[unlikely]]
        return detail::encodeIntegerSlow(out, v, n, true);
    std::byte* p = out.room(9);
    p[0] = static_cast<std::byte>(n);
    detail::storeWide(p + 1, v, n);
    out.advance(1 + n);
}
void encodeFloatPrefixed(BeWriter& out, float v) noexcept;    ///< length and 4 bytes
void encodeDoublePrefixed(BeWriter& out, double v) noexcept;  ///< length and 8 bytes
/// Length, hint and mantissa.
inline void encodeRealPrefixed(BeWriter& out, const Real& v) noexcept {
    if (out.space() < 10 || v.hint > 30) [[unlikely]]
        return detail::encodeRealSlow(out, v, true);
    const std::size_t n = detail::signedWidth(v.mantissa);
    std::byte* p = out.room(10);
    p[0] = static_cast<std::byte>(n + 1);
    p[1] = static_cast<std::byte>(v.hint);
    detail::storeWide(p + 2, static_cast<std::uint64_t>(v.mantissa), n);
    out.advance(2 + n);
}
void encodeDatePrefixed(BeWriter& out, const Date& v) noexcept;          ///< length and 4 bytes
void encodeTimePrefixed(BeWriter& out, const Time& v) noexcept;          ///< length and 2 to 8 bytes
void encodeDateTimePrefixed(BeWriter& out, const DateTime& v) noexcept;  ///< length and both
void encodeQosPrefixed(BeWriter& out, const Qos& v) noexcept;            ///< length and encodeQos()
void encodeStatePrefixed(BeWriter& out, const State& v) noexcept;        ///< length and encodeState()
/// Length and 1 or 2 bytes.
inline void encodeEnumPrefixed(BeWriter& out, std::uint16_t v) noexcept {
    if (v < 256) out.u16(static_cast<std::uint16_t>(0x0100 | v));
    else if (std::byte* p = out.room(3)) {
        p[0] = std::byte{2};
        storeBe(p + 1, v);
        out.advance(3);
    }
}
/// The length 0 alone.
inline void encodeBlank(BeWriter& out) noexcept {
    out.u8(0);
}

/// Validity for people (calendar, ranges); the wire does not check it (rwf.md 2.6, 2.7).
[[nodiscard]] bool isValid(const Date& d) noexcept;
[[nodiscard]] bool isValid(const Time& t) noexcept;

}  // namespace emissary::eta::codec

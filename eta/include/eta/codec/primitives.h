// Primitive values: content bytes (no length prefix) to values and back (rwf.md section 2).
#pragma once

#include "eta/codec/Types.h"

namespace emissary::eta::codec {

// --- decoding: `in` is exactly the content. Length 0 is blank for every type. On Decoded::malformed `out` is
// untouched; on blank it holds the type's blank value (0, Date{}, Time::blankTime() ...). Never reads past `in`.
[[nodiscard]] Decoded decodeInt(Bytes in, std::int64_t& out) noexcept;
[[nodiscard]] Decoded decodeUInt(Bytes in, std::uint64_t& out) noexcept;
[[nodiscard]] Decoded decodeFloat(Bytes in, float& out) noexcept;
[[nodiscard]] Decoded decodeDouble(Bytes in, double& out) noexcept;
[[nodiscard]] Decoded decodeReal(Bytes in, Real& out) noexcept;
[[nodiscard]] Decoded decodeDate(Bytes in, Date& out) noexcept;
[[nodiscard]] Decoded decodeTime(Bytes in, Time& out) noexcept;
[[nodiscard]] Decoded decodeDateTime(Bytes in, DateTime& out) noexcept;
[[nodiscard]] Decoded decodeQos(Bytes in, Qos& out) noexcept;
[[nodiscard]] Decoded decodeState(Bytes in, State& out) noexcept;  // text borrows `in`
[[nodiscard]] Decoded decodeEnum(Bytes in, std::uint16_t& out) noexcept;
/// Buffer and strings: blank when empty, never malformed.
[[nodiscard]] Decoded decodeBuffer(Bytes in, Bytes& out) noexcept;

// --- encoding: content only, no length prefix; shortest form. Failure latches in the writer (noSpace / outOfRange).
void encodeInt(BeWriter& out, std::int64_t v) noexcept;
void encodeUInt(BeWriter& out, std::uint64_t v) noexcept;
void encodeFloat(BeWriter& out, float v) noexcept;
void encodeDouble(BeWriter& out, double v) noexcept;
void encodeReal(BeWriter& out, const Real& v) noexcept;  // hints 33..35 write the hint byte alone
void encodeDate(BeWriter& out, const Date& v) noexcept;
void encodeTime(BeWriter& out, const Time& v) noexcept;
void encodeDateTime(BeWriter& out, const DateTime& v) noexcept;
void encodeQos(BeWriter& out, const Qos& v) noexcept;
void encodeState(BeWriter& out, const State& v) noexcept;
void encodeEnum(BeWriter& out, std::uint16_t v) noexcept;

// The same with the u16ob length prefix of fields, elements and array items, in one bounds check where the size has a
// small maximum. encodeBlank writes the prefix 00.
void encodeIntPrefixed(BeWriter& out, std::int64_t v) noexcept;
void encodeUIntPrefixed(BeWriter& out, std::uint64_t v) noexcept;
void encodeFloatPrefixed(BeWriter& out, float v) noexcept;
void encodeDoublePrefixed(BeWriter& out, double v) noexcept;
void encodeRealPrefixed(BeWriter& out, const Real& v) noexcept;
void encodeDatePrefixed(BeWriter& out, const Date& v) noexcept;
void encodeTimePrefixed(BeWriter& out, const Time& v) noexcept;
void encodeDateTimePrefixed(BeWriter& out, const DateTime& v) noexcept;
void encodeQosPrefixed(BeWriter& out, const Qos& v) noexcept;
void encodeStatePrefixed(BeWriter& out, const State& v) noexcept;
void encodeEnumPrefixed(BeWriter& out, std::uint16_t v) noexcept;
inline void encodeBufferPrefixed(BeWriter& out, Bytes v) noexcept {
    out.buf16(v);
}
inline void encodeBlank(BeWriter& out) noexcept {
    out.u8(0);
}

/// Validity for people (calendar, ranges); the wire does not check it (rwf.md 2.6, 2.7).
[[nodiscard]] bool isValid(const Date& d) noexcept;
[[nodiscard]] bool isValid(const Time& t) noexcept;

}  // namespace emissary::eta::codec

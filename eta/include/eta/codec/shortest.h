// The shortest forms of numbers and times (rwf.md 1.7, 2.7): how many bytes, and one wide store that writes them. Apart
// from primitives.h, and light, because public headers of ema write values with it.
#pragma once

#include "eta/core/byte_order.h"

namespace emissary::eta::codec::detail {

/// Shortest width of rwf.md 1.7.
[[nodiscard]] constexpr std::size_t signedWidth(std::int64_t v) noexcept {
    // Leading sign bits become zeros. The lowest bit is free: 0 and 1 have one width, and no number is without a bit.
    const auto folded = static_cast<std::uint64_t>(v ^ (v >> 63)) | 1;
    return static_cast<std::size_t>(72 - std::countl_zero(folded)) / 8;
}
/// The same for unsigned numbers.
[[nodiscard]] constexpr std::size_t unsignedWidth(std::uint64_t v) noexcept {
    return static_cast<std::size_t>(71 - std::countl_zero(v | 1)) / 8;
}

/// The low n bytes of v as an 8-byte store whose first n bytes count; needs 8 writable bytes.
inline void storeWide(std::byte* p, std::uint64_t v, std::size_t n) noexcept {
    storeBe(p, v << (64 - 8 * n));
}

/// Bytes of the narrowest form that holds the time (rwf.md 2.7).
[[nodiscard]] constexpr std::size_t timeWidth(unsigned second, unsigned millisecond, unsigned microsecond,
                                              unsigned nanosecond) noexcept {
    if ((millisecond | microsecond | nanosecond) == 0) [[likely]]
        return second != 0 ? 3 : 2;
    if (nanosecond != 0) return 8;
    return microsecond != 0 ? 7 : 5;
}
/// A time as the eight bytes of its longest form, big-endian: the shorter forms are its beginning. Microseconds and
/// nanoseconds have 11 bits.
[[nodiscard]] constexpr std::uint64_t packTime(unsigned hour, unsigned minute, unsigned second, unsigned millisecond,
                                               unsigned microsecond, unsigned nanosecond) noexcept {
    const std::uint64_t fine = (nanosecond & 0x0700) << 3 | microsecond;
    return std::uint64_t{hour} << 56 | std::uint64_t{minute} << 48 | std::uint64_t{second} << 40 |
           std::uint64_t{millisecond} << 24 | fine << 8 | (nanosecond & 0xFF);
}
/// A date as its four bytes, big-endian.
[[nodiscard]] constexpr std::uint32_t packDate(unsigned year, unsigned month, unsigned day) noexcept {
    return day << 24 | month << 16 | year;
}

}  // namespace emissary::eta::codec::detail

// Numbers on the wire: the order of bytes, and the widths and packed forms of numbers, times and dates. C++17 and
// light, because public headers of ema write values with it; eta's own headers take it from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace emissary::wire_numbers {

/// The number with its bytes in reverse order.
template <class U>
[[nodiscard]] constexpr U reversed(U v) noexcept {
    static_assert(std::is_unsigned<U>::value, "bytes are reordered as unsigned numbers");
    if constexpr (sizeof(U) == 1) return v;
    else if constexpr (sizeof(U) == 2) return __builtin_bswap16(v);
    else if constexpr (sizeof(U) == 4) return __builtin_bswap32(v);
    else return __builtin_bswap64(v);
}

/// The number in network order, or one in network order as this machine's.
template <class U>
[[nodiscard]] constexpr U networkOrder(U v) noexcept {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return v;
#else
    return reversed(v);
#endif
}

/// Bytes of the shortest form (rwf.md 1.7).
[[nodiscard]] constexpr std::size_t signedWidth(std::int64_t v) noexcept {
    // Leading sign bits become zeros. The lowest bit is free: 0 and 1 have one width, and no number is without a bit.
    const auto folded = static_cast<std::uint64_t>(v ^ (v >> 63)) | 1;
    return static_cast<std::size_t>(72 - __builtin_clzll(folded)) / 8;
}
/// The same for unsigned numbers.
[[nodiscard]] constexpr std::size_t unsignedWidth(std::uint64_t v) noexcept {
    return static_cast<std::size_t>(71 - __builtin_clzll(v | 1)) / 8;
}

/// Bytes of the narrowest form that holds the time (rwf.md 2.7).
[[nodiscard]] constexpr std::size_t timeWidth(unsigned second, unsigned millisecond, unsigned microsecond,
                                              unsigned nanosecond) noexcept {
    if (__builtin_expect((millisecond | microsecond | nanosecond) == 0, 1)) return second != 0 ? 3 : 2;
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

/// Every byte of the word is printable ASCII.
[[nodiscard]] constexpr bool isPlainWord(std::uint64_t w) noexcept {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 0xFF, kTops = kOnes << 7;
    // The top bit of some byte is set when one is above '~', or below ' ' and borrows.
    return ((w | (w + kOnes) | (w - kOnes * ' ')) & kTops) == 0;
}

}  // namespace emissary::wire_numbers

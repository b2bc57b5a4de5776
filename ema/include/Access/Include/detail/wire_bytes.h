// The bytes of wire values as the inline getters and add methods read and write them; not for applications. Public
// headers are C++17 and need no layer below, so what they read and write is said here again; a test holds it against
// eta's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace emissary::ema::wire {

/// A byte in a block; std::byte, where the language has it.
#if __cplusplus >= 201703L
using Octet = std::byte;
#else
/// The same.
enum class Octet : unsigned char {};
#endif

/// The number in network order, or one in network order as this machine's.
template <class U>
[[nodiscard]] constexpr U networkOrder(U v) noexcept {
    static_assert(std::is_unsigned<U>::value, "bytes are reordered as unsigned numbers");
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return v;
#else
    if constexpr (sizeof(U) == 1) return v;
    else if constexpr (sizeof(U) == 2) return __builtin_bswap16(v);
    else if constexpr (sizeof(U) == 4) return __builtin_bswap32(v);
    else return __builtin_bswap64(v);
#endif
}

/// The big-endian number of sizeof(U) readable bytes, which need no alignment.
template <class U>
[[nodiscard]] inline U load(const void* from) noexcept {
    U v;
    std::memcpy(&v, from, sizeof v);
    return networkOrder(v);
}

/// std::bit_cast, which C++17 does not have.
template <class To, class From>
[[nodiscard]] inline To bits(From from) noexcept {
    static_assert(sizeof(To) == sizeof(From), "the bits of one are those of the other");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
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
    if ((millisecond | microsecond | nanosecond) == 0) return second != 0 ? 3 : 2;
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

/// The condition, which seldom holds: [[unlikely]], which C++17 does not have.
[[nodiscard]] constexpr bool rarely(bool condition) noexcept {
    return __builtin_expect(static_cast<long>(condition), 0) != 0;
}

}  // namespace emissary::ema::wire

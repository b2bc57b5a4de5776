// Numbers, dates and times as JSON text, written into room that the caller has (json.md 7).
//
// Each writes at `to` and returns the end of the text. It may write more than the text, but not beyond its room.
#pragma once

#include "eta/codec/Types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace emissary::eta::json {

/// Room that each of them needs.
inline constexpr std::size_t kDigitsRoom = 20, kSignedRoom = 21, kRealRoom = 56, kDateRoom = 24, kTimeRoom = 40;

/// "00" to "99", one after the other.
inline constexpr std::array<char, 200> kPairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
        pairs[2 * i] = static_cast<char>('0' + i / 10);
        pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
}();

/// Two digits of v % 100.
[[nodiscard]] inline char* putPair(char* to, unsigned v) noexcept {
    std::memcpy(to, &kPairs[std::size_t{2} * (v % 100)], 2);
    return to + 2;
}

inline constexpr std::array<std::uint64_t, 20> kPowers = [] {
    std::array<std::uint64_t, 20> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i)
        powers[i] = 10 * powers[i - 1];
    return powers;
}();

namespace detail {

/// What has this many digits at most is written as one word.
inline constexpr std::size_t kWordDigits = 8;
inline constexpr bool kHasWords = std::endian::native == std::endian::little;

/// "000" to "999" as numbers of digits, the first one in the lowest byte: 4 KB, which stay in the cache.
inline constexpr std::array<std::uint32_t, 1'000> kTriples = [] {
    std::array<std::uint32_t, 1'000> triples{};
    for (std::uint32_t i = 0; i < triples.size(); ++i)
        triples[i] = i / 100 | i / 10 % 10 << 8 | i % 10 << 16;
    return triples;
}();

/// The eight digits of v, below 10^8, as numbers, with zeros in front; the first one is the lowest byte.
[[nodiscard]] inline std::uint64_t eightDigits(std::uint64_t v) noexcept {
    const auto all = static_cast<std::uint32_t>(v);
    const std::uint32_t millions = all / 1'000'000, below = all % 1'000'000;
    return std::uint64_t{kTriples[millions]} >> 8 | std::uint64_t{kTriples[below / 1'000]} << 16 |
           std::uint64_t{kTriples[below % 1'000]} << 40;
}
/// How many of them are no zeros in front; 1 for 0.
[[nodiscard]] inline std::size_t countOf(std::uint64_t eight) noexcept {
    return kWordDigits - (static_cast<unsigned>(std::countr_zero(eight | std::uint64_t{1} << 56)) >> 3);
}
/// The last `count` of them as characters.
[[nodiscard]] inline std::uint64_t charactersOf(std::uint64_t eight, std::size_t count) noexcept {
    return (eight | 0x3030'3030'3030'3030) >> 8 * (kWordDigits - count);
}

[[nodiscard]] char* putLongDigits(char* to, std::uint64_t v) noexcept;
/// Any real.
[[nodiscard]] char* putLongReal(char* to, const codec::Real& v) noexcept;

}  // namespace detail

[[nodiscard]] inline std::uint64_t magnitude(std::int64_t v) noexcept {
    return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
}

/// Of a number below 1,000, where detail::kHasWords. Writes four bytes.
[[nodiscard]] inline char* putThreeDigits(char* to, std::uint32_t v) noexcept {
    const std::uint32_t digits = detail::kTriples[v];
    const int zeros = std::countr_zero(digits | 1U << 16) & 24;
    const std::uint32_t text = (digits | 0x0030'3030U) >> zeros;
    std::memcpy(to, &text, sizeof text);
    return to + 3 - zeros / 8;
}

[[nodiscard]] inline char* putDigits(char* to, std::uint64_t v) noexcept {
    if (!detail::kHasWords || v >= kPowers[detail::kWordDigits]) return detail::putLongDigits(to, v);
    const std::uint64_t eight = detail::eightDigits(v);
    const std::size_t count = detail::countOf(eight);
    const std::uint64_t text = detail::charactersOf(eight, count);
    std::memcpy(to, &text, sizeof text);
    return to + count;
}

[[nodiscard]] inline char* putSigned(char* to, std::int64_t v) noexcept {
    *to = '-';
    return putDigits(to + (v < 0), magnitude(v));
}

namespace detail {

/// A real of eight digits at most and seven decimals at most: `m` is its magnitude. Twice the same digits, the second
/// time behind the point: nothing depends on how many there are.
[[nodiscard]] inline char* putShortReal(char* to, bool negative, std::uint64_t m, std::size_t decimals) noexcept {
    if (m == 0) decimals = 0;
    const std::uint64_t eight = eightDigits(m);
    // In bits: of zeros that are left out in front, and of what stands before the point.
    const std::size_t zeros =
        std::min(static_cast<std::size_t>(std::countr_zero(eight | std::uint64_t{1} << 56)) & 56, 56 - 8 * decimals);
    const std::size_t whole = 64 - zeros - 8 * decimals;
    const std::uint64_t text = (eight | 0x3030'3030'3030'3030) >> zeros;
    *to = '-';
    to += negative;
    std::memcpy(to, &text, sizeof text);
    to[whole / 8] = '.';
    const std::uint64_t behind = text >> 8 >> (whole - 8);  // in two steps, because all may stand before the point
    std::memcpy(to + whole / 8 + 1, &behind, sizeof behind);
    return to + (64 - zeros) / 8 + (decimals != 0);
}

}  // namespace detail

inline constexpr std::uint8_t kHintOfOne = 14;  ///< of a Real without decimals

/// A number, or a quoted word for what is none: sign, up to 20 digits before the point, and 7 zeros behind them or up
/// to 30 decimals.
[[nodiscard]] inline char* putReal(char* to, const codec::Real& v) noexcept {
    const std::uint64_t m = magnitude(v.mantissa);
    const std::size_t decimals = std::size_t{kHintOfOne} - v.hint;  // large above one
    if (!detail::kHasWords || m >= kPowers[detail::kWordDigits] || decimals >= detail::kWordDigits)
        return detail::putLongReal(to, v);
    return detail::putShortReal(to, v.mantissa < 0, m, decimals);
}
/// "2024-02-29", "2024-02", "2024", "--02-29"; outside ISO "2024--29", "----29". Without quotes; the date is not all
/// blank.
[[nodiscard]] char* putDate(char* to, const codec::Date& v) noexcept;
/// "17", "17:45" or "17:45:01" with what is not zero of the fraction. Without quotes; the time is not all blank.
[[nodiscard]] char* putTime(char* to, const codec::Time& v) noexcept;

}  // namespace emissary::eta::json

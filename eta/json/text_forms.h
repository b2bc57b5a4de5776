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

/// The eight digits of v, below 10^8, as numbers, with zeros in front; the first one is the lowest byte. Halves are
/// split at once: into four digits each, then two, then one, by multiplication with 1/100 and 1/10.
[[nodiscard]] inline std::uint64_t eightDigits(std::uint64_t v) noexcept {
    const std::uint64_t high = static_cast<std::uint32_t>(v) / 10'000;
    std::uint64_t x = high | (v - high * 10'000) << 32;
    std::uint64_t upper = (x * 10'486 >> 20) & 0x0000'007F'0000'007F;
    x = upper | (x - upper * 100) << 16;
    upper = (x * 103 >> 10) & 0x000F'000F'000F'000F;
    return upper | (x - upper * 10) << 8;
}
/// How many of them are no zeros in front; 1 for 0.
[[nodiscard]] inline std::size_t countOf(std::uint64_t eight) noexcept {
    return kWordDigits - (static_cast<std::size_t>(std::countr_zero(eight | std::uint64_t{1} << 56)) >> 3);
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

/// A number, or a quoted word for what is none: sign, up to 20 digits before the point, and 7 zeros behind them or up
/// to 30 decimals.
[[nodiscard]] inline char* putReal(char* to, const codec::Real& v) noexcept {
    constexpr std::uint8_t kHintOfOne = 14;
    const std::uint64_t m = magnitude(v.mantissa);
    const std::size_t decimals = std::size_t{kHintOfOne} - v.hint;  // large above one
    if (!detail::kHasWords || m >= kPowers[detail::kWordDigits] || decimals >= detail::kWordDigits || m == 0)
        return detail::putLongReal(to, v);
    // Twice the same digits, the second time behind the point: nothing depends on how many there are.
    const std::uint64_t eight = detail::eightDigits(m);
    const std::size_t all = std::max(detail::countOf(eight), decimals + 1), whole = all - decimals;
    const std::uint64_t text = detail::charactersOf(eight, all);
    const std::uint64_t behind = decimals == 0 ? 0 : text >> 8 * whole;
    *to = '-';
    to += v.mantissa < 0;
    std::memcpy(to, &text, sizeof text);
    to[whole] = '.';
    std::memcpy(to + whole + 1, &behind, sizeof behind);
    return to + all + (decimals != 0);
}
/// "2024-02-29", "2024-02", "2024", "--02-29"; outside ISO "2024--29", "----29". Without quotes; the date is not all
/// blank.
[[nodiscard]] char* putDate(char* to, const codec::Date& v) noexcept;
/// "17", "17:45" or "17:45:01" with what is not zero of the fraction. Without quotes; the time is not all blank.
[[nodiscard]] char* putTime(char* to, const codec::Time& v) noexcept;

}  // namespace emissary::eta::json

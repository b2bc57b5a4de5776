// Short numbers and times of day from text that has room behind it, as that of a Tree has: which characters are digits,
// and what they are worth, many at a time. Prices differ in length from update to update, so a loop over their digits
// costs a wrong guess of the processor, which is more than all the rest of the number.
#pragma once

#include "eta/codec/Types.h"
#include "eta/core/bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace emissary::eta::json {

/// Characters of the longest number and text that are read here.
inline constexpr std::size_t kLongestDigits = 16;
/// Bytes that may be read from the start of one, whatever its length is.
inline constexpr std::size_t kDigitRoom = kLongestDigits + 8;

namespace detail {

inline constexpr std::uint8_t kHintOfOne = 14;  // of a Real without decimals

inline constexpr std::uint64_t kEveryByte = 0x0101010101010101, kZeroDigits = kEveryByte * '0';
inline constexpr std::array<std::uint32_t, 9> kPowers{1,       10,        100,        1'000,      10'000,
                                                      100'000, 1'000'000, 10'000'000, 100'000'000};

[[nodiscard]] inline std::uint64_t eightCharacters(const char* p) noexcept {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    return reorder<std::endian::little>(word);
}

/// Bit i stands for character i of the eight, and is set when that is no digit. Behind one that is not ASCII, bits may
/// be set that should not be.
[[nodiscard]] inline unsigned notDigits(std::uint64_t characters) noexcept {
    const std::uint64_t value = characters ^ kZeroDigits;
    const std::uint64_t highs = ((value + kEveryByte * (0x80 - 10)) | value) & kEveryByte * 0x80;
    return static_cast<unsigned>(((highs >> 7) * 0x0102040810204080) >> 56);
}

/// What eight digits are worth, the first one in the lowest byte.
[[nodiscard]] inline std::uint32_t worth(std::uint64_t digits) noexcept {
    digits = digits * 10 + (digits >> 8);
    constexpr std::uint64_t kPairs = 0x000000FF000000FF;
    return static_cast<std::uint32_t>(
        ((digits & kPairs) * 0x000F424000000064 + ((digits >> 16) & kPairs) * 0x0000271000000001) >> 32);
}

/// What n digits are worth; 8 at most.
[[nodiscard]] inline std::uint32_t worth(const char* p, std::size_t n) noexcept {
    const std::size_t half = 4 * (8 - n);  // in two steps, because there may be none
    return worth(((eightCharacters(p) ^ kZeroDigits) << half) << half);
}

}  // namespace detail

/// Where the point stands in the number of n characters at p: n when there is none. 0 when the text is anything but
/// digits with a sign and a point at most (JSON's rules hold: no zero in front of others, digits around the point), or
/// is longer than kLongestDigits.
[[nodiscard]] inline std::size_t plainPoint(const char* p, std::size_t n) noexcept {
    if (n == 0 || n > kLongestDigits) return 0;
    const auto sign = static_cast<unsigned>(*p == '-');
    unsigned of16 = detail::notDigits(detail::eightCharacters(p));
    if (n > 8) of16 |= detail::notDigits(detail::eightCharacters(p + 8)) << 8;
    const unsigned length = static_cast<unsigned>(n) - sign;
    // The end counts as one, so that a number without a point has it there.
    const unsigned others = ((of16 & ((1U << n) - 1)) >> sign) | 1U << length;
    const auto point = static_cast<unsigned>(std::countr_zero(others));
    const bool good = ((others & (others - 1)) & ~(1U << length)) == 0 && point != 0 && point + 1 != length &&
                      (point == length || p[sign + point] == '.') && (p[sign] != '0' || point == 1);
    return good ? sign + point : 0;
}

/// A number of eight characters at most behind its sign, in one word: false when it is longer, or anything but digits
/// with a sign and a point at most, by JSON's rules.
[[nodiscard]] inline bool shortReal(std::string_view text, codec::Real& out) noexcept {
    constexpr unsigned kPoint = '.' ^ '0';
    const auto sign = static_cast<std::size_t>(text.data()[0] == '-');
    const std::size_t n = text.size() - sign;
    if (n - 1 >= 8) [[unlikely]]
        return false;
    // Zeros stand in front.
    std::uint64_t digits = (detail::eightCharacters(text.data() + sign) ^ detail::kZeroDigits) << 8 * (8 - n);
    const std::uint64_t others = ((digits + detail::kEveryByte * (0x80 - 10)) | digits) & detail::kEveryByte * 0x80;
    std::size_t whole = n, decimals = 0;
    if (others != 0) {
        const auto place = static_cast<unsigned>(std::countr_zero(others)) - 7;  // of the first one's lowest bit
        decimals = 7 - place / 8;
        whole = n - 1 - decimals;
        if ((others & (others - 1)) != 0 || (digits >> place & 0xFF) != kPoint || decimals == 0 || whole == 0)
            [[unlikely]]
            return false;
        const std::uint64_t below = (std::uint64_t{1} << place) - 1;
        digits = (digits & ~(below << 8 | 0xFF)) | (digits & below) << 8;
    }
    if (text.data()[sign] == '0' && whole > 1) [[unlikely]]
        return false;
    const auto mantissa = static_cast<std::int64_t>(detail::worth(digits));
    out = {sign != 0 ? -mantissa : mantissa, static_cast<std::uint8_t>(detail::kHintOfOne - decimals)};
    return true;
}

/// A number of which plainPoint() says `point`, with the decimals that it is written with; false when it has more
/// digits on one side of the point than are read at once.
[[nodiscard]] inline bool quickReal(std::string_view text, std::size_t point, codec::Real& out) noexcept {
    const auto sign = static_cast<std::size_t>(text[0] == '-');
    const std::size_t whole = point - sign, decimals = text.size() - point - (point != text.size());
    if (whole > 8 || decimals > 8) return false;
    const std::uint64_t mantissa = std::uint64_t{detail::worth(text.data() + sign, whole)} * detail::kPowers[decimals] +
                                   detail::worth(text.data() + text.size() - decimals, decimals);
    out = {static_cast<std::int64_t>(sign != 0 ? 0 - mantissa : mantissa),
           static_cast<std::uint8_t>(detail::kHintOfOne - decimals)};
    return true;
}

/// An integer of which plainPoint() says that it has no point; false when it is negative.
[[nodiscard]] inline bool quickUInt(std::string_view text, std::uint64_t& out) noexcept {
    if (text[0] == '-') return false;
    const std::size_t n = text.size(), high = n > 8 ? n - 8 : 0;
    out = std::uint64_t{detail::worth(text.data(), high)} * detail::kPowers[8] +
          detail::worth(text.data() + high, n - high);
    return true;
}

namespace detail {

/// An integer that is no shortReal().
[[nodiscard, gnu::noinline]] inline bool longUInt(std::string_view text, std::uint64_t& out) noexcept {
    return !text.empty() && plainPoint(text.data(), text.size()) == text.size() && quickUInt(text, out);
}

}  // namespace detail

/// An integer without a sign of kLongestDigits at most; false for every other text.
[[nodiscard]] inline bool plainUInt(std::string_view text, std::uint64_t& out) noexcept {
    codec::Real v;
    if (!shortReal(text, v)) [[unlikely]]
        return detail::longUInt(text, out);
    out = static_cast<std::uint64_t>(v.mantissa);
    return v.hint == detail::kHintOfOne && text.data()[0] != '-';
}

/// Whether a text of at most kLongestDigits characters is all ASCII; false for every longer one.
[[nodiscard]] inline bool isShortAscii(std::string_view text) noexcept {
    const std::size_t n = text.size();
    if (n > kLongestDigits) return false;
#ifdef __SSE2__
    const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data()));
    return (static_cast<unsigned>(_mm_movemask_epi8(all)) & ((1U << n) - 1)) == 0;
#else
    constexpr std::uint64_t kHighs = detail::kEveryByte * 0x80;
    const std::uint64_t low = n == 0 ? 0 : kHighs >> 8 * (8 - std::min<std::size_t>(n, 8));
    if ((detail::eightCharacters(text.data()) & low) != 0) return false;
    return n <= 8 || (detail::eightCharacters(text.data() + 8) & kHighs >> 8 * (16 - n)) == 0;
#endif
}

/// Whether the first n characters are the same, kLongestDigits at most. As many may be read at both places.
[[nodiscard]] inline bool equalBegin(const char* a, const char* b, std::size_t n) noexcept {
#ifdef __SSE2__
    const __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)),
                                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)));
    return ((static_cast<unsigned>(_mm_movemask_epi8(same)) + 1) & ((1U << n) - 1)) == 0;
#else
    return std::memcmp(a, b, n) == 0;
#endif
}

/// hh:mm:ss with up to three decimals; false for every other form, and for what is no time.
[[nodiscard]] inline bool quickTime(std::string_view text, codec::Time& out) noexcept {
    constexpr std::size_t kSeconds = 8, kMost = 12;
    constexpr unsigned kColons = 1U << 2 | 1U << 5;
    constexpr std::uint64_t kColonBytes = 0x0000FF0000FF0000;
    if (text.size() < kSeconds || text.size() == kSeconds + 1 || text.size() > kMost) return false;
    const std::uint64_t word = detail::eightCharacters(text.data());
    if (detail::notDigits(word) != kColons || ((word ^ detail::kEveryByte * ':') & kColonBytes) != 0) return false;
    const std::uint64_t digits = word ^ detail::kZeroDigits;
    const std::uint64_t pairs = digits * 10 + (digits >> 8);  // each pair is in the byte of its first digit
    const auto hour = static_cast<std::uint8_t>(pairs), minute = static_cast<std::uint8_t>(pairs >> 24),
               second = static_cast<std::uint8_t>(pairs >> 48);
    std::size_t decimals = 0;
    std::uint32_t part = 0;
    if (text.size() > kSeconds) {
        decimals = text.size() - kSeconds - 1;
        const char* const p = text.data() + kSeconds;
        if (*p != '.' || (detail::notDigits(detail::eightCharacters(p + 1)) & ((1U << decimals) - 1)) != 0)
            return false;
        part = detail::worth(p + 1, decimals) * detail::kPowers[3 - decimals];
    }
    if (hour > 23 || minute > 59 || second > 60) return false;
    out = {hour, minute, second, static_cast<std::uint16_t>(part), 0, 0};
    return true;
}

}  // namespace emissary::eta::json

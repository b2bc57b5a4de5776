// Writes digits in pairs from the last one back, into place: how many there are is known before.
#include "json/text_forms.h"

#include <bit>
#include <cstring>

namespace emissary::eta::json {

using codec::Date;
using codec::Real;
using codec::Time;

namespace {

/// How many decimal digits v has; 1 for 0.
[[nodiscard]] std::size_t digitCount(std::uint64_t v) noexcept {
    const std::size_t about = static_cast<std::size_t>(std::bit_width(v | 1)) * 1233 >> 12;  // of a binary logarithm
    return about + ((v | 1) >= kPowers[about]);
}

/// Digits of v written backwards, ending at `end`; returns where they start.
[[nodiscard]] char* digits(char* end, std::uint64_t v) noexcept {
    while (v >= 100) {
        end -= 2;
        std::memcpy(end, &kPairs[2 * (v % 100)], 2);
        v /= 100;
    }
    if (v < 10) return *--end = static_cast<char>('0' + v), end;
    end -= 2;
    std::memcpy(end, &kPairs[2 * v], 2);
    return end;
}

}  // namespace

char* detail::putLongDigits(char* to, std::uint64_t v) noexcept {
    char* const end = to + digitCount(v);
    (void)digits(end, v);
    return end;
}

namespace {

/// v / 10^decimals.
[[nodiscard]] char* putDecimal(char* to, std::uint64_t v, std::size_t decimals) noexcept {
    const std::size_t count = digitCount(v);
    char* const end = to + (count > decimals ? count - decimals : 1) + 1 + decimals;
    char* at = end;
    for (; decimals >= 2; decimals -= 2) {
        at -= 2;
        std::memcpy(at, &kPairs[2 * (v % 100)], 2);
        v /= 100;
    }
    if (decimals != 0) {
        *--at = static_cast<char>('0' + v % 10);
        v /= 10;
    }
    *--at = '.';
    (void)digits(at, v);
    return end;
}

/// v / 2^bits.
[[nodiscard]] char* putBinaryFraction(char* to, std::uint64_t v, unsigned bits) noexcept {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    to = putDigits(to, v >> bits);
    std::uint64_t rest = v & mask;
    if (rest == 0) return to;
    *to++ = '.';
    while (rest != 0) {
        rest *= 10;
        *to++ = static_cast<char>('0' + (rest >> bits));
        rest &= mask;
    }
    return to;
}

}  // namespace

char* detail::putLongReal(char* to, const Real& v) noexcept {
    const auto word = [to](const char* text, std::size_t n) {
        std::memcpy(to, text, n);
        return to + n;
    };
    switch (v.hint) {
    case Real::kInfinity:
        return word("\"Inf\"", 5);
    case Real::kNegInfinity:
        return word("\"-Inf\"", 6);
    case Real::kNotANumber:
        return word("\"NaN\"", 5);
    default:
        break;
    }
    if (v.mantissa == 0) return word("0", 1);
    *to = '-';
    to += v.mantissa < 0;
    const std::uint64_t m = magnitude(v.mantissa);
    if (v.hint < 14) return putDecimal(to, m, 14U - v.hint);
    if (v.hint > 21) return putBinaryFraction(to, m, v.hint - 22U);  // 30 at most, so 8 bits
    to = putDigits(to, m);
    std::memset(to, '0', 7);
    return to + (v.hint - 14);
}

char* putDate(char* to, const Date& v) noexcept {
    if (v.year != 0) {
        if (v.year > 9999) to = putDigits(to, v.year);
        else to = putPair(putPair(to, v.year / 100u), v.year % 100u);
    } else {
        *to++ = '-';
    }
    if (v.month != 0) {
        *to++ = '-';
        to = v.month < 100 ? putPair(to, v.month) : putDigits(to, v.month);
    } else if (v.day != 0) {
        if (v.year == 0) *to++ = '-';
        *to++ = '-';
    }
    if (v.day != 0) {
        *to++ = '-';
        to = v.day < 100 ? putPair(to, v.day) : putDigits(to, v.day);
    }
    return to;
}

char* putTime(char* to, const Time& v) noexcept {
    const auto two = [&to](unsigned n) { to = n < 100 ? putPair(to, n) : putDigits(to, n); };
    two(v.hour == 255 ? 0 : v.hour);
    if (v.minute == 255) return to;
    *to++ = ':';
    two(v.minute);
    if (v.second == 255) return to;
    *to++ = ':';
    two(v.second);
    const unsigned ms = v.millisecond > 999 ? 0 : v.millisecond;
    const unsigned us = v.microsecond > 999 ? 0 : v.microsecond;
    const unsigned ns = v.nanosecond > 999 ? 0 : v.nanosecond;
    if ((ms | us | ns) == 0) return to;
    *to++ = '.';
    for (const unsigned part : {ms, us, ns}) {
        *to++ = static_cast<char>('0' + part / 100);
        to = putPair(to, part % 100);
    }
    while (to[-1] == '0')
        --to;
    return to;
}

}  // namespace emissary::eta::json

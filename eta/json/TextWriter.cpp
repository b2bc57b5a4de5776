// Formats numbers, dates, times, strings and base64 without locale and without memory of its own.
#include "json/TextWriter.h"

#include "json/base64.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace emissary::eta::json {

namespace {

using codec::Date;
using codec::DateTime;
using codec::Real;
using codec::Time;

constexpr std::array<char, 200> kPairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
        pairs[2 * i] = static_cast<char>('0' + i / 10);
        pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
}();

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

[[nodiscard]] char* pair(char* to, unsigned v) noexcept {
    std::memcpy(to, &kPairs[2 * (v % 100)], 2);
    return to + 2;
}

[[nodiscard]] std::uint64_t magnitude(std::int64_t v) noexcept {
    return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
}

constexpr std::array<std::uint64_t, 20> kPowers = [] {
    std::array<std::uint64_t, 20> powers{1};
    for (std::size_t i = 1; i < powers.size(); ++i)
        powers[i] = 10 * powers[i - 1];
    return powers;
}();

/// How many decimal digits v has; 1 for 0.
[[nodiscard]] std::size_t digitCount(std::uint64_t v) noexcept {
    const std::size_t about = static_cast<std::size_t>(std::bit_width(v | 1)) * 1233 >> 12;  // of a binary logarithm
    return about + ((v | 1) >= kPowers[about]);
}

[[nodiscard]] char* putDigits(char* to, std::uint64_t v) noexcept {
    char* const end = to + digitCount(v);
    (void)digits(end, v);
    return end;
}

[[nodiscard]] char* putSigned(char* to, std::int64_t v) noexcept {
    *to = '-';
    return putDigits(to + (v < 0), magnitude(v));
}

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

constexpr std::size_t kDateRoom = 16, kTimeRoom = 40;

/// "2024-02-29", "2024-02", "2024", "--02-29"; outside ISO "2024--29", "----29". The date is not all blank.
[[nodiscard]] char* put(char* to, const Date& v) noexcept {
    if (v.year != 0) {
        if (v.year > 9999) to = putDigits(to, v.year);
        else to = pair(pair(to, v.year / 100u), v.year % 100u);
    } else {
        *to++ = '-';
    }
    if (v.month != 0) {
        *to++ = '-';
        to = v.month < 100 ? pair(to, v.month) : putDigits(to, v.month);
    } else if (v.day != 0) {
        if (v.year == 0) *to++ = '-';
        *to++ = '-';
    }
    if (v.day != 0) {
        *to++ = '-';
        to = v.day < 100 ? pair(to, v.day) : putDigits(to, v.day);
    }
    return to;
}

/// "17", "17:45" or "17:45:01" with what is not zero of the fraction. The time is not all blank.
[[nodiscard]] char* put(char* to, const Time& v) noexcept {
    const auto two = [&to](unsigned n) { to = n < 100 ? pair(to, n) : putDigits(to, n); };
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
        to = pair(to, part % 100);
    }
    while (to[-1] == '0')
        --to;
    return to;
}

}  // namespace

void TextWriter::integer(std::uint64_t v) noexcept {
    direct<20>([v](char* to) { return putDigits(to, v); });
}

void TextWriter::integer(std::int64_t v) noexcept {
    direct<21>([v](char* to) { return putSigned(to, v); });
}

void TextWriter::real(const Real& v) noexcept {
    switch (v.hint) {
    case Real::kInfinity:
        return raw("\"Inf\"");
    case Real::kNegInfinity:
        return raw("\"-Inf\"");
    case Real::kNotANumber:
        return raw("\"NaN\"");
    default:
        break;
    }
    if (v.mantissa == 0) return raw('0');
    // sign, up to 20 digits before the point, and 7 zeros behind them or up to 30 decimals
    direct<56>([&v](char* to) {
        *to = '-';
        to += v.mantissa < 0;
        const std::uint64_t m = magnitude(v.mantissa);
        if (v.hint < 14) return putDecimal(to, m, 14U - v.hint);
        if (v.hint > 21) return putBinaryFraction(to, m, v.hint - 22U);  // 30 at most, so 8 bits
        to = putDigits(to, m);
        std::memset(to, '0', 7);
        return to + (v.hint - 14);
    });
}

namespace {

template <class T>
void floating(TextWriter& writer, T v) noexcept {
    if (std::isnan(v)) return writer.raw("\"NaN\"");
    if (std::isinf(v)) return writer.raw(v < 0 ? "\"-Inf\"" : "\"Inf\"");
    std::array<char, 40> buffer;
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v);
    writer.raw({buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())});
}

}  // namespace

void TextWriter::number(float v) noexcept {
    floating(*this, v);
}
void TextWriter::number(double v) noexcept {
    floating(*this, v);
}

void TextWriter::quoted(std::string_view utf8) noexcept {
    raw('"');
    escaped(utf8);
    raw('"');
}

void TextWriter::escaped(std::string_view utf8) noexcept {
    writeJsonEscaped(utf8, [this](std::string_view piece) { raw(piece); });
}

void TextWriter::base64(Bytes in) noexcept {
    const std::size_t n = base64Size(in.size());
    if (std::byte* p = out_.room(n + 2)) {
        p[0] = p[n + 1] = std::byte{'"'};
        encodeBase64(in, reinterpret_cast<char*>(p + 1));
        out_.advance(n + 2);
    }
}

void TextWriter::date(const Date& v) noexcept {
    if (v.blank()) return null();
    direct<kDateRoom + 2>([&v](char* to) {
        *to = '"';
        to = put(to + 1, v);
        *to = '"';
        return to + 1;
    });
}

void TextWriter::time(const Time& v) noexcept {
    if (v.blank()) return null();
    direct<kTimeRoom + 2>([&v](char* to) {
        *to = '"';
        to = put(to + 1, v);
        *to = '"';
        return to + 1;
    });
}

void TextWriter::dateTime(const DateTime& v) noexcept {
    if (v.blank()) return null();
    direct<kDateRoom + kTimeRoom + 3>([&v](char* to) {
        *to++ = '"';
        if (!v.date.blank()) to = put(to, v.date);
        if (!v.time.blank()) {
            *to++ = 'T';
            to = put(to, v.time);
        }
        *to = '"';
        return to + 1;
    });
}

void TextWriter::address(std::uint32_t v) noexcept {
    std::array<char, 20> buffer;
    char* to = buffer.data();
    *to++ = '"';
    for (int shift = 24; shift >= 0; shift -= 8) {
        to = putDigits(to, v >> shift & 255);
        *to++ = shift == 0 ? '"' : '.';
    }
    raw({buffer.data(), static_cast<std::size_t>(to - buffer.data())});
}

}  // namespace emissary::eta::json

// Reals as text (rwf.md 6.1 to 6.3): fixed decimals, whole numbers with zeros, fractions, and back.
#include "codec/TextCursor.h"

#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace emissary::eta::codec {

namespace {

constexpr unsigned kExponentZero = 14, kLastExponent = 21, kFractionOne = 22, kLastFraction = 30;
/// Factors by hint.
constexpr std::array<double, 22> kPowerOfTen{1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4,
                                             1e-3,  1e-2,  1e-1,  1e0,   1e1,   1e2,  1e3,  1e4,  1e5,  1e6,  1e7};
/// Trailing zeros of a whole number that can become a part of the hint.
constexpr std::size_t kMaxMovedZeros = kLastExponent - kExponentZero;

/// The absolute value; also that of the smallest integer, which has no positive counterpart.
[[nodiscard]] std::uint64_t magnitude(std::int64_t v) noexcept {
    return v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
}

[[nodiscard]] bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}

[[nodiscard]] std::size_t countDigits(std::string_view s) noexcept {
    std::size_t n = 0;
    while (n < s.size() && isDigit(s[n]))
        ++n;
    return n;
}

/// Collects digits of a non-negative number; overflow of 64 bits latches.
class Magnitude {
public:
    void digits(std::string_view s) noexcept {
        for (const char c : s) {
            overflow_ = __builtin_mul_overflow(value_, std::uint64_t{10}, &value_) || overflow_;
            overflow_ = __builtin_add_overflow(value_, static_cast<std::uint64_t>(c - '0'), &value_) || overflow_;
        }
    }
    [[nodiscard]] bool ok() const noexcept { return !overflow_; }
    [[nodiscard]] std::uint64_t value() const noexcept { return value_; }

private:
    std::uint64_t value_ = 0;
    bool overflow_ = false;
};

/// False when the value with its sign does not fit into 64 bits.
[[nodiscard]] bool withSign(std::uint64_t value, bool negative, std::int64_t& out) noexcept {
    constexpr auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value > limit + (negative ? 1 : 0)) return false;
    out = static_cast<std::int64_t>(negative ? 0 - value : value);
    return true;
}

[[nodiscard]] bool sameWord(std::string_view text, std::string_view lower) noexcept {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
}

/// "num/den" after an optional whole part.
[[nodiscard]] Decoded parseFraction(std::string_view s, std::string_view whole, bool negative, Real& out) noexcept {
    const std::size_t n = countDigits(s);
    if (n == 0 || n + 1 >= s.size() || s[n] != '/') return Decoded::malformed;
    const std::string_view den = s.substr(n + 1);
    Magnitude wholePart, numerator, denominator;
    wholePart.digits(whole);
    numerator.digits(s.substr(0, n));
    if (countDigits(den) != den.size()) return Decoded::malformed;
    denominator.digits(den);
    const std::uint64_t d = denominator.value();
    if (!wholePart.ok() || !numerator.ok() || !denominator.ok()) return Decoded::malformed;
    if (d > 256 || !std::has_single_bit(d)) return Decoded::malformed;
    std::uint64_t v;
    if (__builtin_mul_overflow(wholePart.value(), d, &v)) return Decoded::malformed;
    if (__builtin_add_overflow(v, numerator.value(), &v)) return Decoded::malformed;
    Real r;
    if (!withSign(v, negative, r.mantissa)) return Decoded::malformed;
    r.hint = static_cast<std::uint8_t>(kFractionOne + static_cast<unsigned>(std::countr_zero(d)));
    return out = r, Decoded::value;
}

/// Zeros at the end become the exponent, which also fits numbers that 64 bits cannot hold.
[[nodiscard]] Decoded parseInteger(std::string_view digits, bool negative, Real& out) noexcept {
    std::size_t zeros = 0;
    while (zeros < digits.size() && digits[digits.size() - 1 - zeros] == '0')
        ++zeros;
    if (zeros == digits.size()) return out = Real{0, kExponentZero}, Decoded::value;
    zeros = std::min(zeros, kMaxMovedZeros);
    Magnitude m;
    m.digits(digits.substr(0, digits.size() - zeros));
    Real r;
    if (!m.ok() || !withSign(m.value(), negative, r.mantissa)) return Decoded::malformed;
    r.hint = static_cast<std::uint8_t>(kExponentZero + zeros);
    return out = r, Decoded::value;
}

/// Digits on both sides of a point; the number of decimals is the hint, at most 14.
[[nodiscard]] Decoded parseDecimal(std::string_view whole, std::string_view decimals, bool negative,
                                   Real& out) noexcept {
    if (decimals.empty() || decimals.size() > kExponentZero || countDigits(decimals) != decimals.size())
        return Decoded::malformed;
    Magnitude m;
    m.digits(whole);
    m.digits(decimals);
    Real r;
    if (!m.ok() || !withSign(m.value(), negative, r.mantissa)) return Decoded::malformed;
    r.hint = static_cast<std::uint8_t>(kExponentZero - decimals.size());
    return out = r, Decoded::value;
}

}  // namespace

std::string_view toText(const Real& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    switch (v.hint) {
    case Real::kInfinity:
        return out.put("Inf").text();
    case Real::kNegInfinity:
        return out.put("-Inf").text();
    case Real::kNotANumber:
        return out.put("NaN").text();
    default:
        break;
    }
    if (v.hint > kLastFraction) return {};
    const std::uint64_t m = magnitude(v.mantissa);
    if (v.mantissa < 0) out.put('-');
    if (v.hint < kExponentZero) {
        std::uint64_t scale = 1;
        for (unsigned i = v.hint; i < kExponentZero; ++i)
            scale *= 10;
        return out.number(m / scale).put('.').padded(m % scale, kExponentZero - v.hint).text();
    }
    if (v.hint <= kLastExponent) {
        out.number(m);
        for (unsigned i = kExponentZero; i < v.hint && m != 0; ++i)
            out.put('0');
        return out.text();
    }
    const unsigned shift = v.hint - kFractionOne;
    const std::uint64_t whole = m >> shift, rest = m & ((std::uint64_t{1} << shift) - 1);
    if (whole != 0 || rest == 0) out.number(whole);
    if (rest == 0) return out.text();
    if (whole != 0) out.put(' ');
    return out.number(rest).put('/').number(std::uint64_t{1} << shift).text();
}

Decoded parseReal(std::string_view text, Real& out) noexcept {
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    if (text.empty() || text == "+0" || text == "+0.00") return out = Real{}, Decoded::blank;
    if (sameWord(text, "inf")) return out = Real{0, Real::kInfinity}, Decoded::value;
    if (sameWord(text, "-inf")) return out = Real{0, Real::kNegInfinity}, Decoded::value;
    if (sameWord(text, "nan")) return out = Real{0, Real::kNotANumber}, Decoded::value;
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') text.remove_prefix(1);
    const std::size_t n = countDigits(text);
    const std::string_view whole = text.substr(0, n);
    const std::string_view rest = text.substr(n);
    if (rest.empty()) return n == 0 ? Decoded::malformed : parseInteger(whole, negative, out);
    switch (rest.front()) {
    case '.':
        return parseDecimal(whole, rest.substr(1), negative, out);
    case '/':
        return parseFraction(text, {}, negative, out);
    case ' ':
        return n == 0 ? Decoded::malformed : parseFraction(rest.substr(1), whole, negative, out);
    default:
        return Decoded::malformed;
    }
}

double toDouble(const Real& v) noexcept {
    const auto mantissa = static_cast<double>(v.mantissa);
    if (v.hint <= kLastExponent) return mantissa * kPowerOfTen[v.hint];
    if (v.hint <= kLastFraction) return mantissa / static_cast<double>(1u << (v.hint - kFractionOne));
    if (v.hint == Real::kInfinity) return std::numeric_limits<double>::infinity();
    if (v.hint == Real::kNegInfinity) return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

namespace {

__extension__ using Wide = unsigned __int128;

/// m * 2^shift / divisor to the nearest whole number, halves up; nothing when 64 bits cannot hold it. m has at most 86
/// bits, the divisor at most 17.
[[nodiscard]] std::optional<std::uint64_t> scaled(Wide m, int shift, std::uint32_t divisor) noexcept {
    constexpr int kBits = 128, kDivisorBits = 17;
    if (m == 0) return 0;
    const auto high = static_cast<std::uint64_t>(m >> 64);
    const int bits =
        static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(m)));
    if (shift > 0) {
        if (bits + shift > 64 + kDivisorBits) return std::nullopt;
        m <<= shift;
        shift = 0;
    }
    if (bits + shift < 0) return 0;  // below a half
    if (-shift + kDivisorBits >= kBits - 1) return 0;
    const Wide whole = static_cast<Wide>(divisor) << -shift;
    const Wide quotient = m / whole, rest = m % whole;
    if (quotient >> 64 != 0) return std::nullopt;
    const auto value = static_cast<std::uint64_t>(quotient);
    if (rest < whole - rest) return value;
    if (value == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
    return value + 1;
}

}  // namespace

// A double is a whole number times a power of two, so all of this is exact.
bool fromDouble(double v, std::uint8_t hint, Real& out) noexcept {
    if (std::isnan(v)) return out = Real{0, Real::kNotANumber}, true;
    if (std::isinf(v)) return out = Real{0, v > 0 ? Real::kInfinity : Real::kNegInfinity}, true;
    if (hint > kLastFraction) return false;
    constexpr int kMantissaBits = 53;
    constexpr std::uint64_t kMaxPositive = std::numeric_limits<std::int64_t>::max();
    int exponent = 0;
    Wide m = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(v), &exponent), kMantissaBits));
    exponent -= kMantissaBits;
    std::uint32_t divisor = 1;
    if (hint > kLastExponent) {
        exponent += hint - static_cast<int>(kFractionOne);
    } else {
        const int decimals = static_cast<int>(kExponentZero) - hint;  // 10^n = 5^n * 2^n
        exponent += decimals;
        for (int i = 0; i < decimals; ++i)
            m *= 5;
        for (int i = decimals; i < 0; ++i)
            divisor *= 5;
    }
    const std::optional<std::uint64_t> magnitude = scaled(m, exponent, divisor);
    const bool negative = std::signbit(v);
    if (!magnitude || *magnitude > kMaxPositive + (negative ? 1 : 0)) return false;
    out = Real{static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude), hint};
    return true;
}

std::string_view toText(std::int64_t v, TextBuffer& buffer) noexcept {
    return TextCursor{buffer}.number(v).text();
}

std::string_view toText(std::uint64_t v, TextBuffer& buffer) noexcept {
    return TextCursor{buffer}.number(v).text();
}

std::string_view toText(float v, TextBuffer& buffer) noexcept {
    return TextCursor{buffer}.number(v, 7).text();
}

std::string_view toText(double v, TextBuffer& buffer) noexcept {
    return TextCursor{buffer}.number(v, 16).text();
}

}  // namespace emissary::eta::codec

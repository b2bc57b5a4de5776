#include "json/text_values.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace emissary::eta::json {

using codec::Date;
using codec::DateTime;
using codec::Real;
using codec::Time;

namespace {

constexpr std::uint64_t kMaxPositive = std::numeric_limits<std::int64_t>::max(), kMaxNegative = kMaxPositive + 1;
constexpr int kSmallestExponent = -14, kLargestExponent = 7, kHintOfOne = 14;

[[nodiscard]] bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}

[[nodiscard]] bool withSign(std::uint64_t magnitude, bool negative, std::int64_t& out) noexcept {
    if (magnitude > (negative ? kMaxNegative : kMaxPositive)) return false;
    out = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
    return true;
}

/// v = v * 10 + digit; false on overflow.
[[nodiscard]] bool append(std::uint64_t& v, unsigned digit) noexcept {
    return !__builtin_mul_overflow(v, std::uint64_t{10}, &v) && !__builtin_add_overflow(v, std::uint64_t{digit}, &v);
}

/// A cursor over text: fixed-width numbers and separators.
class Scanner {
public:
    explicit Scanner(std::string_view text) noexcept : text_(text) {}
    [[nodiscard]] bool done() const noexcept { return at_ == text_.size(); }
    [[nodiscard]] bool isNextDigit() const noexcept { return !done() && isDigit(text_[at_]); }
    [[nodiscard]] bool skip(char c) noexcept { return !done() && text_[at_] == c && (++at_, true); }
    /// The number of digits that follow.
    [[nodiscard]] std::size_t digits() const noexcept {
        std::size_t n = at_;
        while (n < text_.size() && isDigit(text_[n]))
            ++n;
        return n - at_;
    }
    /// Exactly n digits (at most 9).
    [[nodiscard]] bool number(std::size_t n, unsigned& out) noexcept {
        if (digits() < n) return false;
        out = 0;
        for (; n != 0; --n)
            out = out * 10 + static_cast<unsigned>(text_[at_++] - '0');
        return true;
    }
    [[nodiscard]] std::size_t left() const noexcept { return text_.size() - at_; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

[[nodiscard]] bool setDay(Date& d, unsigned day) noexcept {
    d.day = static_cast<std::uint8_t>(day);
    return day >= 1 && day <= 31;
}
[[nodiscard]] bool setMonth(Date& d, unsigned month) noexcept {
    d.month = static_cast<std::uint8_t>(month);
    return month >= 1 && month <= 12;
}

/// YYYY-MM-DD, YYYYMMDD and what our writer makes of partial dates: YYYY-MM, YYYY, --MM-DD, YYYY--DD, ----DD.
[[nodiscard]] bool date(std::string_view text, Date& out) noexcept {
    Scanner in(text);
    Date d;
    unsigned n;
    if (in.skip('-')) {
        if (!in.skip('-')) return false;
        if (in.isNextDigit()) {
            if (!in.number(2, n) || !setMonth(d, n) || !in.skip('-')) return false;
        } else if (!in.skip('-') || !in.skip('-')) {
            return false;
        }
        if (!in.number(2, n) || !setDay(d, n)) return false;
    } else {
        const std::size_t digits = in.digits();
        if (digits == 8) {
            if (!in.number(4, n)) return false;
            d.year = static_cast<std::uint16_t>(n);
            if (!in.number(2, n) || !setMonth(d, n) || !in.number(2, n) || !setDay(d, n)) return false;
        } else {
            if (digits < 4 || digits > 5 || !in.number(digits, n) || n > 0xFFFF || n == 0) return false;
            d.year = static_cast<std::uint16_t>(n);
            if (in.skip('-')) {
                if (in.isNextDigit() && (!in.number(2, n) || !setMonth(d, n))) return false;
                if (in.skip('-')) {
                    if (!in.number(2, n) || !setDay(d, n)) return false;
                } else if (d.month == 0) {
                    return false;
                }
            }
        }
    }
    if (!in.done()) return false;
    out = d;
    return true;
}

/// Up to nine digits of a second's fraction.
[[nodiscard]] bool fraction(Scanner& in, Time& t) noexcept {
    const std::size_t digits = in.digits();
    unsigned n;
    if (digits == 0 || digits > 9 || !in.number(digits, n)) return false;
    for (std::size_t i = digits; i < 9; ++i)
        n *= 10;
    t.millisecond = static_cast<std::uint16_t>(n / 1'000'000);
    t.microsecond = static_cast<std::uint16_t>(n / 1'000 % 1'000);
    t.nanosecond = static_cast<std::uint16_t>(n % 1'000);
    return true;
}

[[nodiscard]] bool thousandth(Scanner& in, std::uint16_t& out) noexcept {
    unsigned n;
    if (!in.number(3, n)) return false;
    out = static_cast<std::uint16_t>(n);
    return true;
}

/// Behind the seconds: `.` or `,` and a fraction, or :mmm[:uuu[:nnn]].
[[nodiscard]] bool subSeconds(Scanner& in, Time& t) noexcept {
    if (in.skip('.') || in.skip(',')) return fraction(in, t);
    if (!in.skip(':')) return true;
    if (!thousandth(in, t.millisecond)) return false;
    if (!in.skip(':')) return true;
    if (!thousandth(in, t.microsecond)) return false;
    return !in.skip(':') || thousandth(in, t.nanosecond);
}

[[nodiscard]] bool zone(Scanner& in) noexcept {
    if (in.done() || in.skip('Z')) return true;
    unsigned n;
    if (!in.skip('+') && !in.skip('-')) return false;
    return in.number(2, n) && in.skip(':') && in.number(2, n);
}

[[nodiscard]] bool time(std::string_view text, Time& out) noexcept {
    Scanner in(text);
    Time t;
    unsigned hour, minute = 0, second = 0;
    const std::size_t digits = in.digits();
    if (!in.number(2, hour) || hour > 23) return false;
    if (digits == 2 && in.done()) {
        out = Time::blankTime();
        out.hour = static_cast<std::uint8_t>(hour);
        return true;
    }
    if (digits == 2) {
        if (!in.skip(':') || !in.number(2, minute) || in.isNextDigit()) return false;
        if (in.skip(':') && (!in.number(2, second) || in.isNextDigit() || !subSeconds(in, t))) return false;
    } else {
        if ((digits != 4 && digits != 6) || !in.number(2, minute)) return false;
        if (digits == 6 && !in.number(2, second)) return false;
        if (digits == 6 && (in.skip('.') || in.skip(',')) && !fraction(in, t)) return false;
    }
    if (minute > 59 || second > 60 || !zone(in) || !in.done()) return false;
    t.hour = static_cast<std::uint8_t>(hour);
    t.minute = static_cast<std::uint8_t>(minute);
    t.second = static_cast<std::uint8_t>(second);
    out = t;
    return true;
}

/// Every number: digits with zeros at the end kept apart, so that long texts of small precision fit.
[[nodiscard]] Decoded longReal(std::string_view text, Real& out) noexcept {
    std::size_t i = 0;
    const bool negative = text[0] == '-';
    if (negative) ++i;
    std::uint64_t mantissa = 0;
    int decimals = 0, zeros = 0;
    bool fractional = false;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '.') {
            fractional = true;
            continue;
        }
        if (fractional) ++decimals;
        if (text[i] == '0') {
            if (mantissa != 0) ++zeros;
            continue;
        }
        for (; zeros != 0; --zeros)
            if (!append(mantissa, 0)) return Decoded::malformed;
        if (!append(mantissa, static_cast<unsigned>(text[i] - '0'))) return Decoded::malformed;
    }
    int exponent = 0;
    if (i < text.size()) {
        const bool down = text[++i] == '-';
        if (down || text[i] == '+') ++i;
        for (; i < text.size(); ++i)
            if (exponent < 10'000) exponent = exponent * 10 + (text[i] - '0');
        if (down) exponent = -exponent;
    }
    if (mantissa == 0) return out = Real{0, kHintOfOne}, Decoded::value;
    const int written = exponent - decimals;  // exponent of the last digit that was written
    const int needed = written + zeros;       // and of the last one that counts
    if (needed < kSmallestExponent) return Decoded::malformed;
    int target = std::min(std::max(written, kSmallestExponent), kLargestExponent);
    for (; target <= std::min(needed, kLargestExponent); ++target) {
        std::uint64_t scaled = mantissa;
        bool fits = needed - target < 20;
        for (int k = target; fits && k < needed; ++k)
            fits = append(scaled, 0);
        if (fits && withSign(scaled, negative, out.mantissa))
            return out.hint = static_cast<std::uint8_t>(target + kHintOfOne), Decoded::value;
    }
    return Decoded::malformed;
}

template <class T>
[[nodiscard]] Decoded floating(std::string_view text, T& out) noexcept {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), out);
    return result.ec == std::errc{} ? Decoded::value : Decoded::malformed;
}

}  // namespace

Decoded readUInt(std::string_view text, std::uint64_t& out) noexcept {
    const bool negative = text.front() == '-';
    std::uint64_t v = 0;
    for (const char c : text.substr(negative ? 1 : 0))
        if (!append(v, static_cast<unsigned>(c - '0'))) return Decoded::malformed;
    if (negative && v != 0) return Decoded::malformed;
    out = v;
    return Decoded::value;
}

Decoded readInt(std::string_view text, std::int64_t& out) noexcept {
    const bool negative = text.front() == '-';
    std::uint64_t v = 0;
    for (const char c : text.substr(negative ? 1 : 0))
        if (!append(v, static_cast<unsigned>(c - '0'))) return Decoded::malformed;
    return withSign(v, negative, out) ? Decoded::value : Decoded::malformed;
}

Decoded readReal(std::string_view text, Real& out) noexcept {
    if (text.size() > 18) return longReal(text, out);  // 18 digits fit in any case
    std::uint64_t mantissa = 0;
    std::size_t decimals = 0;
    const char* p = text.data();
    const char* const end = p + text.size();
    const bool negative = *p == '-';
    if (negative) ++p;
    for (; p != end && isDigit(*p); ++p)
        mantissa = mantissa * 10 + static_cast<unsigned>(*p - '0');
    if (p != end && *p == '.') {
        const char* const point = ++p;
        for (; p != end && isDigit(*p); ++p)
            mantissa = mantissa * 10 + static_cast<unsigned>(*p - '0');
        decimals = static_cast<std::size_t>(p - point);
    }
    if (p != end || decimals > 14) return longReal(text, out);
    out.mantissa = static_cast<std::int64_t>(negative ? 0 - mantissa : mantissa);
    out.hint = static_cast<std::uint8_t>(kHintOfOne - static_cast<int>(decimals));
    return Decoded::value;
}

Decoded readDouble(std::string_view text, double& out) noexcept {
    return floating(text, out);
}
Decoded readFloat(std::string_view text, float& out) noexcept {
    return floating(text, out);
}

Decoded readDate(std::string_view text, Date& out) noexcept {
    return date(text, out) ? Decoded::value : Decoded::malformed;
}
Decoded readTime(std::string_view text, Time& out) noexcept {
    return time(text, out) ? Decoded::value : Decoded::malformed;
}
Decoded readDateTime(std::string_view text, DateTime& out) noexcept {
    const std::size_t separator = text.find('T');
    DateTime v{{}, Time::blankTime()};
    if (separator != 0 && !date(text.substr(0, separator), v.date)) return Decoded::malformed;
    if (separator != std::string_view::npos && !time(text.substr(separator + 1), v.time)) return Decoded::malformed;
    out = v;
    return Decoded::value;
}

Decoded readAddress(std::string_view text, std::uint32_t& out) noexcept {
    Scanner in(text);
    std::uint32_t v = 0;
    for (int part = 0; part < 4; ++part) {
        unsigned n;
        if (part != 0 && !in.skip('.')) return Decoded::malformed;
        const std::size_t digits = in.digits();
        if (digits == 0 || digits > 3 || !in.number(digits, n) || n > 255) return Decoded::malformed;
        v = v << 8 | n;
    }
    if (!in.done()) return Decoded::malformed;
    out = v;
    return Decoded::value;
}

}  // namespace emissary::eta::json

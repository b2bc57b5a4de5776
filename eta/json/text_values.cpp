// Parses integers, reals, floating-point numbers, dates, times and addresses from text, with limits and rounding.
#include "json/text_values.h"

#include "eta/codec/primitives.h"
#include "json/Tree.h"
#include "json/text_forms.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace emissary::eta::json {

using codec::Date;
using codec::DateTime;
using codec::Real;
using codec::Time;

namespace {

constexpr std::uint64_t kMaxPositive = std::numeric_limits<std::int64_t>::max(), kMaxNegative = kMaxPositive + 1;
constexpr int kSmallestExponent = -14, kLargestExponent = 7;

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

/// A cursor over text, which is the caller's: fixed-width numbers and separators.
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
    /// Characters that were not read yet.
    [[nodiscard]] std::size_t left() const noexcept { return text_.size() - at_; }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// Days and months: 0 is blank.
[[nodiscard]] bool setDay(Date& d, unsigned day) noexcept {
    d.day = static_cast<std::uint8_t>(day);
    return day <= 31;
}
[[nodiscard]] bool setMonth(Date& d, unsigned month) noexcept {
    d.month = static_cast<std::uint8_t>(month);
    return month <= 12;
}
/// One or two digits.
[[nodiscard]] bool shortNumber(Scanner& in, unsigned& out) noexcept {
    const std::size_t digits = in.digits();
    return digits >= 1 && digits <= 2 && in.number(digits, out);
}

/// YYYY-MM-DD, YYYY-M-D, YYYYMMDD and what our writer makes of partial dates: YYYY-MM, YYYY, --MM-DD, YYYY--DD, ----DD.
/// A part of zeros is blank.
[[nodiscard]] bool date(std::string_view text, Date& out) noexcept {
    Scanner in(text);
    Date d;
    unsigned n;
    if (in.skip('-')) {
        if (!in.skip('-')) return false;
        if (in.isNextDigit()) {
            if (!shortNumber(in, n) || !setMonth(d, n) || !in.skip('-')) return false;
        } else if (!in.skip('-') || !in.skip('-')) {
            return false;
        }
        if (!shortNumber(in, n) || !setDay(d, n)) return false;
    } else {
        const std::size_t digits = in.digits();
        if (digits == 8) {
            if (!in.number(4, n)) return false;
            d.year = static_cast<std::uint16_t>(n);
            if (!in.number(2, n) || !setMonth(d, n) || !in.number(2, n) || !setDay(d, n)) return false;
        } else {
            if (digits < 4 || digits > 5 || !in.number(digits, n) || n > 0xFFFF) return false;
            d.year = static_cast<std::uint16_t>(n);
            if (in.skip('-')) {
                const bool month = in.isNextDigit();
                if (month && (!shortNumber(in, n) || !setMonth(d, n))) return false;
                if (in.skip('-')) {
                    if (!shortNumber(in, n) || !setDay(d, n)) return false;
                } else if (!month) {
                    return false;
                }
            }
        }
    }
    if (!in.done() || !codec::isValid(d)) return false;
    out = d;
    return true;
}

[[nodiscard]] unsigned daysOf(unsigned year, unsigned month) noexcept {
    constexpr std::array<std::uint8_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return kDays[month - 1] + (month == 2 && leap ? 1u : 0u);
}

/// The day before or after; false when there is none, or parts of the date are blank.
[[nodiscard]] bool moveDay(Date& d, int days) noexcept {
    unsigned year = d.year, month = d.month, day = d.day;
    if (year == 0 || month == 0 || day == 0 || day > daysOf(year, month)) return false;
    if (days > 0 && ++day > daysOf(year, month)) {
        day = 1;
        if (++month > 12) month = 1, ++year;
    } else if (days < 0 && --day == 0) {
        if (--month == 0) month = 12, --year;
        day = daysOf(year, month);
    }
    if (year == 0 || year > 0xFFFF) return false;
    d = {static_cast<std::uint8_t>(day), static_cast<std::uint8_t>(month), static_cast<std::uint16_t>(year)};
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

/// Nothing, Z, or +hh:mm, +hhmm, +hh and the same with -: minutes that the clock is ahead of UTC.
[[nodiscard]] bool zone(Scanner& in, int& ahead) noexcept {
    ahead = 0;
    if (in.done() || in.skip('Z') || in.skip('z')) return true;
    const bool behind = in.skip('-');
    unsigned hours, minutes = 0;
    if ((!behind && !in.skip('+')) || !in.number(2, hours) || hours > 23) return false;
    if ((in.skip(':') || in.isNextDigit()) && (!in.number(2, minutes) || minutes > 59)) return false;
    ahead = static_cast<int>(hours * 60 + minutes);
    if (behind) ahead = -ahead;
    return true;
}

/// The time of day in UTC. `days`: how many days it is behind (-1) or ahead (1) of the day that was written.
[[nodiscard]] bool time(std::string_view text, Time& out, int& days) noexcept {
    constexpr int kMinutesOfDay = 24 * 60;
    Scanner in(text);
    Time t;
    unsigned hour, minute = 0, second = 0;
    int ahead = 0;
    const std::size_t digits = in.digits();
    days = 0;
    if (!in.number(digits == 1 ? 1 : 2, hour) || hour > 23) return false;
    if (digits == 2 && in.done()) {
        out = Time::blankTime();
        out.hour = static_cast<std::uint8_t>(hour);
        return true;
    }
    if (digits <= 2) {
        if (!in.skip(':') || !in.number(2, minute) || in.isNextDigit()) return false;
        if (in.skip(':') && (!in.number(2, second) || in.isNextDigit() || !subSeconds(in, t))) return false;
    } else {
        if ((digits != 4 && digits != 6) || !in.number(2, minute)) return false;
        if (digits == 6 && !in.number(2, second)) return false;
        if (digits == 6 && (in.skip('.') || in.skip(',')) && !fraction(in, t)) return false;
    }
    if (minute > 59 || second > 60 || !zone(in, ahead) || !in.done()) return false;
    int utc = static_cast<int>(hour * 60 + minute) - ahead;
    if (utc < 0) utc += kMinutesOfDay, days = -1;
    else if (utc >= kMinutesOfDay) utc -= kMinutesOfDay, days = 1;
    t.hour = static_cast<std::uint8_t>(utc / 60);
    t.minute = static_cast<std::uint8_t>(utc % 60);
    t.second = static_cast<std::uint8_t>(second);
    out = t;
    return true;
}

/// What a number's text says: digits * 10^exponent, without zeros in front.
class Decimal {
public:
    explicit Decimal(std::string_view text) noexcept {
        std::size_t i = negative_ = text[0] == '-';
        bool fractional = false;
        for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
            if (text[i] == '.') {
                fractional = true;
                continue;
            }
            if (fractional) --exponent_;
            if ((size_ != 0 || text[i] != '0') && size_ != digits_.size()) digits_[size_++] = text[i];
        }
        if (i < text.size()) {
            int written = 0;
            const bool down = text[++i] == '-';
            if (down || text[i] == '+') ++i;
            for (; i < text.size(); ++i)
                if (written < 10'000) written = written * 10 + (text[i] - '0');
            exponent_ += down ? -written : written;
        }
    }

    [[nodiscard]] bool zero() const noexcept { return size_ == 0; }
    [[nodiscard]] bool negative() const noexcept { return negative_; }
    [[nodiscard]] int exponent() const noexcept { return exponent_; }
    /// Below one.
    [[nodiscard]] bool small() const noexcept { return static_cast<int>(size_) + exponent_ <= 0; }
    /// Without a fraction.
    [[nodiscard]] bool whole() const noexcept {
        int exponent = exponent_;
        for (std::size_t n = size_; exponent < 0 && n != 0 && digits_[n - 1] == '0'; --n)
            ++exponent;
        return zero() || exponent >= 0;
    }
    /// The magnitude in units of 10^unit, halves up; false when 64 bits cannot hold it. `exact`: nothing was rounded.
    [[nodiscard]] bool in(int unit, std::uint64_t& out, bool& exact) const noexcept {
        constexpr int kMostZeros = 19;
        const int dropped = unit - exponent_;
        const int kept = static_cast<int>(size_) - std::max(dropped, 0);
        out = 0;
        exact = true;
        for (int i = 0; i < kept; ++i)
            if (!append(out, digit(i))) return false;
        if (dropped > 0) {
            for (int i = std::max(kept, 0); exact && i < static_cast<int>(size_); ++i)
                exact = digit(i) == 0;
            if (kept >= 0 && kept < static_cast<int>(size_) && digit(kept) >= 5 &&
                __builtin_add_overflow(out, std::uint64_t{1}, &out))
                return false;
        }
        if (!zero() && dropped < -kMostZeros) return false;
        for (int i = dropped; i < 0 && out != 0; ++i)
            if (!append(out, 0)) return false;
        return true;
    }

private:
    [[nodiscard]] unsigned digit(int i) const noexcept {
        return static_cast<unsigned>(digits_[static_cast<std::size_t>(i)] - '0');
    }
    std::array<char, kMaxNumberSize> digits_;
    std::size_t size_ = 0;
    int exponent_ = 0;
    bool negative_;
};

/// Every number: with the decimals that were written where they fit, else rounded to the most that do.
[[nodiscard]] Decoded longReal(std::string_view text, Real& out) noexcept {
    const Decimal number(text);
    if (number.zero()) return out = Real{0, kHintOfOne}, Decoded::value;
    for (int unit = std::clamp(number.exponent(), kSmallestExponent, kLargestExponent); unit <= kLargestExponent;
         ++unit) {
        std::uint64_t magnitude = 0;
        bool exact = true;
        if (!number.in(unit, magnitude, exact) || !withSign(magnitude, number.negative(), out.mantissa)) continue;
        if (magnitude == 0) unit = 0;
        for (; !exact && unit < 0 && out.mantissa % 10 == 0; ++unit)  // zeros that rounding made
            out.mantissa /= 10;
        return out.hint = static_cast<std::uint8_t>(unit + kHintOfOne), Decoded::value;
    }
    return Decoded::malformed;
}

/// What is too small for the type is 0.
template <class T>
[[nodiscard]] Decoded floating(std::string_view text, T& out) noexcept {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), out);
    if (result.ec == std::errc{}) return Decoded::value;
    if (!Decimal(text).small()) return Decoded::malformed;
    out = text[0] == '-' ? T{-0.0} : T{0};
    return Decoded::value;
}

/// The magnitude of a whole number: digits, or something longer.
[[nodiscard]] bool integer(std::string_view text, std::uint64_t& out) noexcept {
    out = 0;
    for (const char c : text) {
        if (!isDigit(c)) [[unlikely]] {
            const Decimal number(text);
            bool exact = true;
            return number.whole() && number.in(0, out, exact);
        }
        if (!append(out, static_cast<unsigned>(c - '0'))) return false;
    }
    return true;
}

}  // namespace

bool isWhole(std::string_view number) noexcept {
    return Decimal(number).whole();
}

Decoded readUInt(std::string_view text, std::uint64_t& out) noexcept {
    const bool negative = text.front() == '-';
    std::uint64_t v = 0;
    if (!integer(text.substr(negative ? 1 : 0), v)) return Decoded::malformed;
    if (negative && v != 0) return Decoded::malformed;
    out = v;
    return Decoded::value;
}

Decoded readInt(std::string_view text, std::int64_t& out) noexcept {
    const bool negative = text.front() == '-';
    std::uint64_t v = 0;
    if (!integer(text.substr(negative ? 1 : 0), v)) return Decoded::malformed;
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
    int days = 0;  // a time of day has none
    return time(text, out, days) ? Decoded::value : Decoded::malformed;
}
Decoded readDateTime(std::string_view text, DateTime& out) noexcept {
    const std::size_t separator = text.find_first_of("Tt ");
    DateTime v{{}, Time::blankTime()};
    int days = 0;
    if (separator == 0 && text[0] == ' ') return Decoded::malformed;
    if (separator != 0 && !date(text.substr(0, separator), v.date)) return Decoded::malformed;
    if (separator != std::string_view::npos && !time(text.substr(separator + 1), v.time, days))
        return Decoded::malformed;
    if (days != 0 && !v.date.blank() && !moveDay(v.date, days)) return Decoded::malformed;
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

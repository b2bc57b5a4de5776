// Dates and times as text (rwf.md 6.4): two ways to write them, and a reader for each form that people and files use.
#include "codec/TextCursor.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

namespace {

constexpr std::array<std::string_view, 12> kMonths{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                   "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::string_view kInvalidDate = "Invalid date";

/// `17 MAR 2025`; blank parts leave blanks, so that columns stay aligned.
void putDate(TextCursor& out, const Date& v) noexcept {
    if (v.blank()) return;
    if (!isValid(v)) {
        out.put(kInvalidDate);
        return;
    }
    if (v.day != 0) out.padded(v.day, 2).put(' ');
    else if (v.month != 0) out.put("   ");  // a year alone is preceded by the blanks of the month only
    if (v.month != 0) out.put(kMonths[v.month - 1u]).put(' ');
    else out.put("    ");
    if (v.year != 0) out.padded(v.year, 4, ' ');
    else out.put("    ");
}

/// `2025-03-17`; blank parts are left out or become fillers.
void putIsoDate(TextCursor& out, const Date& v) noexcept {
    if (v.blank()) return;
    if (!isValid(v)) {
        out.put(kInvalidDate);
        return;
    }
    if (v.year != 0) out.padded(v.year, 4);
    else out.put('-');
    if (v.month != 0) out.put('-').padded(v.month, 2);
    else if (v.day != 0) out.put("-  ");
    if (v.day != 0) out.put('-').padded(v.day, 2);
}

/// `12:30:15:500:000:000` up to the first blank part.
void putTime(TextCursor& out, const Time& v) noexcept {
    if (v.hour == 255) return;
    out.padded(v.hour, 2);
    if (v.minute == 255) return;
    out.put(':').padded(v.minute, 2);
    if (v.second == 255) return;
    out.put(':').padded(v.second, 2);
    if (v.millisecond == 65535) return;
    out.put(':').padded(v.millisecond, 3);
    if (v.microsecond == 2047) return;
    out.put(':').padded(v.microsecond, 3);
    if (v.nanosecond == 2047) return;
    out.put(':').padded(v.nanosecond, 3);
}

/// `12:30:15.5`; the fraction ends with its last digit that is not 0.
void putIsoTime(TextCursor& out, const Time& v) noexcept {
    if (v.hour == 255) return;
    out.padded(v.hour, 2);
    if (v.minute == 255) return;
    out.put(':').padded(v.minute, 2);
    if (v.second == 255) return;
    out.put(':').padded(v.second, 2);
    if (v.millisecond == 65535) return;
    out.put('.').padded(v.millisecond, 3);
    if (v.microsecond != 2047) {
        out.padded(v.microsecond, 3);
        if (v.nanosecond != 2047) out.padded(v.nanosecond, 3);
    }
    out.dropTrailing('0');
    out.dropTrailing('.');
}

/// Reads text from the front; every step says whether it matched and leaves the text alone when not.
class Scanner {
public:
    explicit Scanner(std::string_view text) noexcept : text_(text) {}
    [[nodiscard]] bool atEnd() const noexcept { return text_.empty(); }
    [[nodiscard]] std::size_t digitsAhead() const noexcept {
        std::size_t n = 0;
        while (n < text_.size() && text_[n] >= '0' && text_[n] <= '9')
            ++n;
        return n;
    }
    [[nodiscard]] bool literal(char c) noexcept {
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    [[nodiscard]] bool oneOf(std::string_view set) noexcept {
        return !text_.empty() && set.find(text_.front()) != std::string_view::npos && literal(text_.front());
    }
    /// Returns how many there were.
    std::size_t blanks() noexcept {
        std::size_t n = 0;
        while (literal(' '))
            ++n;
        return n;
    }
    /// Exactly n digits (a longer run is cut there).
    template <class T>
    [[nodiscard]] bool number(std::size_t n, T& out) noexcept {
        if (digitsAhead() < n) return false;
        unsigned v = 0;
        for (std::size_t i = 0; i < n; ++i)
            v = v * 10 + static_cast<unsigned>(text_[i] - '0');
        text_.remove_prefix(n);
        out = static_cast<T>(v);
        return true;
    }
    [[nodiscard]] bool month(std::uint8_t& out) noexcept {
        for (std::size_t i = 0; i < kMonths.size(); ++i) {
            if (!text_.starts_with(kMonths[i])) continue;
            text_.remove_prefix(kMonths[i].size());
            out = static_cast<std::uint8_t>(i + 1);
            return true;
        }
        return false;
    }

private:
    std::string_view text_;
};

[[nodiscard]] std::string_view trimmed(std::string_view s) noexcept {
    while (!s.empty() && s.front() == ' ')
        s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ')
        s.remove_suffix(1);
    return s;
}

/// Years of two digits lie in the twentieth century.
constexpr std::uint16_t kTwoDigitYears = 1900;

/// YYYY, YYYY-MM, YYYY-MM-DD, YYYYMMDD, YYYY/MM/DD from a text that starts with at least four digits.
[[nodiscard]] bool yearFirst(Scanner in, Date& d) noexcept {
    const std::size_t digits = in.digitsAhead();
    if (digits == 8) return in.number(4, d.year) && in.number(2, d.month) && in.number(2, d.day) && in.atEnd();
    if (digits != 4 || !in.number(4, d.year)) return false;
    if (in.atEnd()) return true;
    if (in.literal('/')) return in.number(2, d.month) && in.literal('/') && in.number(2, d.day) && in.atEnd();
    if (!in.literal('-') || !in.number(2, d.month)) return false;
    return in.atEnd() || (in.literal('-') && in.number(2, d.day) && in.atEnd());
}

/// --MM-DD, --MMDD.
[[nodiscard]] bool yearless(Scanner in, Date& d) noexcept {
    if (!in.literal('-') || !in.literal('-') || !in.number(2, d.month)) return false;
    static_cast<void>(in.literal('-'));
    return in.number(2, d.day) && in.atEnd();
}

/// MM/DD/YYYY, MM/DD/YY.
[[nodiscard]] bool monthFirst(Scanner in, Date& d) noexcept {
    if (!in.number(2, d.month) || !in.literal('/') || !in.number(2, d.day) || !in.literal('/')) return false;
    if (!in.number(in.digitsAhead() == 2 ? 2 : 4, d.year) || !in.atEnd()) return false;
    if (d.year < 100) d.year = static_cast<std::uint16_t>(d.year + kTwoDigitYears);
    return true;
}

/// DD MON YYYY, D MON YY; a year printed right-aligned in four places (rwf.md 6.4) is read back as it stands.
[[nodiscard]] bool monthWord(Scanner in, Date& d) noexcept {
    const std::size_t dayDigits = in.digitsAhead();
    if (dayDigits < 1 || dayDigits > 2 || !in.number(dayDigits, d.day) || !in.literal(' ')) return false;
    if (!in.month(d.month) || !in.literal(' ')) return false;
    const bool rightAligned = in.blanks() != 0;
    const std::size_t yearDigits = in.digitsAhead();
    if (yearDigits < 1 || yearDigits > 4 || !in.number(yearDigits, d.year) || !in.atEnd()) return false;
    if (!rightAligned && yearDigits <= 2) d.year = static_cast<std::uint16_t>(d.year + kTwoDigitYears);
    return true;
}

/// A fraction of 1..9 digits as milli-, micro- and nanoseconds.
[[nodiscard]] bool fraction(Scanner& in, Time& t) noexcept {
    std::size_t n = in.digitsAhead();
    if (n < 1 || n > 9) return false;
    unsigned v = 0;
    if (!in.number(n, v)) return false;
    for (; n < 9; ++n)
        v *= 10;
    t.millisecond = static_cast<std::uint16_t>(v / 1'000'000);
    t.microsecond = static_cast<std::uint16_t>(v / 1'000 % 1'000);
    t.nanosecond = static_cast<std::uint16_t>(v % 1'000);
    return true;
}

/// Z, +hh, +hhmm, +hh:mm: read and ignored.
[[nodiscard]] bool zone(Scanner& in) noexcept {
    unsigned ignored = 0;
    if (in.literal('Z')) return in.atEnd();
    if (!in.oneOf("+-") || !in.number(2, ignored)) return false;
    if (in.atEnd()) return true;
    static_cast<void>(in.literal(':'));
    return in.number(2, ignored) && in.atEnd();
}

/// HHMM, HHMMSS[.f]
[[nodiscard]] bool packedTime(Scanner& in, Time& t) noexcept {
    const std::size_t digits = in.digitsAhead();
    if (digits != 4 && digits != 6) return false;
    if (!in.number(2, t.hour) || !in.number(2, t.minute)) return false;
    if (digits == 4) return true;
    return in.number(2, t.second) && (!in.oneOf(".,") || fraction(in, t));
}

/// HH:MM[:SS[:mmm[:uuu[:nnn]]]] or HH:MM:SS.f, separated by colons or by blanks throughout.
[[nodiscard]] bool separatedTime(Scanner& in, Time& t) noexcept {
    if (!in.number(2, t.hour)) return false;
    const char separator = in.literal(':') ? ':' : ' ';
    if (separator == ' ' && !in.literal(' ')) return false;
    if (!in.number(2, t.minute)) return false;
    if (!in.literal(separator)) return true;
    if (!in.number(2, t.second)) return false;
    if (in.oneOf(".,")) return fraction(in, t);
    if (!in.literal(separator)) return true;
    if (!in.number(3, t.millisecond)) return false;
    if (!in.literal(separator)) return true;
    if (!in.number(3, t.microsecond)) return false;
    return !in.literal(separator) || in.number(3, t.nanosecond);
}

}  // namespace

std::string_view toText(const Date& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    putDate(out, v);
    return out.text();
}

std::string_view toText(const Time& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    putTime(out, v);
    return out.text();
}

std::string_view toText(const DateTime& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    if (v.blank()) return {};
    putDate(out, v.date);
    out.put(' ');
    putTime(out, v.time);
    return out.text();
}

std::string_view toIsoText(const Date& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    putIsoDate(out, v);
    return out.text();
}

std::string_view toIsoText(const Time& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    putIsoTime(out, v);
    return out.text();
}

std::string_view toIsoText(const DateTime& v, TextBuffer& buffer) noexcept {
    TextCursor out{buffer};
    putIsoDate(out, v.date);
    if (v.time.blank()) return out.text();
    out.put('T');
    putIsoTime(out, v.time);
    return out.text();
}

// The forms exclude each other: the first one that matches decides.
Decoded parseDate(std::string_view text, Date& out) noexcept {
    text = trimmed(text);
    if (text.empty()) return out = Date{}, Decoded::blank;
    for (const auto form : {yearFirst, yearless, monthFirst, monthWord}) {
        Date d;
        if (!form(Scanner{text}, d)) continue;
        if (!isValid(d)) return Decoded::malformed;
        out = d;
        return d.blank() ? Decoded::blank : Decoded::value;
    }
    return Decoded::malformed;
}

// Four digits in a row mean that there are no separators.
Decoded parseTime(std::string_view text, Time& out) noexcept {
    text = trimmed(text);
    if (text.empty()) return out = Time::blankTime(), Decoded::blank;
    Scanner in{text};
    Time t;
    const bool packed = in.digitsAhead() >= 4;
    if (!(packed ? packedTime(in, t) : separatedTime(in, t))) return Decoded::malformed;
    if (!in.atEnd() && !zone(in)) return Decoded::malformed;
    if (!isValid(t)) return Decoded::malformed;
    return out = t, Decoded::value;
}

Decoded parseDateTime(std::string_view text, DateTime& out) noexcept {
    text = trimmed(text);
    DateTime v{{}, Time::blankTime()};
    if (text.empty()) return out = v, Decoded::blank;
    const auto accept = [&](std::string_view date, std::string_view time) {
        return parseDate(date, v.date) == Decoded::value && parseTime(time, v.time) == Decoded::value;
    };
    // A T that joins date and time follows a digit or starts the text; the T of OCT follows a letter.
    const std::size_t join = text.find('T');
    if (join == 0) {
        if (parseTime(text.substr(1), v.time) != Decoded::value) return Decoded::malformed;
        return out = v, Decoded::value;
    }
    if (join != std::string_view::npos && text[join - 1] >= '0' && text[join - 1] <= '9') {
        if (!accept(text.substr(0, join), text.substr(join + 1))) return Decoded::malformed;
        return out = v, Decoded::value;
    }
    for (std::size_t at = text.find(' '); at != std::string_view::npos; at = text.find(' ', at + 1))
        if (accept(text.substr(0, at), text.substr(at + 1))) return out = v, Decoded::value;
    v.time = Time::blankTime();
    if (parseDate(text, v.date) != Decoded::value) return Decoded::malformed;
    return out = v, Decoded::value;
}

}  // namespace emissary::eta::codec

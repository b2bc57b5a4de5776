#include "MessageData.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace emissary::perf {

namespace {

constexpr std::uint8_t kHintExponent0 = 14;
constexpr std::uint8_t kHintDivisor1 = 22;

// Reads fixed forms from the front of a text.
class Scanner {
public:
    explicit Scanner(std::string_view text) noexcept : rest_(text) {}

    [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
    [[nodiscard]] bool accept(char c) noexcept {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void skipBlanks() noexcept {
        while (accept(' ')) {}
    }
    // One to `maxDigits` digits.
    [[nodiscard]] std::optional<std::uint32_t> digits(std::size_t maxDigits) noexcept {
        std::uint32_t number = 0;
        std::size_t n = 0;
        while (n < maxDigits && n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9')
            number = number * 10 + static_cast<std::uint32_t>(rest_[n++] - '0');
        if (n == 0) return std::nullopt;
        rest_.remove_prefix(n);
        lastDigits_ = n;
        return number;
    }
    [[nodiscard]] std::size_t lastDigits() const noexcept { return lastDigits_; }
    // Three letters, in any case; 1 for JAN.
    [[nodiscard]] std::optional<std::uint32_t> month() noexcept {
        static constexpr std::array<std::string_view, 12> kNames = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                                    "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
        if (rest_.size() < 3) return std::nullopt;
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            const auto same = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
            if (!std::equal(rest_.begin(), rest_.begin() + 3, kNames[i].begin(), same)) continue;
            rest_.remove_prefix(3);
            return static_cast<std::uint32_t>(i + 1);
        }
        return std::nullopt;
    }

private:
    std::string_view rest_;
    std::size_t lastDigits_ = 0;
};

[[nodiscard]] bool isDate(const DateValue& date) {
    static constexpr std::array<std::uint8_t, 12> kDays = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (date.year > 4095 || date.month < 1 || date.month > 12 || date.day < 1) return false;
    if (date.day > kDays[date.month - 1U]) return false;
    const bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
    return leap || date.month != 2 || date.day <= 28;
}

// DD MON YYYY, YYYY-MM-DD or MM/DD/YYYY.
[[nodiscard]] std::optional<DateValue> scanDate(Scanner& in) {
    std::optional<std::uint32_t> year;
    std::optional<std::uint32_t> month;
    std::optional<std::uint32_t> day;
    const auto first = in.digits(4);
    if (!first) return std::nullopt;
    if (in.accept('-')) {
        year = first;
        month = in.digits(2);
        if (!month || !in.accept('-')) return std::nullopt;
        day = in.digits(2);
    } else if (in.accept('/')) {
        month = first;
        day = in.digits(2);
        if (!day || !in.accept('/')) return std::nullopt;
        year = in.digits(4);
    } else {
        day = first;
        in.skipBlanks();
        month = in.month();
        in.skipBlanks();
        year = in.digits(4);
    }
    if (!year || !month || !day) return std::nullopt;
    const DateValue date{static_cast<std::uint16_t>(*year), static_cast<std::uint8_t>(std::min(*month, 255U)),
                         static_cast<std::uint8_t>(std::min(*day, 255U))};
    if (!isDate(date)) return std::nullopt;
    return date;
}

// HH:MM[:SS[:mmm[:uuu[:nnn]]]] or HH:MM:SS.fraction.
[[nodiscard]] std::optional<TimeValue> scanTime(Scanner& in) {
    const auto hour = in.digits(2);
    if (!hour || *hour > 23 || !in.accept(':')) return std::nullopt;
    const auto minute = in.digits(2);
    if (!minute || *minute > 59) return std::nullopt;
    TimeValue time;
    time.hour = static_cast<std::uint8_t>(*hour);
    time.minute = static_cast<std::uint8_t>(*minute);
    if (!in.accept(':')) return time;
    const auto second = in.digits(2);
    if (!second || *second > 60) return std::nullopt;
    time.second = static_cast<std::uint8_t>(*second);
    if (in.accept('.')) {
        auto fraction = in.digits(9);
        if (!fraction) return std::nullopt;
        for (std::size_t n = in.lastDigits(); n < 9; ++n)
            *fraction *= 10;
        time.millisecond = static_cast<std::uint16_t>(*fraction / 1'000'000);
        time.microsecond = static_cast<std::uint16_t>(*fraction / 1000 % 1000);
        time.nanosecond = static_cast<std::uint16_t>(*fraction % 1000);
        return time;
    }
    for (std::uint16_t* part : {&time.millisecond, &time.microsecond, &time.nanosecond}) {
        if (!in.accept(':')) break;
        const auto number = in.digits(3);
        if (!number) return std::nullopt;
        *part = static_cast<std::uint16_t>(*number);
    }
    return time;
}

template <class T>
[[nodiscard]] std::optional<FieldContent> wholeText(std::string_view text, std::optional<T> (*scan)(Scanner&)) {
    Scanner in(text);
    in.skipBlanks();
    const std::optional<T> value = scan(in);
    in.skipBlanks();
    if (!value || !in.done()) return std::nullopt;
    return FieldContent(*value);
}

[[nodiscard]] std::optional<DateTimeValue> scanDateTime(Scanner& in) {
    const auto date = scanDate(in);
    if (!date) return std::nullopt;
    if (!in.accept('T')) in.skipBlanks();
    const auto time = scanTime(in);
    if (!time) return std::nullopt;
    return DateTimeValue{*date, *time};
}

template <class T>
[[nodiscard]] std::optional<T> number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Appends a decimal digit; false on overflow.
[[nodiscard]] bool appendDigit(std::int64_t& mantissa, char digit) {
    return !__builtin_mul_overflow(mantissa, std::int64_t{10}, &mantissa) &&
           !__builtin_add_overflow(mantissa, std::int64_t{digit - '0'}, &mantissa);
}

// "[whole ]numerator/denominator" with a denominator that is a power of two up to 256.
[[nodiscard]] std::optional<RealValue> parseFraction(std::string_view text) {
    std::int64_t whole = 0;
    if (const std::size_t blank = text.find(' '); blank != std::string_view::npos) {
        const auto value = number<std::int32_t>(text.substr(0, blank));
        if (!value || *value < 0) return std::nullopt;
        whole = *value;
        text.remove_prefix(blank + 1);
    }
    const std::size_t slash = text.find('/');
    const auto numerator = number<std::int32_t>(text.substr(0, slash));
    const auto denominator = number<std::uint32_t>(text.substr(slash + 1));
    if (!numerator || *numerator < 0 || !denominator) return std::nullopt;
    for (std::uint8_t power = 0; power <= 8; ++power)
        if (*denominator == 1U << power)
            return RealValue{whole * *denominator + *numerator, static_cast<std::uint8_t>(kHintDivisor1 + power)};
    return std::nullopt;
}

[[nodiscard]] std::optional<RealValue> parseReal(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    std::optional<RealValue> value;
    if (text.find('/') != std::string_view::npos) {
        value = parseFraction(text);
    } else {
        RealValue decimal;
        bool digitSeen = false;
        bool pointSeen = false;
        for (const char c : text) {
            if (c == '.' && !pointSeen) {
                pointSeen = true;
                continue;
            }
            if (c < '0' || c > '9' || (pointSeen && decimal.hint == 0) || !appendDigit(decimal.mantissa, c))
                return std::nullopt;
            digitSeen = true;
            if (pointSeen) --decimal.hint;
        }
        if (digitSeen) value = decimal;
    }
    if (value && negative) value->mantissa = -value->mantissa;
    return value;
}

template <class T>
[[nodiscard]] std::optional<FieldContent> parseFloating(std::string_view text) {
    const auto value = number<T>(text);
    if (!value) return std::nullopt;
    return FieldContent(*value);
}

}  // namespace

static_assert(kHintExponent0 == RealValue{}.hint);

std::optional<FieldContent> parseFieldContent(FieldType type, std::string_view text) {
    const bool isString =
        type == FieldType::buffer || type == FieldType::ascii || type == FieldType::utf8 || type == FieldType::rmtes;
    if (isString) return FieldContent(std::string(text));
    if (text.empty()) return FieldContent();
    switch (type) {
    case FieldType::integer:
        if (const auto value = number<std::int64_t>(text)) return FieldContent(*value);
        return std::nullopt;
    case FieldType::unsignedInteger:
        if (const auto value = number<std::uint64_t>(text)) return FieldContent(*value);
        return std::nullopt;
    case FieldType::enumeration:
        if (const auto value = number<std::uint16_t>(text)) return FieldContent(std::uint64_t{*value});
        return std::nullopt;
    case FieldType::float32:
        return parseFloating<float>(text);
    case FieldType::float64:
        return parseFloating<double>(text);
    case FieldType::real:
        if (const auto value = parseReal(text)) return FieldContent(*value);
        return std::nullopt;
    case FieldType::date:
        return wholeText<DateValue>(text, scanDate);
    case FieldType::time:
        return wholeText<TimeValue>(text, scanTime);
    case FieldType::dateTime:
        return wholeText<DateTimeValue>(text, scanDateTime);
    case FieldType::qos:
    case FieldType::state:
    case FieldType::buffer:
    case FieldType::ascii:
    case FieldType::utf8:
    case FieldType::rmtes:
        break;
    }
    return std::nullopt;
}

}  // namespace emissary::perf

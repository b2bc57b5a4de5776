// config/messages: texts of a message file to field values, by the type of the field in the dictionary.
#include "MessageData.h"

#include "eta/codec/text.h"

#include <charconv>

namespace emissary::messages {

namespace {

using eta::codec::Decoded;

template <class T, class Content = T>
[[nodiscard]] std::optional<FieldContent> number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return FieldContent(Content{value});
}

[[nodiscard]] RealValue contentOf(const eta::codec::Real& v) {
    return {v.mantissa, v.hint};
}
[[nodiscard]] DateValue contentOf(const eta::codec::Date& v) {
    return {v.year, v.month, v.day};
}
[[nodiscard]] TimeValue contentOf(const eta::codec::Time& v) {
    return {v.hour, v.minute, v.second, v.millisecond, v.microsecond, v.nanosecond};
}
[[nodiscard]] DateTimeValue contentOf(const eta::codec::DateTime& v) {
    return {contentOf(v.date), contentOf(v.time)};
}

/// Dates with unknown parts exist on the wire, but a template of such a date says nothing.
[[nodiscard]] bool whole(const eta::codec::Date& v) {
    return v.day != 0 && v.month != 0 && v.year != 0;
}
[[nodiscard]] bool whole(const eta::codec::DateTime& v) {
    return whole(v.date) && !v.time.blank();
}
template <class T>
[[nodiscard]] bool whole(const T& /*v*/) {
    return true;
}

/// What the codec reads as such a value (rwf.md 6.2, 6.4).
template <class T>
[[nodiscard]] std::optional<FieldContent> parsed(std::string_view text,
                                                 Decoded (*parse)(std::string_view, T&) noexcept) {
    // Files of messages are written with columns: blanks before a number are no fault.
    while (text.starts_with(' '))
        text.remove_prefix(1);
    T value;
    switch (parse(text, value)) {
    // A template stands for messages that are sent a million times: a date with unknown parts in it is a slip.
    case Decoded::value:
        if (!whole(value)) return std::nullopt;
        return FieldContent(contentOf(value));
    case Decoded::blank:
        return FieldContent();
    case Decoded::malformed:
        break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<FieldContent> parseFieldContent(FieldType type, std::string_view text) {
    const bool isString =
        type == FieldType::buffer || type == FieldType::ascii || type == FieldType::utf8 || type == FieldType::rmtes;
    if (isString) return FieldContent(std::string(text));
    // An empty text is a blank value of the type. For strings it is a string without characters.
    if (text.empty()) return FieldContent();
    switch (type) {
    case FieldType::integer:
        return number<std::int64_t>(text);
    case FieldType::unsignedInteger:
        return number<std::uint64_t>(text);
    case FieldType::enumeration:
        return number<std::uint16_t, std::uint64_t>(text);
    case FieldType::float32:
        return number<float>(text);
    case FieldType::float64:
        return number<double>(text);
    case FieldType::real:
        return parsed<eta::codec::Real>(text, eta::codec::parseReal);
    case FieldType::date:
        return parsed<eta::codec::Date>(text, eta::codec::parseDate);
    case FieldType::time:
        return parsed<eta::codec::Time>(text, eta::codec::parseTime);
    case FieldType::dateTime:
        return parsed<eta::codec::DateTime>(text, eta::codec::parseDateTime);
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

}  // namespace emissary::messages

// Parses the printed values of an XML trace as primitive types.
#include "rwfcat/trace_values.h"

#include "eta/codec/primitives.h"
#include "eta/codec/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

namespace emissary::rwfcat {

using namespace emissary::eta::codec;
using eta::BeWriter;
using eta::Bytes;

namespace {

template <class Encode>
ByteVector content(std::size_t room, Encode encode) {
    ByteVector block(room);
    BeWriter out{block};
    encode(out);
    const Bytes view = out.view();
    return {view.begin(), view.end()};
}

template <class Number>
Number parsed(const TraceLine& line, std::string_view text) {
    Number n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size())
        line.wrong("\"" + std::string(text) + "\" is no number");
    return n;
}

/// The number whose word this is, of `count` numbers.
std::uint8_t numberOf(const TraceLine& line, std::string_view word, const char* (*name)(std::uint8_t) noexcept,
                      // Words are found by trying the numbers, so both directions use one table.
                      int count) {
    for (int n = 0; n < count; ++n)
        if (word == name(static_cast<std::uint8_t>(n))) return static_cast<std::uint8_t>(n);
    line.wrong("\"" + std::string(word) + "\" is not known");
}

/// Takes what stands before `mark` off the front.
std::string_view upTo(const TraceLine& line, std::string_view& text, std::string_view mark) {
    const auto end = text.find(mark);
    if (end == std::string_view::npos) line.wrong("no \"" + std::string(mark) + "\"");
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end + mark.size());
    return part;
}

ByteVector qosKey(const TraceLine& line, std::string_view text) {
    Qos q;
    upTo(line, text, "Qos: ");
    q.timeliness = numberOf(line, upTo(line, text, "/"), timelinessName, 4);
    q.rate = numberOf(line, upTo(line, text, "/"), rateName, 4);
    q.dynamic = upTo(line, text, " - timeInfo: ") == "Dynamic";
    q.timeInfo = parsed<std::uint16_t>(line, upTo(line, text, " - rateInfo: "));
    q.rateInfo = parsed<std::uint16_t>(line, text);
    return content(16, [&](BeWriter& out) { encodeQos(out, q); });
}

ByteVector stateKey(const TraceLine& line, std::string_view text) {
    State s;
    upTo(line, text, "State: ");
    s.stream = numberOf(line, upTo(line, text, "/"), streamStateName, 6);
    s.data = numberOf(line, upTo(line, text, "/"), dataStateName, 3);
    const std::string_view code = upTo(line, text, " - text: \"");
    s.code =
        // One code is printed with a text of its own.
        code == "Application is denied access to system" ? std::uint8_t{32} : numberOf(line, code, stateCodeName, 128);
    if (text.empty()) line.wrong("no end of the text");
    s.text = eta::asBytes(text.substr(0, text.size() - 1));
    return content(8 + s.text.size(), [&](BeWriter& out) { encodeState(out, s); });
}

/// A printed time stops before its first blank part, where people mean zero.
void blankTail(std::string_view text, Time& time) {
    const auto colons = std::count(text.begin(), text.end(), ':');
    if (colons == 0 || time.blank()) return;
    const Time blank = Time::blankTime();
    if (colons < 2) time.second = blank.second;
    if (colons < 3) time.millisecond = blank.millisecond;
    if (colons < 4) time.microsecond = blank.microsecond;
    if (colons < 5) time.nanosecond = blank.nanosecond;
}

/// Numbers and times; empty text is blank.
ByteVector printedValue(const TraceLine& line, std::string_view text, DataType type) {
    if (text.empty()) return {};
    const auto need = [&](Decoded d) {
        if (d == Decoded::malformed) line.wrong("\"" + std::string(text) + "\" is no " + name(type));
    };
    switch (type) {
    case DataType::Int:
        return content(16, [&](BeWriter& out) { encodeInt(out, parsed<std::int64_t>(line, text)); });
    case DataType::UInt:
        return content(16, [&](BeWriter& out) { encodeUInt(out, parsed<std::uint64_t>(line, text)); });
    case DataType::Enum:
        return content(16, [&](BeWriter& out) { encodeEnum(out, parsed<std::uint16_t>(line, text)); });
    case DataType::Float:
        return content(16, [&](BeWriter& out) { encodeFloat(out, std::strtof(std::string(text).c_str(), nullptr)); });
    case DataType::Double:
        return content(16, [&](BeWriter& out) { encodeDouble(out, std::strtod(std::string(text).c_str(), nullptr)); });
    case DataType::Real: {
        Real r;
        if (text == "Inf") r.hint = Real::kInfinity;
        else if (text == "-Inf") r.hint = Real::kNegInfinity;
        else if (text == "NaN") r.hint = Real::kNotANumber;
        else need(parseReal(text, r));
        return content(24, [&](BeWriter& out) { encodeReal(out, r); });
    }
    case DataType::Date: {
        Date d;
        // A date without a year is printed with blanks in its place.
        if (constexpr std::string_view kNoYear = "    "; text.size() == 11 && text.ends_with(kNoYear)) {
            need(parseDate(std::string(text.substr(0, 7)) + "2000", d));  // a leap year: any day
            d.year = 0;
        } else need(parseDate(text, d));
        return content(8, [&](BeWriter& out) { encodeDate(out, d); });
    }
    case DataType::Time: {
        Time t;
        need(parseTime(text, t));
        blankTail(text, t);
        return content(16, [&](BeWriter& out) { encodeTime(out, t); });
    }
    case DataType::DateTime: {
        DateTime both;
        need(parseDateTime(text, both));
        blankTail(text, both.time);
        return content(24, [&](BeWriter& out) { encodeDateTime(out, both); });
    }
    default:
        line.wrong(std::string("a value of type ") + name(type) + " is not known");
    }
}

bool isString(DataType type) noexcept {
    return type == DataType::Buffer || type == DataType::AsciiString || type == DataType::Utf8String ||
           type == DataType::RmtesString;
}

}  // namespace

State stateOf(TraceLine& line, std::string_view behind, ByteVector& text) {
    State s;
    s.data = static_cast<std::uint8_t>(line.word("dataState", eta::trace::kDataStates));
    s.stream = static_cast<std::uint8_t>(line.word("streamState", eta::trace::kStreamStates));
    s.code = static_cast<std::uint8_t>(line.word("code", eta::trace::kStateCodes));
    text = line.raw("text", behind, true);
    s.text = Bytes(text);
    return s;
}

ByteVector valueOf(TraceLine& line, DataType type) {
    if (type == DataType::Qos) {
        if (!line.has("qosDynamic")) return {};
        const Qos q = line.qos("qos");
        return content(16, [&](BeWriter& out) { encodeQos(out, q); });
    }
    if (type == DataType::State) {
        if (!line.has("dataState")) return {};
        ByteVector text;
        const State s = stateOf(line, "\" />", text);
        return content(8 + text.size(), [&](BeWriter& out) { encodeState(out, s); });
    }
    return isString(type) ? line.string("data") : printedValue(line, line.plain("data"), type);
}

// Keys are values of a type, printed without a tag of their own.
ByteVector keyOf(const TraceLine& line, const ByteVector& printed, DataType type) {
    if (isString(type)) return printed;
    const std::string_view text = eta::asText(printed);
    if (type == DataType::Qos) return qosKey(line, text);
    if (type == DataType::State) return stateKey(line, text);
    return printedValue(line, text, type);
}

}  // namespace emissary::rwfcat

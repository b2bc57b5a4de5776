// Writes one decoded primitive value as an attribute, or its bytes when it cannot be decoded.
#include "trace/ValueXml.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::trace {

using codec::DataType;
using codec::Decoded;

/// A value that cannot be read does not end its container.
void ValueXml::read(Decoded outcome) {
    if (outcome == Decoded::malformed) fail(Errc::badValue);
}

void ValueXml::value(DataType type, DataType setType, Bytes bytes) {
    if (type == DataType::Qos) {
        codec::Qos qos;
        const Decoded d = codec::decodeQos(bytes, qos);
        read(d);
        if (d == Decoded::value) out_.qos("qos", qos);
    } else if (type == DataType::State) {
        codec::State state;
        const Decoded d = codec::decodeState(bytes, state);
        read(d);
        if (d == Decoded::value) out_.state(state);
    } else {
        out_.text(" data=\"");
        printed(type, setType, bytes, false);
        out_.text("\"");
    }
}

void ValueXml::stateText(Bytes bytes) {
    codec::State state;
    const Decoded d = codec::decodeState(bytes, state);
    read(d);
    if (d != Decoded::value) return;
    out_.text("State: ").text(codec::streamStateName(state.stream)).text("/").text(codec::dataStateName(state.data));
    constexpr std::uint8_t kAccessDenied = 32;
    out_.text("/").text(state.code == kAccessDenied ? "Application is denied access to system"
                                                    : codec::stateCodeName(state.code));
    out_.text(" - text: \"").raw(state.text).text("\"");
}

/// As everywhere, but a year alone keeps the places of day and month.
void ValueXml::dateText(const codec::Date& date) {
    codec::TextBuffer room;
    if (date.day == 0 && date.month == 0 && date.year != 0) out_.text("   ");
    out_.text(codec::toText(date, room));
}

void ValueXml::printed(DataType type, DataType setType, Bytes bytes, bool isKey) {
    codec::TextBuffer room;
    const auto print = [&](auto decode, auto value) {
        const Decoded d = decode(bytes, value);
        read(d);
        if (d == Decoded::value) out_.text(codec::toText(value, room));
    };
    switch (type) {
    case DataType::Int:
        return print(codec::decodeInt, std::int64_t{});
    case DataType::UInt:
        return print(codec::decodeUInt, std::uint64_t{});
    case DataType::Enum: {
        std::uint16_t number = 0;
        const Decoded d = codec::decodeEnum(bytes, number);
        read(d);
        if (d == Decoded::value) out_.unsignedNumber(number);
        return;
    }
    case DataType::Float: {
        float number = 0;
        const Decoded d = codec::decodeFloat(bytes, number);
        read(d);
        if (d == Decoded::value) out_.text(codec::toText(static_cast<double>(number), room));
        return;
    }
    case DataType::Double:
        return print(codec::decodeDouble, double{});
    case DataType::Real: {
        codec::Real real;
        const Decoded d = codec::decodeSetReal(bytes, setType, real);
        read(d);
        if (d == Decoded::value) out_.text(codec::toText(real, room));
        return;
    }
    case DataType::Date: {
        codec::Date date;
        const Decoded d = codec::decodeDate(bytes, date);
        read(d);
        if (d == Decoded::value) dateText(date);
        return;
    }
    case DataType::Time:
        return print(codec::decodeTime, codec::Time{});
    case DataType::DateTime: {
        codec::DateTime both;
        const Decoded d = codec::decodeDateTime(bytes, both);
        read(d);
        if (d != Decoded::value) return;
        if (both.date.day == 0 && both.date.month == 0 && both.date.year != 0) out_.text("   ");
        out_.text(codec::toText(both, room));
        return;
    }
    case DataType::Qos:
        return print(codec::decodeQos, codec::Qos{});
    case DataType::State:
        return stateText(bytes);
    case DataType::Buffer:
    case DataType::AsciiString:
    case DataType::Utf8String:
    case DataType::RmtesString:
        isKey ? out_.raw(bytes) : out_.escaped(bytes);
        return;
    default:  // a type that there is not
        out_.hex(bytes);
        fail(Errc::unsupportedType);
    }
}

}  // namespace emissary::eta::trace

// Names of types and message classes, base types of set forms, and whether dates and times can exist.
#include "eta/codec/Types.h"

#include "eta/codec/Msg.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

DataType baseType(DataType t) noexcept {
    switch (static_cast<std::uint8_t>(t)) {
    case 1:
        return DataType::Int;
    case 2:
        return DataType::UInt;
    case 7:
        return DataType::Real;
    default:
        break;
    }
    switch (t) {
    case DataType::Int1:
    case DataType::Int2:
    case DataType::Int4:
    case DataType::Int8:
        return DataType::Int;
    case DataType::UInt1:
    case DataType::UInt2:
    case DataType::UInt4:
    case DataType::UInt8:
        return DataType::UInt;
    case DataType::Float4:
        return DataType::Float;
    case DataType::Double8:
        return DataType::Double;
    case DataType::Real4RB:
    case DataType::Real8RB:
        return DataType::Real;
    case DataType::Date4:
        return DataType::Date;
    case DataType::Time3:
    case DataType::Time5:
    case DataType::Time7:
    case DataType::Time8:
        return DataType::Time;
    case DataType::DateTime7:
    case DataType::DateTime9:
    case DataType::DateTime11:
    case DataType::DateTime12:
        return DataType::DateTime;
    default:
        return t;
    }
}

const char* name(DataType t) noexcept {
    switch (t) {
    case DataType::Unknown:
        break;
    case DataType::Int:
        return "Int";
    case DataType::UInt:
        return "UInt";
    case DataType::Float:
        return "Float";
    case DataType::Double:
        return "Double";
    case DataType::Real:
        return "Real";
    case DataType::Date:
        return "Date";
    case DataType::Time:
        return "Time";
    case DataType::DateTime:
        return "DateTime";
    case DataType::Qos:
        return "Qos";
    case DataType::State:
        return "State";
    case DataType::Enum:
        return "Enum";
    case DataType::Array:
        return "Array";
    case DataType::Buffer:
        return "Buffer";
    case DataType::AsciiString:
        return "AsciiString";
    case DataType::Utf8String:
        return "Utf8String";
    case DataType::RmtesString:
        return "RmtesString";
    case DataType::Int1:
        return "Int_1";
    case DataType::UInt1:
        return "UInt_1";
    case DataType::Int2:
        return "Int_2";
    case DataType::UInt2:
        return "UInt_2";
    case DataType::Int4:
        return "Int_4";
    case DataType::UInt4:
        return "UInt_4";
    case DataType::Int8:
        return "Int_8";
    case DataType::UInt8:
        return "UInt_8";
    case DataType::Float4:
        return "Float_4";
    case DataType::Double8:
        return "Double_8";
    case DataType::Real4RB:
        return "Real_4RB";
    case DataType::Real8RB:
        return "Real_8RB";
    case DataType::Date4:
        return "Date_4";
    case DataType::Time3:
        return "Time_3";
    case DataType::Time5:
        return "Time_5";
    case DataType::DateTime7:
        return "DateTime_7";
    case DataType::DateTime9:
        return "DateTime_9";
    case DataType::DateTime11:
        return "DateTime_11";
    case DataType::DateTime12:
        return "DateTime_12";
    case DataType::Time7:
        return "Time_7";
    case DataType::Time8:
        return "Time_8";
    case DataType::NoData:
        return "NoData";
    case DataType::Opaque:
        return "Opaque";
    case DataType::Xml:
        return "Xml";
    case DataType::FieldList:
        return "FieldList";
    case DataType::ElementList:
        return "ElementList";
    case DataType::AnsiPage:
        return "AnsiPage";
    case DataType::FilterList:
        return "FilterList";
    case DataType::Vector:
        return "Vector";
    case DataType::Map:
        return "Map";
    case DataType::Series:
        return "Series";
    case DataType::Msg:
        return "Msg";
    case DataType::Json:
        return "Json";
    }
    return "Unknown";
}

const char* name(MsgClass c) noexcept {
    switch (c) {
    case MsgClass::Request:
        return "Request";
    case MsgClass::Refresh:
        return "Refresh";
    case MsgClass::Status:
        return "Status";
    case MsgClass::Update:
        return "Update";
    case MsgClass::Close:
        return "Close";
    case MsgClass::Ack:
        return "Ack";
    case MsgClass::Generic:
        return "Generic";
    case MsgClass::Post:
        return "Post";
    }
    return "Unknown";
}

// Day and month 0 are blank parts and always possible.
bool isValid(const Date& d) noexcept {
    constexpr std::array<std::uint8_t, 13> days{31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (d.month > 12) return false;
    const bool leap = d.year % 4 == 0 && (d.year % 100 != 0 || d.year % 400 == 0);
    return d.day <= days[d.month] + (d.month == 2 && leap ? 1 : 0);
}

bool isValid(const Time& t) noexcept {
    // Once a member is blank every finer one must be (rwf.md 2.7).
    bool blank = false;
    const auto part = [&blank](unsigned v, unsigned marker, unsigned limit) {
        if (v == marker) return blank = true;
        return !blank && v <= limit;
    };
    return part(t.hour, 255, 23) && part(t.minute, 255, 59) && part(t.second, 255, 60) &&
           part(t.millisecond, 65535, 999) && part(t.microsecond, 2047, 999) && part(t.nanosecond, 2047, 999);
}

}  // namespace emissary::eta::codec

// The add methods that FieldList, ElementList and OmmArray share: checks of values and their encoding (ema-api.md 3.2).
#pragma once

#include "Access/Include/EmaBuffer.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"
#include "eta/codec/primitives.h"

#include <string_view>

namespace emissary::ema {

using refinitiv::ema::access::EmaBuffer;
using refinitiv::ema::access::EmaString;
using refinitiv::ema::access::UInt16;
using refinitiv::ema::access::UInt32;
using refinitiv::ema::access::UInt8;

[[nodiscard]] inline eta::Bytes bytesOf(const EmaBuffer& b) noexcept {
    return {reinterpret_cast<const std::byte*>(b.c_buf()), b.length()};
}
[[nodiscard]] inline eta::Bytes bytesOf(const EmaString& s) noexcept {
    return {reinterpret_cast<const std::byte*>(s.c_str()), s.length()};
}
[[nodiscard]] inline std::string_view viewOf(const EmaString& s) noexcept {
    return {s.c_str(), s.length()};
}

/// Each throws OmmOutOfRangeException naming the value when it is out of range.
[[nodiscard]] eta::codec::Date checkedDate(UInt16 year, UInt8 month, UInt8 day);
[[nodiscard]] eta::codec::Time checkedTime(UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond,
                                           UInt16 microsecond, UInt16 nanosecond);
/// Throws OmmInvalidUsageException when the value cannot be written with that magnitude.
[[nodiscard]] eta::codec::Real realFromDouble(double value, refinitiv::ema::access::OmmReal::MagnitudeType magnitude);
[[noreturn]] void refuseMagnitude(unsigned magnitude);
/// Throws OmmOutOfRangeException for a magnitude that does not exist (rwf.md 2.5).
[[nodiscard]] inline eta::codec::Real checkedReal(refinitiv::ema::access::Int64 mantissa,
                                                  refinitiv::ema::access::OmmReal::MagnitudeType magnitude) {
    const auto hint = static_cast<std::uint8_t>(magnitude);
    if (hint > 30 && (hint < 33 || hint > 35)) [[unlikely]]
        refuseMagnitude(hint);
    return {mantissa, hint};
}

}  // namespace emissary::ema

// Expands to the primitive rows of the ADD table for `Class`. The including file defines EMISSARY_KEYS (the parameters
// in front, with their comma), EMISSARY_KEY (those of the addCode methods), EMISSARY_ARGS (what is handed on, with its
// comma, to impl_->value(EMISSARY_ARGS type, writeContent)) and EMISSARY_ADD (what the method of a type is called that
// FieldList has inline).
#define EMISSARY_ADD_TABLE(Class)                                                                                      \
    Class& Class::EMISSARY_ADD(Int)(EMISSARY_KEYS Int64 v) {                                                           \
        impl_->value(EMISSARY_ARGS T::Int, [v](BeWriter& w) { codec::encodeIntPrefixed(w, v); });                      \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(UInt)(EMISSARY_KEYS UInt64 v) {                                                         \
        impl_->value(EMISSARY_ARGS T::UInt, [v](BeWriter& w) { codec::encodeUIntPrefixed(w, v); });                    \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Real)(EMISSARY_KEYS Int64 mantissa, OmmReal::MagnitudeType magnitude) {                 \
        const codec::Real v = emissary::ema::checkedReal(mantissa, magnitude);                                         \
        impl_->value(EMISSARY_ARGS T::Real, [v](BeWriter& w) { codec::encodeRealPrefixed(w, v); });                    \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::addRealFromDouble(EMISSARY_KEYS double value, OmmReal::MagnitudeType magnitude) {                    \
        const codec::Real v = emissary::ema::realFromDouble(value, magnitude);                                         \
        impl_->value(EMISSARY_ARGS T::Real, [v](BeWriter& w) { codec::encodeRealPrefixed(w, v); });                    \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Float)(EMISSARY_KEYS float v) {                                                         \
        impl_->value(EMISSARY_ARGS T::Float, [v](BeWriter& w) { codec::encodeFloatPrefixed(w, v); });                  \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Double)(EMISSARY_KEYS double v) {                                                       \
        impl_->value(EMISSARY_ARGS T::Double, [v](BeWriter& w) { codec::encodeDoublePrefixed(w, v); });                \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Date)(EMISSARY_KEYS UInt16 year, UInt8 month, UInt8 day) {                              \
        const codec::Date v = emissary::ema::checkedDate(year, month, day);                                            \
        impl_->value(EMISSARY_ARGS T::Date, [&v](BeWriter& w) { codec::encodeDatePrefixed(w, v); });                   \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Time)(EMISSARY_KEYS UInt8 hour, UInt8 minute, UInt8 second, UInt16 milli, UInt16 micro, \
                                     UInt16 nano) {                                                                    \
        const codec::Time v = emissary::ema::checkedTime(hour, minute, second, milli, micro, nano);                    \
        impl_->value(EMISSARY_ARGS T::Time, [&v](BeWriter& w) { codec::encodeTimePrefixed(w, v); });                   \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(DateTime)(EMISSARY_KEYS UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute,  \
                                         UInt8 second, UInt16 milli, UInt16 micro, UInt16 nano) {                      \
        const codec::DateTime v{emissary::ema::checkedDate(year, month, day),                                          \
                                emissary::ema::checkedTime(hour, minute, second, milli, micro, nano)};                 \
        impl_->value(EMISSARY_ARGS T::DateTime, [&v](BeWriter& w) { codec::encodeDateTimePrefixed(w, v); });           \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::addQos(EMISSARY_KEYS UInt32 timeliness, UInt32 rate) {                                               \
        const codec::Qos v = emissary::ema::wireQos(timeliness, rate);                                                 \
        impl_->value(EMISSARY_ARGS T::Qos, [&v](BeWriter& w) { codec::encodeQosPrefixed(w, v); });                     \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::addState(EMISSARY_KEYS OmmState::StreamState stream, OmmState::DataState data, UInt8 code,           \
                           const EmaString& text) {                                                                    \
        const codec::State v{static_cast<UInt8>(stream), static_cast<UInt8>(data), code,                               \
                             emissary::ema::bytesOf(text)};                                                            \
        impl_->value(EMISSARY_ARGS T::State, [&v](BeWriter& w) { codec::encodeStatePrefixed(w, v); });                 \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Enum)(EMISSARY_KEYS UInt16 v) {                                                         \
        impl_->value(EMISSARY_ARGS T::Enum, [v](BeWriter& w) { codec::encodeEnumPrefixed(w, v); });                    \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Buffer)(EMISSARY_KEYS const EmaBuffer& v) {                                             \
        impl_->value(EMISSARY_ARGS T::Buffer, [&v](BeWriter& w) { w.buf16(emissary::ema::bytesOf(v)); });              \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Ascii)(EMISSARY_KEYS const EmaString& v) {                                              \
        impl_->value(EMISSARY_ARGS T::AsciiString, [&v](BeWriter& w) { w.buf16(emissary::ema::bytesOf(v)); });         \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Utf8)(EMISSARY_KEYS const EmaBuffer& v) {                                               \
        impl_->value(EMISSARY_ARGS T::Utf8String, [&v](BeWriter& w) { w.buf16(emissary::ema::bytesOf(v)); });          \
        return *this;                                                                                                  \
    }                                                                                                                  \
    Class& Class::EMISSARY_ADD(Rmtes)(EMISSARY_KEYS const EmaBuffer& v) {                                              \
        impl_->value(EMISSARY_ARGS T::RmtesString, [&v](BeWriter& w) { w.buf16(emissary::ema::bytesOf(v)); });         \
        return *this;                                                                                                  \
    }

// The blank values.
#define EMISSARY_ADD_CODE_TABLE(Class)                                                                                 \
    EMISSARY_ADD_CODE(Class, Int, Int)                                                                                 \
    EMISSARY_ADD_CODE(Class, UInt, UInt)                                                                               \
    EMISSARY_ADD_CODE(Class, Real, Real)                                                                               \
    EMISSARY_ADD_CODE(Class, Float, Float)                                                                             \
    EMISSARY_ADD_CODE(Class, Double, Double)                                                                           \
    EMISSARY_ADD_CODE(Class, Date, Date)                                                                               \
    EMISSARY_ADD_CODE(Class, Time, Time)                                                                               \
    EMISSARY_ADD_CODE(Class, DateTime, DateTime)                                                                       \
    EMISSARY_ADD_CODE(Class, Qos, Qos)                                                                                 \
    EMISSARY_ADD_CODE(Class, State, State)                                                                             \
    EMISSARY_ADD_CODE(Class, Enum, Enum)                                                                               \
    EMISSARY_ADD_CODE(Class, Buffer, Buffer)                                                                           \
    EMISSARY_ADD_CODE(Class, Ascii, AsciiString)                                                                       \
    EMISSARY_ADD_CODE(Class, Utf8, Utf8String)                                                                         \
    EMISSARY_ADD_CODE(Class, Rmtes, RmtesString)
#define EMISSARY_ADD_CODE(Class, Name, Type)                                                                           \
    Class& Class::addCode##Name(EMISSARY_KEY) {                                                                        \
        impl_->value(EMISSARY_ARGS T::Type, [](BeWriter& w) { codec::encodeBlank(w); });                               \
        return *this;                                                                                                  \
    }

// The complex rows: contained messages and containers.
#define EMISSARY_ADD_COMPLEX(Class, Name, Type)                                                                        \
    Class& Class::add##Name(EMISSARY_KEYS const Type& v) {                                                             \
        impl_->child(EMISSARY_ARGS v, "add" #Name "()");                                                               \
        return *this;                                                                                                  \
    }
#define EMISSARY_ADD_COMPLEX_TABLE(Class)                                                                              \
    EMISSARY_ADD_COMPLEX(Class, ReqMsg, ReqMsg)                                                                        \
    EMISSARY_ADD_COMPLEX(Class, RefreshMsg, RefreshMsg)                                                                \
    EMISSARY_ADD_COMPLEX(Class, StatusMsg, StatusMsg)                                                                  \
    EMISSARY_ADD_COMPLEX(Class, UpdateMsg, UpdateMsg)                                                                  \
    EMISSARY_ADD_COMPLEX(Class, PostMsg, PostMsg)                                                                      \
    EMISSARY_ADD_COMPLEX(Class, AckMsg, AckMsg)                                                                        \
    EMISSARY_ADD_COMPLEX(Class, GenericMsg, GenericMsg)                                                                \
    EMISSARY_ADD_COMPLEX(Class, FieldList, FieldList)                                                                  \
    EMISSARY_ADD_COMPLEX(Class, ElementList, ElementList)                                                              \
    EMISSARY_ADD_COMPLEX(Class, Map, Map)                                                                              \
    EMISSARY_ADD_COMPLEX(Class, Vector, Vector)                                                                        \
    EMISSARY_ADD_COMPLEX(Class, Series, Series)                                                                        \
    EMISSARY_ADD_COMPLEX(Class, FilterList, FilterList)                                                                \
    EMISSARY_ADD_COMPLEX(Class, Opaque, OmmOpaque)                                                                     \
    EMISSARY_ADD_COMPLEX(Class, Xml, OmmXml)                                                                           \
    EMISSARY_ADD_COMPLEX(Class, AnsiPage, OmmAnsiPage)                                                                 \
    EMISSARY_ADD_COMPLEX(Class, Json, OmmJson)

// The Data interface of a container class over its ContainerImpl.
#define EMISSARY_CONTAINER_DATA(Class, Type)                                                                           \
    Class::Class() : impl_(std::make_unique<emissary::ema::Class##Impl>()) {}                                          \
    EMISSARY_CONTAINER_DATA_BUT_CTOR(Class, Type)
#define EMISSARY_CONTAINER_DATA_BUT_CTOR(Class, Type)                                                                  \
    Class::~Class() = default;                                                                                         \
    DataType::DataTypeEnum Class::getDataType() const {                                                                \
        return DataType::Type;                                                                                         \
    }                                                                                                                  \
    Data::DataCode Class::getCode() const {                                                                            \
        return NoCodeEnum;                                                                                             \
    }                                                                                                                  \
    const EmaBuffer& Class::getAsHex() const {                                                                         \
        return impl_->hex();                                                                                           \
    }                                                                                                                  \
    const EmaString& Class::toString() const {                                                                         \
        return impl_->text(nullptr);                                                                                   \
    }                                                                                                                  \
    const EmaString& Class::toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const {                    \
        return impl_->text(&emissary::ema::DictionaryAccess::get(dictionary));                                         \
    }

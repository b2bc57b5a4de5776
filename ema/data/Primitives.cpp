// ema/data: data, DataType and the primitive classes: read-only views over a resolved load.
#include "Access/Include/EmaVector.h"
#include "Access/Include/OmmAscii.h"
#include "Access/Include/OmmBuffer.h"
#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmDateTime.h"
#include "Access/Include/OmmDouble.h"
#include "Access/Include/OmmEnum.h"
#include "Access/Include/OmmFloat.h"
#include "Access/Include/OmmInt.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmRmtes.h"
#include "Access/Include/OmmTime.h"
#include "Access/Include/OmmUInt.h"
#include "Access/Include/OmmUtf8.h"
#include "data/DataAccess.h"
#include "errors/raise.h"
#include "eta/codec/text.h"
#include "eta/core/printable.h"
#include "text/Printer.h"
#include "text/date_text.h"

namespace refinitiv::ema::access {

using emissary::ema::Bytes;
using emissary::ema::PrimitiveView;
using emissary::ema::throwInvalidUsage;
namespace codec = emissary::eta::codec;

Data::~Data() = default;
Data::operator const char*() const {
    return toString().c_str();
}
const EmaString& Data::getCodeAsString() const {
    static const EmaString noCode("NoCode"), blank("Blank");
    return getCode() == BlankEnum ? blank : noCode;
}
ComplexType::~ComplexType() = default;

DataType::DataType(DataTypeEnum dataType) : type_(dataType) {}
DataType::~DataType() = default;
const EmaString& DataType::toString() const {
    struct Name {
        DataTypeEnum type;
        const char* name;
    };
    static constexpr Name kNames[] = {{IntEnum, "Int"},
                                      {UIntEnum, "UInt"},
                                      {FloatEnum, "Float"},
                                      {DoubleEnum, "Double"},
                                      {RealEnum, "Real"},
                                      {DateEnum, "Date"},
                                      {TimeEnum, "Time"},
                                      {DateTimeEnum, "DateTime"},
                                      {QosEnum, "Qos"},
                                      {StateEnum, "State"},
                                      {EnumEnum, "Enum"},
                                      {ArrayEnum, "OmmArray"},
                                      {BufferEnum, "Buffer"},
                                      {AsciiEnum, "Ascii"},
                                      {Utf8Enum, "Utf8"},
                                      {RmtesEnum, "Rmtes"},
                                      {NoDataEnum, "NoData"},
                                      {OpaqueEnum, "Opaque"},
                                      {XmlEnum, "Xml"},
                                      {FieldListEnum, "FieldList"},
                                      {ElementListEnum, "ElementList"},
                                      {AnsiPageEnum, "AnsiPage"},
                                      {FilterListEnum, "FilterList"},
                                      {VectorEnum, "Vector"},
                                      {MapEnum, "Map"},
                                      {SeriesEnum, "Series"},
                                      {MsgEnum, "Msg"},
                                      {ReqMsgEnum, "ReqMsg"},
                                      {RefreshMsgEnum, "RefreshMsg"},
                                      {UpdateMsgEnum, "UpdateMsg"},
                                      {StatusMsgEnum, "StatusMsg"},
                                      {PostMsgEnum, "PostMsg"},
                                      {AckMsgEnum, "AckMsg"},
                                      {GenericMsgEnum, "GenericMsg"},
                                      {ErrorEnum, "Error"},
                                      {JsonEnum, "Json"}};
    for (const Name& n : kNames)
        if (n.type == type_) return text_ = n.name;
    return text_.set("Unknown DataType value ").append(static_cast<Int32>(type_));
}
DataType::operator const char*() const {
    return toString().c_str();
}

namespace {

const EmaBuffer& hexOf(const PrimitiveView& view) {
    return view.made().hex.setFrom(view.bytes, view.length);
}

const EmaString& setText(const PrimitiveView& view, std::string_view text) {
    return view.made().text.set(text.data(), static_cast<UInt32>(text.size()));
}

constexpr std::string_view kBlankText = "(blank data)";

}  // namespace

// What every primitive class has; `Type` is its number.
#define EMISSARY_PRIMITIVE_BUT_HEX(Class, Type)                                                                        \
    Class::Class() = default;                                                                                          \
    Class::~Class() = default;                                                                                         \
    DataType::DataTypeEnum Class::getDataType() const {                                                                \
        return DataType::Type;                                                                                         \
    }                                                                                                                  \
    Data::DataCode Class::getCode() const {                                                                            \
        return view_.blank ? BlankEnum : NoCodeEnum;                                                                   \
    }
#define EMISSARY_PRIMITIVE(Class, Type)                                                                                \
    EMISSARY_PRIMITIVE_BUT_HEX(Class, Type)                                                                            \
    const EmaBuffer& Class::getAsHex() const {                                                                         \
        return hexOf(view_);                                                                                           \
    }
// Value getters that only copy a member.
#define EMISSARY_GETTER(Class, Return, getter, member)                                                                 \
    Return Class::getter() const {                                                                                     \
        view_.requireValue(#getter "()");                                                                              \
        return member;                                                                                                 \
    }

EMISSARY_PRIMITIVE(OmmInt, IntEnum)
EMISSARY_GETTER(OmmInt, Int64, getInt, value_)
const EmaString& OmmInt::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : codec::toText(static_cast<std::int64_t>(value_), b));
}
EMISSARY_PRIMITIVE(OmmUInt, UIntEnum)
EMISSARY_GETTER(OmmUInt, UInt64, getUInt, value_)
const EmaString& OmmUInt::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : codec::toText(static_cast<std::uint64_t>(value_), b));
}
EMISSARY_PRIMITIVE(OmmEnum, EnumEnum)
EMISSARY_GETTER(OmmEnum, UInt16, getEnum, value_)
const EmaString& OmmEnum::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : codec::toText(std::uint64_t{value_}, b));
}
EMISSARY_PRIMITIVE(OmmFloat, FloatEnum)
EMISSARY_GETTER(OmmFloat, float, getFloat, value_)
const EmaString& OmmFloat::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : codec::toText(value_, b));
}
EMISSARY_PRIMITIVE(OmmDouble, DoubleEnum)
EMISSARY_GETTER(OmmDouble, double, getDouble, value_)
const EmaString& OmmDouble::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : codec::toText(value_, b));
}
EMISSARY_PRIMITIVE(OmmAscii, AsciiEnum)
EMISSARY_GETTER(OmmAscii, const EmaString&, getAscii, value_)
const EmaString& OmmAscii::toString() const {
    if (view_.blank) return setText(view_, kBlankText);
    const std::string_view text(value_.c_str(), value_.length());
    return emissary::eta::isPlain(text) ? value_ : setText(view_, emissary::eta::printable(text));
}
EMISSARY_PRIMITIVE(OmmUtf8, Utf8Enum)
EMISSARY_GETTER(OmmUtf8, const EmaBuffer&, getUtf8, value_)
const EmaString& OmmUtf8::toString() const {
    if (view_.blank) return setText(view_, kBlankText);
    return setText(view_, emissary::eta::printable({view_.bytes, view_.length}));
}
EMISSARY_PRIMITIVE(OmmRmtes, RmtesEnum)
const EmaString& OmmRmtes::toString() const {
    if (view_.blank) return setText(view_, kBlankText);
    std::string text;
    emissary::ema::appendRmtes(text, {view_.bytes, view_.length});
    return setText(view_, text);
}
EMISSARY_PRIMITIVE(OmmBuffer, BufferEnum)
EMISSARY_GETTER(OmmBuffer, const EmaBuffer&, getBuffer, value_)
const EmaString& OmmBuffer::toString() const {
    return view_.blank ? setText(view_, kBlankText)
                       : setText(view_, std::string_view(static_cast<const char*>(value_)));
}

namespace {
codec::Date dateOf(UInt8 day, UInt8 month, UInt16 year) {
    return {day, month, year};
}
}  // namespace

EMISSARY_PRIMITIVE(OmmDate, DateEnum)
const EmaString& OmmDate::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : emissary::ema::rsslText(dateOf(day_, month_, year_), b));
}
EMISSARY_PRIMITIVE(OmmTime, TimeEnum)
const EmaString& OmmTime::toString() const {
    codec::TextBuffer b;
    return setText(
        view_, view_.blank
                   ? kBlankText
                   : codec::toText(codec::Time{hour_, minute_, second_, millisecond_, microsecond_, nanosecond_}, b));
}
EMISSARY_PRIMITIVE(OmmDateTime, DateTimeEnum)
EMISSARY_GETTER(OmmDateTime, UInt16, getYear, year_)
EMISSARY_GETTER(OmmDateTime, UInt8, getMonth, month_)
EMISSARY_GETTER(OmmDateTime, UInt8, getDay, day_)
EMISSARY_GETTER(OmmDateTime, UInt8, getHour, hour_)
EMISSARY_GETTER(OmmDateTime, UInt8, getMinute, minute_)
EMISSARY_GETTER(OmmDateTime, UInt8, getSecond, second_)
EMISSARY_GETTER(OmmDateTime, UInt16, getMillisecond, millisecond_)
EMISSARY_GETTER(OmmDateTime, UInt16, getMicrosecond, microsecond_)
EMISSARY_GETTER(OmmDateTime, UInt16, getNanosecond, nanosecond_)
const EmaString& OmmDateTime::toString() const {
    codec::TextBuffer b;
    const codec::DateTime v{dateOf(day_, month_, year_),
                            {hour_, minute_, second_, millisecond_, microsecond_, nanosecond_}};
    return setText(view_, view_.blank ? kBlankText : emissary::ema::rsslText(v, b));
}
EMISSARY_PRIMITIVE_BUT_HEX(OmmReal, RealEnum)
const EmaBuffer& OmmReal::getAsHex() const {
    // A real that LoadCell::lookInList() read has no view: its bytes are the load's.
    if (cell_ == nullptr) return hexOf(view_);
    return view_.made().hex.setFrom(cell_->bytes, static_cast<UInt32>(cell_->length));
}
namespace {
codec::Real realOf(Int64 mantissa, OmmReal::MagnitudeType magnitude) {
    return {mantissa, static_cast<std::uint8_t>(magnitude)};
}
}  // namespace
double OmmReal::getAsDouble() const {
    view_.requireValue("getAsDouble()");
    return codec::toDouble(realOf(mantissa_, magnitude_));
}
const EmaString& OmmReal::toString() const {
    codec::TextBuffer b;
    return setText(view_, view_.blank ? kBlankText : codec::toText(realOf(mantissa_, magnitude_), b));
}
const EmaString& OmmReal::getMagnitudeTypeAsString() const {
    view_.requireValue("getMagnitudeTypeAsString()");
    switch (magnitude_) {
    case InfinityEnum:
        return words_ = "Inf";
    case NegInfinityEnum:
        return words_ = "-Inf";
    case NotANumberEnum:
        return words_ = "NaN";
    default:
        break;
    }
    // The numbers of the wire: 14 is 10 to the power of 0, and 22 the divisor 1 (rwf.md 2.5).
    if (magnitude_ <= ExponentPos7Enum) return words_.set("Power of ").append(static_cast<Int32>(magnitude_) - 14);
    if (magnitude_ <= Divisor256Enum)
        return words_.set("Divisor of ").append(1 << (static_cast<Int32>(magnitude_) - 22));
    return words_.set("Unknown MagnitudeType value ").append(static_cast<Int32>(magnitude_));
}

}  // namespace refinitiv::ema::access

namespace emissary::ema {

using namespace refinitiv::ema::access;

void PrimitiveView::refuseBlank(const char* getter) {
    throwInvalidUsage(std::string("Attempt to ") + getter + " while entry data is blank.",
                      OmmInvalidUsageException::InvalidOperationEnum);
}

namespace {

template <class Object>
void pointView(PrimitiveView& view, const LoadImpl& load, bool blank, Object&) {
    view.bytes = reinterpret_cast<const char*>(load.content().data());
    view.length = static_cast<UInt32>(load.content().size());
    view.blank = blank;
}

}  // namespace

#define EMISSARY_POINT(Class, ...)                                                                                     \
    template <>                                                                                                        \
    void DataAccess::point<Class>(Class & o, const LoadImpl& load, bool blank) {                                       \
        pointView(o.view_, load, blank, o);                                                                            \
        [[maybe_unused]] const LoadImpl::Scalar& s = load.scalar;                                                      \
        __VA_ARGS__                                                                                                    \
    }
EMISSARY_POINT(OmmInt, o.value_ = s.i;)
EMISSARY_POINT(OmmUInt, o.value_ = s.u;)
EMISSARY_POINT(OmmEnum, o.value_ = static_cast<UInt16>(s.u);)
EMISSARY_POINT(OmmFloat, o.value_ = s.f;)
EMISSARY_POINT(OmmDouble, o.value_ = s.d;)
EMISSARY_POINT(OmmAscii, o.value_.set(o.view_.bytes, o.view_.length);)
EMISSARY_POINT(OmmUtf8, view(o.value_, o.view_.bytes, o.view_.length);)
EMISSARY_POINT(OmmBuffer, view(o.value_, o.view_.bytes, o.view_.length);)
EMISSARY_POINT(OmmRmtes, setRmtes(o.value_, o.view_.bytes, o.view_.length);)
EMISSARY_POINT(OmmDateTime, const codec::DateTime& v = load.dateTimeValue(); o.year_ = v.date.year;
               o.month_ = v.date.month; o.day_ = v.date.day; o.hour_ = v.time.hour; o.minute_ = v.time.minute;
               o.second_ = v.time.second; o.millisecond_ = v.time.millisecond; o.microsecond_ = v.time.microsecond;
               o.nanosecond_ = v.time.nanosecond;)

}  // namespace emissary::ema

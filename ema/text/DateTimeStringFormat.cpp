// Dates and times in two styles on request (ema-api.md 1.4, 2.2).
#include "Access/Include/DateTimeStringFormat.h"

#include "errors/raise.h"
#include "eta/codec/text.h"
#include "text/date_text.h"

#include <string>

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;

namespace {

template <class T>
codec::Date dateOf(const T& v) {
    codec::Date d;
    d.year = v.getYear();
    d.month = v.getMonth();
    d.day = v.getDay();
    return d;
}

template <class T>
codec::Time timeOf(const T& v) {
    codec::Time t;
    t.hour = v.getHour();
    t.minute = v.getMinute();
    t.second = v.getSecond();
    t.millisecond = v.getMillisecond();
    t.microsecond = v.getMicrosecond();
    t.nanosecond = v.getNanosecond();
    return t;
}

std::string_view shown(const codec::Time& value, codec::TextBuffer& buffer) {
    return toText(value, buffer);
}
template <class T>
std::string_view shown(const T& value, codec::TextBuffer& buffer) {
    return emissary::ema::rsslText(value, buffer);
}

template <class T>
void write(const T& value, DateTimeStringFormat::DateTimeStringFormatTypes format, EmaString& out) {
    codec::TextBuffer buffer;
    const std::string_view text =
        format == DateTimeStringFormat::STR_DATETIME_ISO8601 ? toIsoText(value, buffer) : shown(value, buffer);
    out.set(text.data(), static_cast<UInt32>(text.size()));
}

}  // namespace

DateTimeStringFormat::DateTimeStringFormat() = default;
DateTimeStringFormat::~DateTimeStringFormat() = default;

DateTimeStringFormat::DateTimeStringFormatTypes DateTimeStringFormat::getDateTimeStringFormatType() {
    return format_;
}

void DateTimeStringFormat::dateTimeStringFormatType(DateTimeStringFormatTypes format) {
    if (format != STR_DATETIME_ISO8601 && format != STR_DATETIME_RSSL)
        emissary::ema::throwOutOfRange("DateTimeStringFormat::dateTimeStringFormatType: no format has the value " +
                                       std::to_string(static_cast<int>(format)));
    format_ = format;
}

// The parts of a wholly blank value cannot be read, so toString() of the value itself gives the text.
const EmaString& DateTimeStringFormat::dateAsString(OmmDate& date) {
    if (date.getCode() == Data::BlankEnum) return text_ = date.toString();
    write(dateOf(date), format_, text_);
    return text_;
}

const EmaString& DateTimeStringFormat::timeAsString(OmmTime& time) {
    if (time.getCode() == Data::BlankEnum) return text_ = time.toString();
    write(timeOf(time), format_, text_);
    return text_;
}

const EmaString& DateTimeStringFormat::dateTimeAsString(OmmDateTime& dateTime) {
    if (dateTime.getCode() == Data::BlankEnum) return text_ = dateTime.toString();
    write(codec::DateTime{dateOf(dateTime), timeOf(dateTime)}, format_, text_);
    return text_;
}

}  // namespace refinitiv::ema::access

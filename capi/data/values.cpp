// capi/data: loads of fields as plain values: numbers, days, nanoseconds and texts.
#include "data/values.h"

#include <array>

namespace emissary::capi {
namespace {

using namespace refinitiv::ema::access;

constexpr std::int64_t kNanosecondsOfDay = 86'400'000'000'000;

/// Days since 1970-01-01 of the Gregorian calendar. Years go to 65535 on the wire, and to 32767 in std::chrono::year.
constexpr std::int64_t daysOf(std::int64_t year, unsigned month, unsigned day) noexcept {
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const auto yearOfEra = static_cast<unsigned>(year - era * 400);
    const unsigned dayOfYear = (153 * (month + (month > 2 ? -3U : 9U)) + 2) / 5 + day - 1;
    const unsigned dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146'097 + static_cast<std::int64_t>(dayOfEra) - 719'468;
}
static_assert(daysOf(1970, 1, 1) == 0 && daysOf(2000, 3, 1) == 11'017 && daysOf(1969, 12, 31) == -1);

template <class Clock>
bool nanoseconds(const Clock& t, std::int64_t& out) {
    // 255 stands for a blank part (rwf.md): hours and minutes are needed, smaller parts count as zero.
    if (t.getHour() > 23 || t.getMinute() > 59) return false;
    const auto part = [](unsigned value, unsigned most) { return std::int64_t{value > most ? 0 : value}; };
    out = ((std::int64_t{t.getHour()} * 60 + t.getMinute()) * 60 + part(t.getSecond(), 60)) * 1'000'000'000 +
          part(t.getMillisecond(), 999) * 1'000'000 + part(t.getMicrosecond(), 999) * 1'000 +
          part(t.getNanosecond(), 999);
    return true;
}

template <class Calendar>
bool days(const Calendar& d, std::int64_t& out) {
    if (d.getYear() == 0 || d.getMonth() < 1 || d.getMonth() > 12 || d.getDay() < 1 || d.getDay() > 31) return false;
    out = daysOf(d.getYear(), d.getMonth(), d.getDay());
    return true;
}

void real(const OmmReal& r, Value& v) {
    static constexpr std::array<double, 15> kPowers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    constexpr std::int64_t kExact = std::int64_t{1} << 53;
    v.kind = EMI_REAL;
    v.i64 = r.getMantissa();
    v.hint = static_cast<std::uint8_t>(r.getMagnitudeType());
    // Both operands are exact, so the quotient is the nearest double.
    if (v.hint <= OmmReal::Exponent0Enum && v.i64 >= -kExact && v.i64 <= kExact)
        v.f64 = static_cast<double>(v.i64) / kPowers[OmmReal::Exponent0Enum - v.hint];
    else v.f64 = r.getAsDouble();
}

void text(Value& v, emi_kind kind, const char* bytes, std::size_t length) {
    v.kind = kind;
    v.text = length == 0 ? "" : bytes;
    v.length = length;
}

void buffer(Value& v, emi_kind kind, const EmaBuffer& bytes) {
    text(v, kind, bytes.c_buf(), bytes.length());
}

}  // namespace

emi_kind kindOf(DataType::DataTypeEnum type) noexcept {
    switch (type) {
    case DataType::IntEnum:
        return EMI_INT;
    case DataType::UIntEnum:
        return EMI_UINT;
    case DataType::RealEnum:
        return EMI_REAL;
    case DataType::FloatEnum:
    case DataType::DoubleEnum:
        return EMI_DOUBLE;
    case DataType::EnumEnum:
        return EMI_ENUM;
    case DataType::DateEnum:
        return EMI_DATE;
    case DataType::TimeEnum:
        return EMI_TIME;
    case DataType::DateTimeEnum:
        return EMI_DATETIME;
    case DataType::AsciiEnum:
    case DataType::Utf8Enum:
    case DataType::RmtesEnum:
        return EMI_TEXT;
    case DataType::BufferEnum:
        return EMI_BYTES;
    case DataType::QosEnum:
        return EMI_QOS;
    case DataType::StateEnum:
        return EMI_STATE;
    default:
        return EMI_NOTHING;
    }
}

namespace {

void dateTime(const OmmDateTime& t, Value& v) {
    std::int64_t day = 0, within = 0;
    // Outside these years the nanoseconds do not fit.
    v.blank = !days(t, day) || t.getYear() < 1678 || t.getYear() > 2261 || !nanoseconds(t, within);
    if (!v.blank) v.i64 = day * kNanosecondsOfDay + within;
}

void state(const OmmState& s, Value& v) {
    v.i64 = static_cast<std::int64_t>(s.getStreamState()) | static_cast<std::int64_t>(s.getDataState()) << 8 |
            static_cast<std::int64_t>(s.getStatusCode()) << 16;
    v.text = s.getStatusText().c_str();
    v.length = s.getStatusText().length();
}

/// Entries and keys have the same functions for values.
template <class Entry>
Value read(const Entry& field, DataType::DataTypeEnum type, bool blank) {
    Value v;
    if (blank) {
        v.kind = kindOf(type);
        v.blank = true;
        return v;
    }
    switch (v.kind = kindOf(type); type) {
    case DataType::RealEnum:
        real(field.getReal(), v);
        break;
    case DataType::IntEnum:
        v.i64 = field.getInt();
        break;
    case DataType::UIntEnum:
        v.i64 = static_cast<std::int64_t>(field.getUInt());
        break;
    case DataType::EnumEnum:
        v.i64 = field.getEnum();
        break;
    case DataType::FloatEnum:
        v.f64 = static_cast<double>(field.getFloat());
        break;
    case DataType::DoubleEnum:
        v.f64 = field.getDouble();
        break;
    case DataType::DateEnum:
        v.blank = !days(field.getDate(), v.i64);
        break;
    case DataType::TimeEnum:
        v.blank = !nanoseconds(field.getTime(), v.i64);
        break;
    case DataType::DateTimeEnum:
        dateTime(field.getDateTime(), v);
        break;
    case DataType::AsciiEnum:
        text(v, EMI_TEXT, field.getAscii().c_str(), field.getAscii().length());
        break;
    case DataType::Utf8Enum:
        buffer(v, EMI_TEXT, field.getUtf8());
        break;
    case DataType::RmtesEnum:
        buffer(v, EMI_TEXT, field.getRmtes().getAsUTF8());
        break;
    case DataType::BufferEnum:
        buffer(v, EMI_BYTES, field.getBuffer());
        break;
    case DataType::QosEnum:
        v.i64 = static_cast<std::int64_t>(field.getQos().getTimeliness()) << 32 |
                static_cast<std::int64_t>(field.getQos().getRate());
        break;
    case DataType::StateEnum:
        state(field.getState(), v);
        break;
    default:
        v.blank = true;
        break;
    }
    return v;
}

}  // namespace

Value valueOf(const FieldEntry& field) {
    return read(field, field.getLoadType(), field.getCode() == Data::BlankEnum);
}
Value valueOf(const ElementEntry& element) {
    return read(element, element.getLoadType(), element.getCode() == Data::BlankEnum);
}
Value valueOf(const OmmArrayEntry& entry) {
    return read(entry, entry.getLoadType(), entry.getCode() == Data::BlankEnum);
}
Value valueOf(const OmmState& s) {
    Value v;
    v.kind = EMI_STATE;
    state(s, v);
    return v;
}
Value valueOf(const Key& key) {
    return read(key, key.getDataType(), key.getData().getCode() == Data::BlankEnum);
}

void addDisplay(const FieldEntry& field, Value& value) {
    if (value.kind != EMI_ENUM || value.blank || !field.hasEnumDisplay()) return;
    const auto& display = field.getEnumDisplay();
    text(value, EMI_ENUM, display.c_str(), display.length());
}

}  // namespace emissary::capi

// Checks values against the dictionary, and encodes them.
#include "data/fields.h"

#include "calls/calls.h"
#include "data/Moment.h"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace emissary::capi {
namespace {

using namespace refinitiv::ema::access;
using refinitiv::ema::rdm::DataDictionary;
using refinitiv::ema::rdm::DictionaryEntry;

std::string wordOf(const emi_value& value) {
    return value.name != nullptr && value.fid == 0 ? std::string("field ") + value.name
                                                   : "field " + std::to_string(value.fid);
}

void find(const DataDictionary& dictionary, const emi_value& value, DictionaryEntry& entry) {
    if (value.fid == 0 && value.name == nullptr) throw Failure(EMI_E_ARGUMENT, "a value without fid and name");
    const bool known = value.fid != 0 ? dictionary.hasEntry(value.fid) : dictionary.hasEntry(EmaString(value.name));
    if (!known) throw Failure(EMI_E_ARGUMENT, wordOf(value) + " is not in the dictionary");
    if (value.fid != 0) dictionary.getEntry(value.fid, entry);
    else dictionary.getEntry(EmaString(value.name), entry);
}

/// Whole years whose nanoseconds fit 64 bits; other years are not read either (values.cpp).
constexpr std::int64_t nanosecondsOf(int year) {
    using namespace std::chrono;
    return nanoseconds(sys_days(std::chrono::year(year) / 1 / 1).time_since_epoch()).count();
}
constexpr std::int64_t kFirstDateTime = nanosecondsOf(1678), kLastDateTime = nanosecondsOf(2262) - 1;

/// Which kinds of values a field of this type takes.
bool fits(std::uint8_t type, const emi_value& value) {
    const bool whole = value.kind == EMI_INT || value.kind == EMI_UINT || value.kind == EMI_ENUM;
    const bool broken = value.kind == EMI_REAL || value.kind == EMI_DOUBLE;
    switch (type) {
    case DataType::IntEnum:
        return whole;
    case DataType::UIntEnum:
        return whole && (value.i64 >= 0 || value.kind == EMI_UINT);
    case DataType::EnumEnum:
        return whole && value.i64 >= 0 && value.i64 <= 65'535;
    case DataType::RealEnum:
        return (whole || broken) && (value.kind != EMI_REAL || value.hint <= OmmReal::Divisor256Enum ||
                                     (value.hint >= OmmReal::InfinityEnum && value.hint <= OmmReal::NotANumberEnum));
    case DataType::FloatEnum:
    case DataType::DoubleEnum:
        return whole || broken;
    case DataType::DateEnum:
        return value.kind == EMI_DATE && value.i64 >= -719'162 && value.i64 <= 776'000;
    case DataType::TimeEnum:
        return value.kind == EMI_TIME && value.i64 >= 0 && value.i64 < 86'400'000'000'000;
    case DataType::DateTimeEnum:
        return value.kind == EMI_DATETIME && value.i64 >= kFirstDateTime && value.i64 <= kLastDateTime;
    case DataType::AsciiEnum:
    case DataType::Utf8Enum:
    case DataType::RmtesEnum:
        return value.kind == EMI_TEXT || value.kind == EMI_BYTES;
    case DataType::BufferEnum:
        return value.kind == EMI_BYTES;
    default:
        return false;
    }
}

/// The number that the dictionary shows as this text.
std::int64_t numberOf(const DictionaryEntry& entry, const emi_value& value) {
    const std::string_view wanted(value.text == nullptr ? "" : value.text, value.length);
    if (entry.hasEnumTypeTable()) {
        const auto& types = entry.getEnumTypeTable().getEnumTypes();
        for (UInt32 i = 0; i < types.size(); ++i)
            if (wanted == std::string_view(types[i].getDisplay().c_str(), types[i].getDisplay().length()))
                return types[i].getValue();
    }
    throw Failure(EMI_E_ARGUMENT, wordOf(value) + " has no value '" + std::string(wanted) + "' in the dictionary");
}

void addBlank(FieldList& list, std::int16_t id, std::uint8_t type) {
    switch (type) {
    case DataType::IntEnum:
        list.addCodeInt(id);
        return;
    case DataType::UIntEnum:
        list.addCodeUInt(id);
        return;
    case DataType::RealEnum:
        list.addCodeReal(id);
        return;
    case DataType::FloatEnum:
        list.addCodeFloat(id);
        return;
    case DataType::DoubleEnum:
        list.addCodeDouble(id);
        return;
    case DataType::EnumEnum:
        list.addCodeEnum(id);
        return;
    case DataType::DateEnum:
        list.addCodeDate(id);
        return;
    case DataType::TimeEnum:
        list.addCodeTime(id);
        return;
    case DataType::DateTimeEnum:
        list.addCodeDateTime(id);
        return;
    case DataType::AsciiEnum:
        list.addCodeAscii(id);
        return;
    case DataType::Utf8Enum:
        list.addCodeUtf8(id);
        return;
    case DataType::RmtesEnum:
        list.addCodeRmtes(id);
        return;
    default:
        list.addCodeBuffer(id);
        return;
    }
}

void add(FieldList& list, std::int16_t id, const KeptField& field) {
    const EmaBuffer bytes(field.text.data(), static_cast<UInt32>(field.text.size()));
    Moment m;
    switch (field.rwfType) {
    case DataType::IntEnum:
        list.addInt(id, field.i64);
        return;
    case DataType::UIntEnum:
        list.addUInt(id, static_cast<UInt64>(field.i64));
        return;
    case DataType::EnumEnum:
        list.addEnum(id, static_cast<UInt16>(field.i64));
        return;
    case DataType::RealEnum:
        list.addReal(id, field.i64, static_cast<OmmReal::MagnitudeType>(field.hint));
        return;
    case DataType::FloatEnum:
        list.addFloat(id, static_cast<float>(field.f64));
        return;
    case DataType::DoubleEnum:
        list.addDouble(id, field.f64);
        return;
    case DataType::DateEnum:
        m.date(field.i64);
        list.addDate(id, m.year, m.month, m.day);
        return;
    case DataType::TimeEnum:
        m.time(field.i64);
        list.addTime(id, m.hour, m.minute, m.second, m.milli, m.micro, m.nano);
        return;
    case DataType::DateTimeEnum:
        m.dateTime(field.i64);
        list.addDateTime(id, m.year, m.month, m.day, m.hour, m.minute, m.second, m.milli, m.micro, m.nano);
        return;
    case DataType::AsciiEnum:
        list.addAscii(id, EmaString(field.text.data(), static_cast<UInt32>(field.text.size())));
        return;
    case DataType::Utf8Enum:
        list.addUtf8(id, bytes);
        return;
    case DataType::RmtesEnum:
        list.addRmtes(id, bytes);
        return;
    default:
        list.addBuffer(id, bytes);
        return;
    }
}

/// The double of a Real, for Float and Double fields; or the Real nearest to a double.
void convert(std::uint8_t type, const emi_value& value, KeptField& kept) {
    constexpr double kMillion = 1e6;
    const bool real = value.kind == EMI_REAL, number = value.kind == EMI_DOUBLE;
    kept.i64 = value.i64;
    kept.hint = real ? value.hint : static_cast<std::uint8_t>(OmmReal::Exponent0Enum);
    kept.f64 = number || real ? value.f64 : static_cast<double>(value.i64);
    if (type != DataType::RealEnum || !number) return;
    if (!(value.f64 > -9e12 && value.f64 < 9e12))
        throw Failure(EMI_E_ARGUMENT, wordOf(value) + ": the number does not fit a Real of six decimals; use EMI_REAL");
    kept.i64 = static_cast<std::int64_t>(value.f64 * kMillion + (value.f64 < 0 ? -0.5 : 0.5));
    kept.hint = OmmReal::ExponentNeg6Enum;
}

}  // namespace

std::int16_t keep(const DataDictionary& dictionary, const emi_value& value, KeptField& kept) {
    constexpr std::size_t kLongest = 65'535;
    DictionaryEntry entry;
    find(dictionary, value, entry);
    const auto id = entry.getFid();
    kept.rwfType = entry.getRwfType();
    kept.blank = value.blank != 0;
    if (kept.blank) return id;
    if (kept.rwfType == DataType::EnumEnum && value.kind == EMI_TEXT) {
        kept.i64 = numberOf(entry, value);
        return id;
    }
    if (!fits(kept.rwfType, value))
        throw Failure(EMI_E_ARGUMENT,
                      wordOf(value) + " has another type than the value's, or the value is out of its range");
    convert(kept.rwfType, value, kept);
    if (value.length > kLongest) throw Failure(EMI_E_ARGUMENT, wordOf(value) + " is longer than 65535 bytes");
    if (value.text == nullptr) return id;
    kept.text.assign(value.text, value.length);
    // RMTES takes bytes above 0x7F for Latin letters, unless ESC % 0 has announced UTF-8 (rwf.md 6.5).
    const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (kept.rwfType == DataType::RmtesEnum && value.kind == EMI_TEXT &&
        !std::all_of(kept.text.begin(), kept.text.end(), plain))
        kept.text.insert(0, "\x1B%0");
    return id;
}

KeptFields keep(const DataDictionary& dictionary, const emi_value* values, std::size_t count) {
    KeptFields kept;
    for (std::size_t i = 0; i < count; ++i) {
        needSize(&values[i], "values[i]");
        KeptField field;
        const auto id = keep(dictionary, values[i], field);
        kept[id] = std::move(field);
    }
    return kept;
}

std::int16_t fieldId(const DataDictionary& dictionary, const emi_value& value) {
    DictionaryEntry entry;
    find(dictionary, value, entry);
    return entry.getFid();
}

void encode(std::int16_t id, const KeptField& field, FieldList& list) {
    if (field.blank) addBlank(list, id, field.rwfType);
    else add(list, id, field);
}

void encode(const KeptFields& fields, FieldList& list) {
    for (const auto& [id, field] : fields)
        encode(id, field, list);
    list.complete();
}

}  // namespace emissary::capi

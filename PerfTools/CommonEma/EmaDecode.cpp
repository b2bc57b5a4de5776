// Reads each field by its type, and picks the time stamps out.
#include "EmaDecode.h"

#include <bit>

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

// All parts are summed into a digest that is used later: otherwise the compiler could leave the decoding out.
std::uint64_t partsOf(const OmmTime& time) {
    return std::uint64_t{time.getHour()} + time.getMinute() + time.getSecond() + time.getMillisecond() +
           time.getMicrosecond() + time.getNanosecond();
}

std::uint64_t partsOf(const OmmDate& date) {
    return std::uint64_t{date.getYear()} + date.getMonth() + date.getDay();
}

std::uint64_t readOther(const FieldEntry& entry) {
    switch (entry.getLoadType()) {
    case DataType::IntEnum:
        return static_cast<std::uint64_t>(entry.getInt());
    case DataType::DateTimeEnum: {
        const OmmDateTime& moment = entry.getDateTime();
        return std::uint64_t{moment.getYear()} + moment.getMonth() + moment.getDay() + moment.getHour() +
               moment.getMinute() + moment.getSecond() + moment.getMillisecond() + moment.getMicrosecond() +
               moment.getNanosecond();
    }
    case DataType::AsciiEnum:
        return entry.getAscii().length();
    case DataType::Utf8Enum:
        return entry.getUtf8().length();
    case DataType::BufferEnum:
        return entry.getBuffer().length();
    case DataType::FloatEnum:
        return std::bit_cast<std::uint32_t>(entry.getFloat());
    case DataType::DoubleEnum:
        return std::bit_cast<std::uint64_t>(entry.getDouble());
    case DataType::QosEnum:
        return std::uint64_t{entry.getQos().getTimeliness()} + entry.getQos().getRate();
    case DataType::StateEnum:
        return entry.getState().getStatusCode();
    default:
        return 0;
    }
}

}  // namespace

// The types that most fields of an update have are read in place, and distinguished by comparisons: a processor
// predicts those better than the jump of a switch.
void PayloadDecoder::decodeFields(const FieldList& list, FoundStamps& stamps) {
    std::uint64_t digest = digest_;
    while (list.forth()) {
        const FieldEntry& entry = list.getEntry();
        const auto isBlank = [&entry] { return entry.getCode() == Data::BlankEnum; };
        const auto take = [&](std::uint64_t value) {
            digest += value;
            const Int16 id = entry.getFieldId();
            if (id < kUpdateTimeField || id > kGenericTimeField) return;
            if (id == kUpdateTimeField) stamps.update = value;
            else if (id == kPostTimeField) stamps.post = value;
            else stamps.generic = value;
        };
        const DataType::DataTypeEnum type = entry.getLoadType();
        // A blank stamp field is that of an image, which has no send time.
        if (isBlank()) continue;
        if (type == DataType::RealEnum) {
            const OmmReal& real = entry.getReal();
            take(static_cast<std::uint64_t>(real.getMantissa()) + static_cast<std::uint64_t>(real.getMagnitudeType()));
        } else if (type == DataType::EnumEnum) {
            take(entry.getEnum());
        } else if (type == DataType::UIntEnum) {
            take(entry.getUInt());
        } else if (type == DataType::RmtesEnum) {
            take(entry.getRmtes().getAsUTF8().length());
        } else if (type == DataType::TimeEnum) {
            take(partsOf(entry.getTime()));
        } else if (type == DataType::DateEnum) {
            take(partsOf(entry.getDate()));
        } else {
            take(readOther(entry));
        }
    }
    digest_ = digest;
}

void PayloadDecoder::decodeMap(const Map& map, FoundStamps& stamps) {
    // Map messages carry their stamps in the summary; entries are decoded because an application would.
    const SummaryData& summary = map.getSummaryData();
    if (summary.getDataType() == DataType::FieldListEnum) decodeFields(summary.getFieldList(), stamps);
    while (map.forth()) {
        const MapEntry& entry = map.getEntry();
        if (entry.getLoadType() == DataType::FieldListEnum) decodeFields(entry.getFieldList(), stamps);
    }
}

FoundStamps PayloadDecoder::decode(const Payload& payload) {
    FoundStamps stamps;
    if (payload.getDataType() == DataType::FieldListEnum) decodeFields(payload.getFieldList(), stamps);
    else if (payload.getDataType() == DataType::MapEnum) decodeMap(payload.getMap(), stamps);
    return stamps;
}

}  // namespace emissary::perf

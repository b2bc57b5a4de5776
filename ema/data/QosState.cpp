// ema/data: OmmQos, OmmState and OmmError.
#include "Access/Include/OmmError.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmState.h"
#include "data/DataAccess.h"
#include "data/wire_qos.h"
#include "errors/raise.h"
#include "eta/codec/state_codes.h"
#include "text/Printer.h"

#include <array>

namespace refinitiv::ema::access {

using emissary::ema::throwInvalidUsage;
namespace codec = emissary::eta::codec;

namespace {

void requireValue(bool blank, const char* getter) {
    if (blank)
        throwInvalidUsage(std::string("Attempt to ") + getter + " while entry data is blank.",
                          OmmInvalidUsageException::InvalidOperationEnum);
}

}  // namespace

OmmQos::OmmQos() = default;
OmmQos::~OmmQos() = default;
DataType::DataTypeEnum OmmQos::getDataType() const {
    return DataType::QosEnum;
}
Data::DataCode OmmQos::getCode() const {
    return view_.blank ? BlankEnum : NoCodeEnum;
}
const EmaBuffer& OmmQos::getAsHex() const {
    return view_.made().hex.setFrom(view_.bytes, view_.length);
}
UInt32 OmmQos::getTimeliness() const {
    requireValue(view_.blank, "getTimeliness()");
    return timeliness_;
}
UInt32 OmmQos::getRate() const {
    requireValue(view_.blank, "getRate()");
    return rate_;
}
// Known words are shared constants, so that several of them may stand in one expression.
const EmaString& OmmQos::getTimelinessAsString() const {
    static const EmaString kRealTime("RealTime"), kInexactDelayed("InexactDelayed");
    requireValue(view_.blank, "getTimelinessAsString()");
    if (timeliness_ == RealTimeEnum) return kRealTime;
    if (timeliness_ == InexactDelayedEnum) return kInexactDelayed;
    return words_.timeliness.set("Timeliness: ").append(timeliness_);
}
const EmaString& OmmQos::getRateAsString() const {
    static const EmaString kTickByTick("TickByTick"), kJustInTimeConflated("JustInTimeConflated");
    requireValue(view_.blank, "getRateAsString()");
    if (rate_ == TickByTickEnum) return kTickByTick;
    if (rate_ == JustInTimeConflatedEnum) return kJustInTimeConflated;
    return words_.rate.set("Rate: ").append(rate_);
}
const EmaString& OmmQos::toString() const {
    EmaString& text = view_.made().text;
    if (view_.blank) return text.set("(blank data)");
    text.set(getTimelinessAsString().c_str()).append("/");
    return text.append(getRateAsString());
}

OmmState::OmmState() = default;
OmmState::~OmmState() = default;
DataType::DataTypeEnum OmmState::getDataType() const {
    return DataType::StateEnum;
}
Data::DataCode OmmState::getCode() const {
    return view_.blank ? BlankEnum : NoCodeEnum;
}
const EmaBuffer& OmmState::getAsHex() const {
    return view_.made().hex.setFrom(view_.bytes, view_.length);
}
OmmState::StreamState OmmState::getStreamState() const {
    requireValue(view_.blank, "getStreamState()");
    return static_cast<StreamState>(stream_);
}
OmmState::DataState OmmState::getDataState() const {
    requireValue(view_.blank, "getDataState()");
    return static_cast<DataState>(data_);
}
UInt8 OmmState::getStatusCode() const {
    requireValue(view_.blank, "getStatusCode()");
    return code_;
}
const EmaString& OmmState::getStatusText() const {
    requireValue(view_.blank, "getStatusText()");
    return statusText_;
}
const EmaString& OmmState::getStreamStateAsString() const {
    static const EmaString kNames[] = {"", "Open", "NonStreaming", "ClosedRecover", "Closed", "ClosedRedirected"};
    requireValue(view_.blank, "getStreamStateAsString()");
    if (stream_ > 0 && stream_ < std::size(kNames)) return kNames[stream_];
    return words_.stream.set("Unknown StreamState value ").append(static_cast<Int32>(stream_));
}
const EmaString& OmmState::getDataStateAsString() const {
    static const EmaString kNames[] = {"NoChange", "Ok", "Suspect"};
    requireValue(view_.blank, "getDataStateAsString()");
    if (data_ < std::size(kNames)) return kNames[data_];
    return words_.data.set("Unknown DataState value ").append(static_cast<Int32>(data_));
}
const EmaString& OmmState::getStatusCodeAsString() const {
    static const auto kNames = [] {
        std::array<EmaString, codec::kStateCodeEnd> names;
        for (const codec::StateCodeRow& row : codec::kStateCodeRows)
            names[row.code] = row.api;
        return names;
    }();
    requireValue(view_.blank, "getStatusCodeAsString()");
    if (code_ < std::size(kNames) && !kNames[code_].empty()) return kNames[code_];
    return words_.code.set("Unknown StatusCode value ").append(static_cast<Int32>(code_));
}
const EmaString& OmmState::toString() const {
    EmaString& text = view_.made().text;
    if (view_.blank) return text.set("(blank data)");
    std::string s;
    emissary::ema::appendState(
        s, {stream_, data_, code_, emissary::eta::asBytes({statusText_.c_str(), statusText_.length()})});
    return text.set(s.data(), static_cast<UInt32>(s.size()));
}

OmmError::OmmError() = default;
OmmError::~OmmError() = default;
DataType::DataTypeEnum OmmError::getDataType() const {
    return DataType::ErrorEnum;
}
Data::DataCode OmmError::getCode() const {
    return NoCodeEnum;
}
const EmaBuffer& OmmError::getAsHex() const {
    return view_.made().hex.setFrom(view_.bytes, view_.length);
}
OmmError::ErrorCode OmmError::getErrorCode() const {
    return error_;
}
const EmaString& OmmError::getErrorCodeAsString() const {
    static const EmaString kNames[] = {"NoError",         "NoDictionary",   "IteratorSetFailure",  "IteratorOverrun",
                                       "FieldIdNotFound", "IncompleteData", "UnsupportedDataType", "NoSetDefinition",
                                       "UnknownError"};
    if (static_cast<std::size_t>(error_) < std::size(kNames)) return kNames[error_];
    return words_.set("Unknown ErrorCode value ").append(static_cast<Int32>(error_));
}
const EmaString& OmmError::toString() const {
    return view_.made()
        .text.set("OmmError\n    ErrorCode=\"")
        .append(getErrorCodeAsString())
        .append("\"\nOmmErrorEnd\n");
}

}  // namespace refinitiv::ema::access

namespace emissary::ema {

using namespace refinitiv::ema::access;

namespace {

/// Public numbering: 0 best, 1..65535 an amount, the top value unknown.
UInt32 publicTimeliness(const codec::Qos& q) noexcept {
    return q.timeliness == 3   ? q.timeInfo
           : q.timeliness == 2 ? UInt32{OmmQos::InexactDelayedEnum}
                               : UInt32{OmmQos::RealTimeEnum};
}
UInt32 publicRate(const codec::Qos& q) noexcept {
    return q.rate == 3   ? q.rateInfo
           : q.rate == 2 ? UInt32{OmmQos::JustInTimeConflatedEnum}
                         : UInt32{OmmQos::TickByTickEnum};
}

}  // namespace

/// On the wire an amount is known (3) and has 16 bits, or unknown (2), which the public values beyond 16 bits stand for
/// (rwf.md 2.9).
codec::Qos wireQos(UInt32 timeliness, UInt32 rate) noexcept {
    codec::Qos q = codec::kRealtimeTickByTick;
    if (timeliness != UInt32{OmmQos::RealTimeEnum}) {
        const bool known = timeliness <= 65535;
        q.timeliness = known ? 3 : 2;
        q.timeInfo = known ? static_cast<std::uint16_t>(timeliness) : std::uint16_t{0};
    }
    if (rate != UInt32{OmmQos::TickByTickEnum}) {
        const bool known = rate <= 65535;
        q.rate = known ? 3 : 2;
        q.rateInfo = known ? static_cast<std::uint16_t>(rate) : std::uint16_t{0};
    }
    return q;
}

void DataAccess::pointQos(OmmQos& o, const codec::Qos& q, Bytes bytes, bool blank) {
    o.view_.bytes = reinterpret_cast<const char*>(bytes.data());
    o.view_.length = static_cast<UInt32>(bytes.size());
    o.view_.blank = blank;
    o.timeliness_ = publicTimeliness(q);
    o.rate_ = publicRate(q);
}
void DataAccess::pointState(OmmState& o, const codec::State& s, Bytes bytes, bool blank) {
    o.view_.bytes = reinterpret_cast<const char*>(bytes.data());
    o.view_.length = static_cast<UInt32>(bytes.size());
    o.view_.blank = blank;
    o.stream_ = s.stream;
    o.data_ = s.data;
    o.code_ = s.code;
    if (blank) o.statusText_.clear();
    else o.statusText_.set(reinterpret_cast<const char*>(s.text.data()), static_cast<UInt32>(s.text.size()));
}
template <>
void DataAccess::point<OmmQos>(OmmQos& o, const LoadImpl& load, bool blank) {
    pointQos(o, load.qosValue(), load.content(), blank);
}
template <>
void DataAccess::point<OmmState>(OmmState& o, const LoadImpl& load, bool blank) {
    pointState(o, load.stateValue(), load.content(), blank);
}
template <>
void DataAccess::point<OmmError>(OmmError& o, const LoadImpl& load, bool) {
    o.view_.bytes = reinterpret_cast<const char*>(load.content().data());
    o.view_.length = static_cast<UInt32>(load.content().size());
    o.view_.blank = false;
    o.error_ = load.error();
}

}  // namespace emissary::ema

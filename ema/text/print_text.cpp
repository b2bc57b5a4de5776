// ema/text: texts of single values, and names of numbers.
#include "text/Printer.h"

#include "Access/Include/AckMsg.h"
#include "Access/Include/DataType.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/ReqMsg.h"
#include "EmaRdm.h"
#include "eta/codec/Rmtes.h"
#include "eta/codec/primitives.h"
#include "eta/codec/text.h"
#include "eta/core/printable.h"
#include "text/date_text.h"
#include "text/hex.h"

#include <algorithm>
#include <iterator>

namespace emissary::ema {

namespace codec = eta::codec;
namespace rdm = refinitiv::ema::rdm;
using codec::Decoded;
using codec::TextBuffer;
using eta::asText;
using eta::Bytes;
using refinitiv::ema::access::AckMsg;
using refinitiv::ema::access::OmmQos;
using refinitiv::ema::access::ReqMsg;
using Type = codec::DataType;

namespace {

constexpr std::string_view kBlank = "(blank data)";

// Wire numbering (rwf.md 2.9).
constexpr std::uint8_t kUnknownAmount = 2, kKnownAmount = 3;

struct Name {
    unsigned number;
    const char* text;
};

template <std::size_t N>
[[nodiscard]] const char* lookUp(const Name (&names)[N], unsigned number) noexcept {
    const auto found =
        std::find_if(std::begin(names), std::end(names), [number](const Name& n) { return n.number == number; });
    return found == std::end(names) ? nullptr : found->text;
}

/// False for content that cannot be read; a blank has a text of its own.
template <class Value, class Decode, class Append>
[[nodiscard]] bool append(std::string& out, Bytes content, Decode decode, Append text) {
    Value value{};
    switch (decode(content, value)) {
    case Decoded::malformed:
        return false;
    case Decoded::blank:
        out.append(kBlank);
        return true;
    case Decoded::value:
        break;
    }
    text(value);
    return true;
}

}  // namespace

void appendState(std::string& out, const codec::State& state) {
    out.append(codec::streamStateName(state.stream)).append(" / ");
    out.append(codec::dataStateName(state.data)).append(" / ");
    out.append(codec::stateCodeName(state.code)).append(" / '");
    eta::appendPrintable(out, asText(state.text));
    out.append("'");
}

void appendRmtes(std::string& out, std::string_view content) {
    std::string utf8;
    if (eta::codec::rmtesToUtf8(eta::asBytes(content), utf8).ok()) eta::appendPrintable(out, utf8);
    else eta::appendPrintableAscii(out, content);
}

bool appendPrimitive(std::string& out, Type type, Bytes content, Type setType) {
    TextBuffer buffer;
    const auto put = [&](const auto& value) { out.append(codec::toText(value, buffer)); };
    const auto putDate = [&](const auto& value) { out.append(rsslText(value, buffer)); };
    switch (type) {
    case Type::Int:
        return append<std::int64_t>(out, content, codec::decodeInt, put);
    case Type::UInt:
        return append<std::uint64_t>(out, content, codec::decodeUInt, put);
    case Type::Float:
        return append<float>(out, content, codec::decodeFloat, put);
    case Type::Double:
        return append<double>(out, content, codec::decodeDouble, put);
    case Type::Real:
        return append<codec::Real>(
            out, content, [setType](Bytes in, codec::Real& real) { return codec::decodeSetReal(in, setType, real); },
            put);
    case Type::Date:
        return append<codec::Date>(out, content, codec::decodeDate, putDate);
    case Type::Time:
        return append<codec::Time>(out, content, codec::decodeTime, put);
    case Type::DateTime:
        return append<codec::DateTime>(out, content, codec::decodeDateTime, putDate);
    case Type::Enum:
        return append<std::uint16_t>(out, content, codec::decodeEnum, [&](std::uint16_t v) { put(std::uint64_t{v}); });
    case Type::Qos:
        return append<codec::Qos>(out, content, codec::decodeQos, [&](const codec::Qos& qos) {
            out.append(timelinessText(qos)).append("/").append(rateText(qos));
        });
    case Type::State:
        return append<codec::State>(out, content, codec::decodeState,
                                    [&](const codec::State& state) { appendState(out, state); });
    case Type::Buffer:
        return append<Bytes>(out, content, codec::decodeBuffer,
                             [&](Bytes bytes) { out.append(hexDump(asText(bytes), HexDump::withCharacters)); });
    case Type::RmtesString:
        return append<Bytes>(out, content, codec::decodeBuffer, [&](Bytes bytes) { appendRmtes(out, asText(bytes)); });
    case Type::AsciiString:
    case Type::Utf8String:
        return append<Bytes>(out, content, codec::decodeBuffer,
                             [&](Bytes bytes) { eta::appendPrintable(out, asText(bytes)); });
    default:
        return false;  // not a primitive
    }
}

std::string timelinessText(const codec::Qos& qos) {
    if (qos.timeliness == kKnownAmount) return "Timeliness: " + std::to_string(qos.timeInfo);
    return qos.timeliness == kUnknownAmount ? "InexactDelayed" : "RealTime";
}

std::string rateText(const codec::Qos& qos) {
    if (qos.rate == kKnownAmount) return "Rate: " + std::to_string(qos.rateInfo);
    return qos.rate == kUnknownAmount ? "JustInTimeConflated" : "TickByTick";
}

/// From the range on the wire back to the words of ReqMsg::qos(): a worst that differs from the best means that the
/// best of a range was asked for.
RequestQos requestQos(const codec::Msg& request) noexcept {
    const codec::Qos& best = request.qos;
    const codec::Qos& worst = request.has(codec::RequestFlag::worstQos) ? request.worstQos : best;
    RequestQos result;
    if (worst.timeliness != best.timeliness || worst.timeInfo != best.timeInfo)
        result.timeliness = best.timeliness == 1 ? ReqMsg::BestTimelinessEnum : ReqMsg::BestDelayedTimelinessEnum;
    else if (best.timeliness == kUnknownAmount) result.timeliness = ReqMsg::BestDelayedTimelinessEnum;
    else if (best.timeliness == kKnownAmount) result.timeliness = best.timeInfo;
    if (worst.rate != best.rate || worst.rateInfo != best.rateInfo)
        result.rate = best.rate == 1 ? ReqMsg::BestRateEnum : ReqMsg::BestConflatedRateEnum;
    else if (best.rate == kUnknownAmount) result.rate = ReqMsg::JustInTimeConflatedEnum;
    else if (best.rate == kKnownAmount) result.rate = best.rateInfo;
    return result;
}

std::string requestTimelinessText(std::uint32_t timeliness) {
    switch (timeliness) {
    case ReqMsg::RealTimeEnum:
        return "RealTime";
    case ReqMsg::BestDelayedTimelinessEnum:
        return "BestDelayedTimeliness";
    case ReqMsg::BestTimelinessEnum:
        return "BestTimeliness";
    default:
        return "QosTimeliness on ReqMsg. Value = " + std::to_string(timeliness);
    }
}

std::string requestRateText(std::uint32_t rate) {
    switch (rate) {
    case ReqMsg::TickByTickEnum:
        return "TickByTick";
    case ReqMsg::JustInTimeConflatedEnum:
        return "JustInTimeConflatedrate";
    case ReqMsg::BestConflatedRateEnum:
        return "BestConflatedRate";
    case ReqMsg::BestRateEnum:
        return "BestRate";
    default:
        return "Rate on ReqMsg. Value = " + std::to_string(rate);
    }
}

std::string typeName(Type type) {
    using refinitiv::ema::access::DataType;
    static constexpr Name kNames[] = {
        {DataType::IntEnum, "Int"},
        {DataType::UIntEnum, "UInt"},
        {DataType::FloatEnum, "Float"},
        {DataType::DoubleEnum, "Double"},
        {DataType::RealEnum, "Real"},
        {DataType::DateEnum, "Date"},
        {DataType::TimeEnum, "Time"},
        {DataType::DateTimeEnum, "DateTime"},
        {DataType::QosEnum, "Qos"},
        {DataType::StateEnum, "State"},
        {DataType::EnumEnum, "Enum"},
        {DataType::ArrayEnum, "OmmArray"},
        {DataType::BufferEnum, "Buffer"},
        {DataType::AsciiEnum, "Ascii"},
        {DataType::Utf8Enum, "Utf8"},
        {DataType::RmtesEnum, "Rmtes"},
        {DataType::NoDataEnum, "NoData"},
        {DataType::OpaqueEnum, "Opaque"},
        {DataType::XmlEnum, "Xml"},
        {DataType::FieldListEnum, "FieldList"},
        {DataType::ElementListEnum, "ElementList"},
        {DataType::AnsiPageEnum, "AnsiPage"},
        {DataType::FilterListEnum, "FilterList"},
        {DataType::VectorEnum, "Vector"},
        {DataType::MapEnum, "Map"},
        {DataType::SeriesEnum, "Series"},
        {DataType::MsgEnum, "Msg"},
        {DataType::JsonEnum, "Json"},
    };
    const auto number = static_cast<unsigned>(type);
    if (const char* known = lookUp(kNames, number)) return known;
    return "Unknown DataType value " + std::to_string(number);
}

const char* msgTypeName(codec::MsgClass cls) noexcept {
    switch (cls) {
    case codec::MsgClass::Request:
    case codec::MsgClass::Close:  // has no public class: applications see the request that it ends
        return "ReqMsg";
    case codec::MsgClass::Refresh:
        return "RefreshMsg";
    case codec::MsgClass::Status:
        return "StatusMsg";
    case codec::MsgClass::Update:
        return "UpdateMsg";
    case codec::MsgClass::Ack:
        return "AckMsg";
    case codec::MsgClass::Generic:
        return "GenericMsg";
    case codec::MsgClass::Post:
        return "PostMsg";
    }
    return "Error";
}

std::string domainName(std::uint8_t domain) {
    static constexpr Name kNames[] = {
        {rdm::MMT_LOGIN, "Login"},
        {rdm::MMT_DIRECTORY, "Directory"},
        {rdm::MMT_DICTIONARY, "Dictionary"},
        {rdm::MMT_MARKET_PRICE, "MarketPrice"},
        {rdm::MMT_MARKET_BY_ORDER, "MarketByOrder"},
        {rdm::MMT_MARKET_BY_PRICE, "MarketByPrice"},
        {rdm::MMT_MARKET_MAKER, "MarketMaker"},
        {rdm::MMT_SYMBOL_LIST, "SymbolList"},
        {rdm::MMT_SERVICE_PROVIDER_STATUS, "ServiceProviderStatus"},
        {rdm::MMT_HISTORY, "History"},
        {rdm::MMT_HEADLINE, "Headline"},
        {rdm::MMT_STORY, "Story"},
        {rdm::MMT_REPLAYHEADLINE, "ReplayHeadline"},
        {rdm::MMT_REPLAYSTORY, "ReplayHistory"},  // applications compare this text
        {rdm::MMT_TRANSACTION, "Transaction"},
        {rdm::MMT_YIELD_CURVE, "YieldCurve"},
        {rdm::MMT_CONTRIBUTION, "Contribution"},
        {rdm::MMT_PROVIDER_ADMIN, "ProviderAdmin"},
        {rdm::MMT_ANALYTICS, "Analytics"},
        {rdm::MMT_REFERENCE, "Reference"},
        {rdm::MMT_NEWS_TEXT_ANALYTICS, "NewsTextAnalytics"},
        {rdm::MMT_SYSTEM, "System"},
    };
    if (const char* known = lookUp(kNames, domain)) return std::string{known}.append(" Domain");
    return "Unknown RDM Domain. Value='" + std::to_string(domain) + "'";
}

std::string errorCodeName(int code) {
    static constexpr const char* kNames[] = {
        "NoError",        "NoDictionary",        "IteratorSetFailure", "IteratorOverrun", "FieldIdNotFound",
        "IncompleteData", "UnsupportedDataType", "NoSetDefinition",    "UnknownError"};
    if (code >= 0 && static_cast<std::size_t>(code) < std::size(kNames)) return kNames[code];
    return "Unknown ErrorCode value " + std::to_string(code);
}

std::string nackCodeName(std::uint8_t code) {
    static constexpr Name kNames[] = {
        {AckMsg::NoneEnum, "None"},
        {AckMsg::AccessDeniedEnum, "AccessDenied"},
        {AckMsg::DeniedBySourceEnum, "DeniedBySource"},
        {AckMsg::SourceDownEnum, "SourceDown"},
        {AckMsg::SourceUnknownEnum, "SourceUnknown"},
        {AckMsg::NoResourcesEnum, "NoResources"},
        {AckMsg::NoResponseEnum, "NoResponse"},
        {AckMsg::GatewayDownEnum, "GatewayDown"},
        {AckMsg::SymbolUnknownEnum, "SymbolUnknown"},
        {AckMsg::NotOpenEnum, "NotOpen"},
        {AckMsg::InvalidContentEnum, "InvalidContent"},
    };
    if (const char* known = lookUp(kNames, code)) return known;
    return "Unknown NackCode value " + std::to_string(code);
}

}  // namespace emissary::ema

// toString() texts (ema-api.md sections 2 and 15), made from encoded bytes.
//
// Printing never goes through the public objects, so that a text asked for inside a forth() loop leaves the loop's
// position alone. Everything appends; nesting stops at codec::kMaxDepth; what cannot be decoded becomes an OmmError
// block in its place and the rest is still printed.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/containers.h"
#include "eta/dictionary/Dictionary.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace emissary::ema {

/// What the bytes do not say themselves. Borrowed for the call.
struct PrintScope {
    const eta::dictionary::Dictionary* dictionary = nullptr;  ///< null: fields are OmmError/NoDictionary
    const eta::codec::SetDefinitionDb* sets = nullptr;        ///< the enclosing container's, or null
    std::string_view serviceName;                             ///< of the outermost message
    bool hasServiceName = false;
};

// --- whole objects, `indent` levels (of four blanks) to the right; each line ends with a newline
/// Any type from 128 on: containers, the opaque family, NoData, messages.
void printContainer(std::string& out, eta::codec::DataType type, eta::Bytes bytes, const PrintScope& scope,
                    int indent = 0);
void printMsg(std::string& out, const eta::codec::Msg& msg, const PrintScope& scope, int indent = 0);
void printArray(std::string& out, eta::Bytes bytes, int indent = 0);
/// The text of an OmmError; `code` is an OmmError::ErrorCode.
void printError(std::string& out, int code, int indent = 0);

// --- entries on their own (entry.toString())
void printFieldEntry(std::string& out, std::int16_t fieldId, eta::Bytes data, eta::codec::DataType setType,
                     const PrintScope& scope);
void printElementEntry(std::string& out, const eta::codec::ElementEntry& entry, const PrintScope& scope);
void printMapEntry(std::string& out, const eta::codec::MapEntry& entry, eta::codec::DataType keyType,
                   eta::codec::DataType entryType, const PrintScope& scope);
void printVectorEntry(std::string& out, const eta::codec::VectorEntry& entry, eta::codec::DataType entryType,
                      const PrintScope& scope);
void printSeriesEntry(std::string& out, const eta::codec::SeriesEntry& entry, eta::codec::DataType entryType,
                      const PrintScope& scope);
void printFilterEntry(std::string& out, const eta::codec::FilterEntry& entry, const PrintScope& scope);

// --- quality of service
/// "RealTime", "InexactDelayed", "Timeliness: 20".
[[nodiscard]] std::string timelinessText(const eta::codec::Qos& qos);
/// "TickByTick", "JustInTimeConflated", "Rate: 100".
[[nodiscard]] std::string rateText(const eta::codec::Qos& qos);

/// A request's acceptable quality of service as ReqMsg::qos() takes it; what stands for "best" in a range.
struct RequestQos {
    std::uint32_t timeliness = 0, rate = 0;
};
[[nodiscard]] RequestQos requestQos(const eta::codec::Msg& request) noexcept;
/// "RealTime", "BestDelayedTimeliness", "BestTimeliness", "QosTimeliness on ReqMsg. Value = N".
[[nodiscard]] std::string requestTimelinessText(std::uint32_t timeliness);
/// "TickByTick", "JustInTimeConflatedrate", "BestConflatedRate", "BestRate", "Rate on ReqMsg. Value = N".
[[nodiscard]] std::string requestRateText(std::uint32_t rate);

// --- names
/// "Ascii", "FieldList", "OmmArray" ...; messages by their class with msgTypeName().
[[nodiscard]] std::string typeName(eta::codec::DataType type);
[[nodiscard]] const char* msgTypeName(eta::codec::MsgClass cls) noexcept;
/// "MarketPrice Domain", "Unknown RDM Domain. Value='n'".
[[nodiscard]] std::string domainName(std::uint8_t domain);
/// An OmmError code for a decoding failure.
[[nodiscard]] int errorCodeOf(eta::Error e) noexcept;
/// "NoDictionary" ... for an OmmError::ErrorCode.
[[nodiscard]] std::string errorCodeName(int code);
/// "AccessDenied" ... for an AckMsg::NackCode.
[[nodiscard]] std::string nackCodeName(std::uint8_t code);

}  // namespace emissary::ema

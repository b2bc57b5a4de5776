// Words for qualities of service and states, as peers print them (rwf.md 2.9, 2.10).
#include "codec/TextCursor.h"

namespace emissary::eta::codec {

namespace {

constexpr std::array<const char*, 4> kTimeliness{"Unspecified", "Realtime", "DelayedByUnknown", "DelayedByTimeInfo"};
constexpr std::array<const char*, 4> kRates{"Unspecified", "TickByTick", "JustInTimeConflated", "ConflatedByRateInfo"};
constexpr std::array<const char*, 6> kStreamStates{"Unspecified",         "Open",   "Non-streaming",
                                                   "Closed, Recoverable", "Closed", "Redirected"};
constexpr std::array<const char*, 3> kDataStates{"No Change", "Ok", "Suspect"};
/// By state code; gaps in the numbering have no word.
constexpr std::array<const char*, 36> kCodes{
    "None",
    "Not found",
    "Timeout",
    "Not entitled",
    "Invalid argument",
    "Usage error",
    "Preempted",
    "JIT conflation started",
    "Realtime resumed",
    "Failover started",
    "Failover completed",
    "Gap detected",
    "No resources",
    "Too many items",
    "Already open",
    "Source unknown",
    "Not open",
    "",
    "",
    "Non-updating item",
    "Unsupported view type",
    "Invalid view",
    "Full view provided",
    "Unable to request as batch",
    "",
    "",
    "Batch and/or View not supported on request",
    "Too many mounts for the user",
    "Internal error from sender",
    "A21: Connection to DACS down, users are not allowed to connect",
    "User unknown to permissioning system, it could be DACS, AAA or EED",
    "Maximum logins reached",
    "Application denied access",
    "",
    "Gap fill",
    "Application Authorization failed",
};

/// The word of a code, or `otherwise` beyond the table.
template <std::size_t N>
[[nodiscard]] const char* word(const std::array<const char*, N>& words, std::uint8_t code,
                               const char* otherwise) noexcept {
    return code < N ? words[code] : otherwise;
}

}  // namespace

const char* timelinessName(std::uint8_t timeliness) noexcept {
    return word(kTimeliness, timeliness, "Unknown");
}
const char* rateName(std::uint8_t rate) noexcept {
    return word(kRates, rate, "Unknown");
}
const char* streamStateName(std::uint8_t stream) noexcept {
    return word(kStreamStates, stream, "Unknown");
}
const char* dataStateName(std::uint8_t data) noexcept {
    return word(kDataStates, data, "Unknown");
}
const char* stateCodeName(std::uint8_t code) noexcept {
    return word(kCodes, code, "");
}

std::string_view toText(const Qos& v, TextBuffer& buffer) noexcept {
    return TextCursor{buffer}
        .put("Qos: ")
        .put(timelinessName(v.timeliness))
        .put('/')
        .put(rateName(v.rate))
        .put(v.dynamic ? "/Dynamic" : "/Static")
        .put(" - timeInfo: ")
        .number(v.timeInfo)
        .put(" - rateInfo: ")
        .number(v.rateInfo)
        .text();
}

}  // namespace emissary::eta::codec

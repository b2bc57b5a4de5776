// Words for qualities of service and states, as peers print them (rwf.md 2.9, 2.10).
#include "codec/TextCursor.h"
#include "eta/codec/state_codes.h"

namespace emissary::eta::codec {

namespace {

constexpr std::array<const char*, 4> kTimeliness{"Unspecified", "Realtime", "DelayedByUnknown", "DelayedByTimeInfo"};
constexpr std::array<const char*, 4> kRates{"Unspecified", "TickByTick", "JustInTimeConflated", "ConflatedByRateInfo"};
constexpr std::array<const char*, 6> kStreamStates{"Unspecified",         "Open",   "Non-streaming",
                                                   "Closed, Recoverable", "Closed", "Redirected"};
constexpr std::array<const char*, 3> kDataStates{"No Change", "Ok", "Suspect"};
/// By state code; gaps in the numbering have no word.
constexpr auto kCodes = [] {
    std::array<const char*, kStateCodeEnd> words{};
    words.fill("");
    for (const StateCodeRow& row : kStateCodeRows)
        words[row.code] = row.text;
    return words;
}();

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

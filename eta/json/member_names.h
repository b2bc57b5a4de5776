// Words of the simplified JSON protocol and their numbers (json.md 2 - 7): one constant table for each vocabulary,
// found by word through a small open-addressing index made at compile time, and by number through an array.
#pragma once

#include "eta/codec/Types.h"
#include "eta/codec/state_codes.h"
#include "eta/core/copy_short.h"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace emissary::eta::json {

struct Word {
    std::string_view text;
    std::uint8_t value = 0;
};

template <std::size_t N>
class WordTable {
public:
    explicit constexpr WordTable(const Word (&words)[N]) noexcept : WordTable(std::to_array(words)) {}
    explicit constexpr WordTable(const std::array<Word, N>& words) noexcept {
        for (std::size_t i = 0; i < N; ++i) {
            words_[i] = words[i];
            std::size_t at = slotOf(words[i].text);
            while (index_[at] != 0)
                at = (at + 1) & kMask;
            index_[at] = static_cast<std::uint8_t>(i + 1);
            if (byValue_[words[i].value] == 0) byValue_[words[i].value] = static_cast<std::uint8_t>(i + 1);
        }
    }
    /// Null when the word is not of this vocabulary; case counts.
    [[nodiscard]] constexpr const Word* find(std::string_view text) const noexcept {
        if (text.empty()) return nullptr;
        for (std::size_t at = slotOf(text);; at = (at + 1) & kMask) {
            const std::size_t position = index_[at];
            if (position == 0) return nullptr;
            if (equal(words_[position - 1].text, text)) return &words_[position - 1];
        }
    }
    /// The first word given for the number; empty when there is none.
    [[nodiscard]] constexpr std::string_view textOf(std::uint8_t value) const noexcept {
        const std::size_t position = byValue_[value];
        return position == 0 ? std::string_view{} : words_[position - 1].text;
    }

private:
    [[nodiscard]] static constexpr bool equal(std::string_view a, std::string_view b) noexcept {
        return std::is_constant_evaluated() ? a == b : equalShort(a, b);
    }
    static_assert(N < 255);
    static constexpr std::size_t kMask = std::bit_ceil(2 * N + 1) - 1;
    [[nodiscard]] static constexpr std::size_t slotOf(std::string_view text) noexcept {
        const auto at = [text](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(text[i])); };
        return (at(0) * 13 + at(text.size() / 2) * 7 + at(text.size() - 1) * 3 + text.size() * 29) & kMask;
    }
    std::array<Word, N> words_{};
    std::array<std::uint8_t, kMask + 1> index_{};
    std::array<std::uint8_t, 256> byValue_{};
};

// clang-format off
/// Every member name that the protocol knows. Payload members come first, in one run.
#define EMISSARY_JSON_MEMBERS(X) \
    X(Fields) X(FieldList) X(Elements) X(ElementList) X(Map) X(Vector) X(Series) X(FilterList) X(Message) X(Opaque) \
    X(Xml) X(Json) X(ID) X(Type) X(Domain) X(Key) X(ExtHdr) X(ReqKey) X(Streaming) X(KeyInUpdates) \
    X(ConfInfoInUpdates) X(Refresh) X(Private) X(Qualified) X(Pause) X(Priority) X(Qos) X(WorstQos) X(View) \
    X(ViewType) X(State) X(Complete) X(ClearCache) X(Solicited) X(DoNotCache) X(SeqNumber) X(PartNumber) X(PermData) \
    X(PostUserInfo) X(UpdateType) X(DoNotConflate) X(DoNotRipple) X(Discardable) X(ConflationInfo) X(Ack) X(AckID) \
    X(NakCode) X(Text) X(SecSeqNumber) X(ProviderDriven) X(PostID) X(PostUserRights) X(Debug) X(Service) X(NameType) \
    X(Name) X(Filter) X(Identifier) X(KeyType) X(KeyFieldID) X(CountHint) X(SupportSorting) X(Summary) X(Entries) \
    X(Action) X(Index) X(Stream) X(Data) X(Code) X(Timeliness) X(Rate) X(TimeInfo) X(RateInfo) X(Dynamic) X(Class) \
    X(Count) X(Time) X(Address) X(UserID) X(Length)
// clang-format on
#define EMISSARY_JSON_AS_ENUMERATOR(name) name,
#define EMISSARY_JSON_AS_WORD(name) Word{#name, static_cast<std::uint8_t>(Member::name)},
enum class Member : std::uint8_t { EMISSARY_JSON_MEMBERS(EMISSARY_JSON_AS_ENUMERATOR) };
inline constexpr WordTable kMembers({EMISSARY_JSON_MEMBERS(EMISSARY_JSON_AS_WORD)});
#undef EMISSARY_JSON_AS_WORD
#undef EMISSARY_JSON_AS_ENUMERATOR
#undef EMISSARY_JSON_MEMBERS
inline constexpr std::size_t kMemberCount = static_cast<std::size_t>(Member::Length) + 1;
inline constexpr std::size_t kPayloadCount = static_cast<std::size_t>(Member::Json) + 1;

/// Message classes of RWF by their number, and the three messages that RWF does not have.
inline constexpr std::uint8_t kPing = 250, kPong = 251, kError = 252;
inline constexpr WordTable kMessageTypes({{"Request", 1},
                                          {"Refresh", 2},
                                          {"Status", 3},
                                          {"Update", 4},
                                          {"Close", 5},
                                          {"Ack", 6},
                                          {"Generic", 7},
                                          {"Post", 8},
                                          {"Ping", kPing},
                                          {"Pong", kPong},
                                          {"Error", kError}});

inline constexpr WordTable kDomains({{"Login", 1},
                                     {"Source", 4},
                                     {"Dictionary", 5},
                                     {"MarketPrice", 6},
                                     {"MarketByOrder", 7},
                                     {"MarketByPrice", 8},
                                     {"MarketMaker", 9},
                                     {"SymbolList", 10},
                                     {"ServiceProviderStatus", 11},
                                     {"History", 12},
                                     {"Headline", 13},
                                     {"Story", 14},
                                     {"ReplayHeadline", 15},
                                     {"ReplayStory", 16},
                                     {"Transaction", 17},
                                     {"YieldCurve", 22},
                                     {"Contribution", 27},
                                     {"ProviderAdmin", 29},
                                     {"Analytics", 30},
                                     {"Reference", 31},
                                     {"NewsTextAnalytics", 33},
                                     {"EconomicIndicator", 34},
                                     {"Poll", 35},
                                     {"Forecast", 36},
                                     {"MarketByTime", 37},
                                     {"System", 127}});

inline constexpr WordTable kUpdateTypes({{"Unspecified", 0},
                                         {"Quote", 1},
                                         {"Trade", 2},
                                         {"NewsAlert", 3},
                                         {"VolumeAlert", 4},
                                         {"OrderIndication", 5},
                                         {"ClosingRun", 6},
                                         {"Correction", 7},
                                         {"MarketDigest", 8},
                                         {"QuotesTrade", 9},
                                         {"Multiple", 10},
                                         {"Verify", 11}});

inline constexpr WordTable kNakCodes({{"None", 0},
                                      {"AccessDenied", 1},
                                      {"DeniedBySrc", 2},
                                      {"SourceDown", 3},
                                      {"SourceUnknown", 4},
                                      {"NoResources", 5},
                                      {"NoResponse", 6},
                                      {"GatewayDown", 7},
                                      {"SymbolUnknown", 10},
                                      {"NotOpen", 11},
                                      {"InvalidContent", 12}});

/// Login domain and the others write different names for the same numbers; both are read everywhere (json.md 3).
inline constexpr WordTable
    kLoginNameTypes({{"Name", 1}, {"EmailAddress", 2}, {"Token", 3}, {"Cookie", 4}, {"AuthnToken", 5}});
inline constexpr WordTable kNameTypes({{"Unspecified", 0}, {"Ric", 1}, {"Contributor", 2}});

inline constexpr WordTable kStreamStates(
    {{"Unspecified", 0}, {"Open", 1}, {"NonStreaming", 2}, {"ClosedRecover", 3}, {"Closed", 4}, {"Redirected", 5}});
inline constexpr WordTable kDataStates({{"NoChange", 0}, {"Ok", 1}, {"Suspect", 2}});
inline constexpr WordTable kStateCodes(codec::ofStateCodes([](const codec::StateCodeRow& row) {
    return Word{row.json, row.code};
}));

inline constexpr WordTable kTimelinesses({{"Unspecified", 0}, {"Realtime", 1}, {"DelayedUnknown", 2}, {"Delayed", 3}});
inline constexpr WordTable kRates({{"Unspecified", 0}, {"TickByTick", 1}, {"JitConflated", 2}, {"TimeConflated", 3}});

inline constexpr WordTable kMapActions({{"Update", 1}, {"Add", 2}, {"Delete", 3}});
inline constexpr WordTable kVectorActions({{"Update", 1}, {"Set", 2}, {"Clear", 3}, {"Insert", 4}, {"Delete", 5}});
inline constexpr WordTable kFilterActions({{"Update", 1}, {"Set", 2}, {"Clear", 3}});

// clang-format off
/// Type names of elements, arrays and keys (json.md 5).
#define EMISSARY_JSON_TYPES(X) \
    X(Int) X(UInt) X(Float) X(Double) X(Real) X(Date) X(Time) X(DateTime) X(Qos) X(State) X(Enum) X(Array) X(Buffer) \
    X(AsciiString) X(Utf8String) X(RmtesString) X(NoData) X(Opaque) X(Xml) X(FieldList) X(ElementList) X(FilterList) \
    X(Vector) X(Map) X(Series) X(Msg) X(Json)
// clang-format on
#define EMISSARY_JSON_AS_WORD(name) Word{#name, static_cast<std::uint8_t>(codec::DataType::name)},
inline constexpr WordTable kTypes({EMISSARY_JSON_TYPES(EMISSARY_JSON_AS_WORD)});
#undef EMISSARY_JSON_AS_WORD
#undef EMISSARY_JSON_TYPES

}  // namespace emissary::eta::json

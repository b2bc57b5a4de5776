// Holds the tables of words: message classes, containers, domains, flags and states.
#include "trace/trace_names.h"

#include "eta/codec/state_codes.h"

#include <array>

namespace emissary::eta::trace {
namespace {

constexpr Word kDomainWords[] = {{1, "LOGIN"},
                                 {4, "SOURCE"},
                                 {5, "DICTIONARY"},
                                 {6, "MARKET_PRICE"},
                                 {7, "MARKET_BY_ORDER"},
                                 {8, "MARKET_BY_PRICE"},
                                 {9, "MARKET_MAKER"},
                                 {10, "SYMBOL_LIST"},
                                 {11, "SERVICE_PROVIDER_STATUS"},
                                 {12, "HISTORY"},
                                 {13, "HEADLINE"},
                                 {14, "STORY"},
                                 {15, "REPLAYHEADLINE"},
                                 {16, "REPLAYSTORY"},
                                 {17, "TRANSACTION"},
                                 {22, "YIELD_CURVE"},
                                 {27, "CONTRIBUTION"},
                                 {29, "PROVIDER_ADMIN"},
                                 {30, "ANALYTICS"},
                                 {31, "REFERENCE"},
                                 {33, "NEWS_TEXT_ANALYTICS"},
                                 {34, "ECONOMIC_INDICATOR"},
                                 {35, "POLL"},
                                 {36, "FORECAST"},
                                 {37, "MARKET_BY_TIME"},
                                 {127, "SYSTEM"}};
constexpr Word kTypeWords[] = {
    {0, "UNKNOWN"},      {3, "INT"},           {4, "UINT"},           {5, "FLOAT"},       {6, "DOUBLE"},
    {8, "REAL"},         {9, "DATE"},          {10, "TIME"},          {11, "DATETIME"},   {12, "QOS"},
    {13, "STATE"},       {14, "ENUM"},         {15, "ARRAY"},         {16, "BUFFER"},     {17, "ASCII_STRING"},
    {18, "UTF8_STRING"}, {19, "RMTES_STRING"}, {64, "INT_1"},         {65, "UINT_1"},     {66, "INT_2"},
    {67, "UINT_2"},      {68, "INT_4"},        {69, "UINT_4"},        {70, "INT_8"},      {71, "UINT_8"},
    {72, "FLOAT_4"},     {73, "DOUBLE_8"},     {74, "REAL_4RB"},      {75, "REAL_8RB"},   {76, "DATE_4"},
    {77, "TIME_3"},      {78, "TIME_5"},       {79, "DATETIME_7"},    {80, "DATETIME_9"}, {81, "DATETIME_11"},
    {82, "DATETIME_12"}, {83, "TIME_7"},       {84, "TIME_8"},        {128, "NO_DATA"},   {130, "OPAQUE"},
    {131, "XML"},        {132, "FIELD_LIST"},  {133, "ELEMENT_LIST"}, {134, "ANSI_PAGE"}, {135, "FILTER_LIST"},
    {136, "VECTOR"},     {137, "MAP"},         {138, "SERIES"},       {141, "MSG"},       {142, "JSON"}};
constexpr Word kDataStateWords[] = {{0, "NO_CHANGE"}, {1, "OK"}, {2, "SUSPECT"}};
constexpr Word kStreamStateWords[] = {{0, "UNSPECIFIED"},    {1, "OPEN"},   {2, "NON_STREAMING"},
                                      {3, "CLOSED_RECOVER"}, {4, "CLOSED"}, {5, "REDIRECTED"}};
constexpr auto kStateCodeWords = codec::ofStateCodes([](const codec::StateCodeRow& row) {
    return Word{row.code, row.trace};
});
constexpr Word kUpdateTypeWords[] = {{0, "UNSPECIFIED"},  {1, "QUOTE"},        {2, "TRADE"},
                                     {3, "NEWS_ALERT"},   {4, "VOLUME_ALERT"}, {5, "ORDER_INDICATION"},
                                     {6, "CLOSING_RUN"},  {7, "CORRECTION"},   {8, "MARKET_DIGEST"},
                                     {9, "QUOTES_TRADE"}, {10, "MULTIPLE"},    {11, "VERIFY"}};
constexpr Word kNakCodeWords[] = {{0, "NONE"},        {1, "ACCESS_DENIED"},   {2, "DENIED_BY_SRC"},
                                  {3, "SOURCE_DOWN"}, {4, "SOURCE_UNKNOWN"},  {5, "NO_RESOURCES"},
                                  {6, "NO_RESPONSE"}, {7, "GATEWAY_DOWN"},    {10, "SYMBOL_UNKNOWN"},
                                  {11, "NOT_OPEN"},   {12, "INVALID_CONTENT"}};
constexpr Word kMapActionWords[] = {{1, "UPDATE_ENTRY"}, {2, "ADD_ENTRY"}, {3, "DELETE_ENTRY"}};
constexpr Word kVectorActionWords[] = {
    {1, "UPDATE_ENTRY"}, {2, "SET_ENTRY"}, {3, "CLEAR_ENTRY"}, {4, "INSERT_ENTRY"}, {5, "DELETE_ENTRY"}};
constexpr Word kFilterActionWords[] = {{1, "UPDATE_ENTRY"}, {2, "SET_ENTRY"}, {3, "CLEAR_ENTRY"}};
constexpr Word kKeyFlagWords[] = {{0x1, "HAS_SERVICE_ID"}, {0x2, "HAS_NAME"},        {0x4, "HAS_NAME_TYPE"},
                                  {0x8, "HAS_FILTER"},     {0x10, "HAS_IDENTIFIER"}, {0x20, "HAS_ATTRIB"}};
constexpr Word kFieldListFlagWords[] = {
    {0x1, "HAS_FIELD_LIST_INFO"}, {0x2, "HAS_SET_DATA"}, {0x4, "HAS_SET_ID"}, {0x8, "HAS_STANDARD_DATA"}};
constexpr Word kElementListFlagWords[] = {
    {0x1, "HAS_ELEMENT_LIST_INFO"}, {0x2, "HAS_SET_DATA"}, {0x4, "HAS_SET_ID"}, {0x8, "HAS_STANDARD_DATA"}};
constexpr Word kMapFlagWords[] = {{0x1, "HAS_SET_DEFS"},
                                  {0x2, "HAS_SUMMARY_DATA"},
                                  {0x4, "HAS_PER_ENTRY_PERM_DATA"},
                                  {0x8, "HAS_TOTAL_COUNT_HINT"},
                                  {0x10, "HAS_KEY_FIELD_ID"}};
constexpr Word kVectorFlagWords[] = {{0x1, "HAS_SET_DEFS"},
                                     {0x2, "HAS_SUMMARY_DATA"},
                                     {0x4, "HAS_PER_ENTRY_PERM_DATA"},
                                     {0x8, "HAS_TOTAL_COUNT_HINT"},
                                     {0x10, "SUPPORTS_SORTING"}};
constexpr Word kSeriesFlagWords[] = {{0x1, "HAS_SET_DEFS"}, {0x2, "HAS_SUMMARY_DATA"}, {0x4, "HAS_TOTAL_COUNT_HINT"}};
constexpr Word kFilterListFlagWords[] = {{0x1, "HAS_PER_ENTRY_PERM_DATA"}, {0x2, "HAS_TOTAL_COUNT_HINT"}};
constexpr Word kPermWords[] = {{0x1, "HAS_PERM_DATA"}};
constexpr Word kFilterEntryFlagWords[] = {{0x1, "HAS_PERM_DATA"}, {0x2, "HAS_CONTAINER_TYPE"}};
constexpr Word kRequestFlagWords[] = {
    {0x1, "HAS_EXTENDED_HEADER"},   {0x2, "HAS_PRIORITY"}, {0x4, "STREAMING"},  {0x8, "MSG_KEY_IN_UPDATES"},
    {0x10, "CONF_INFO_IN_UPDATES"}, {0x20, "NO_REFRESH"},  {0x40, "HAS_QOS"},   {0x80, "HAS_WORST_QOS"},
    {0x100, "PRIVATE_STREAM"},      {0x200, "PAUSE"},      {0x400, "HAS_VIEW"}, {0x800, "HAS_BATCH"},
    {0x1000, "QUALIFIED_STREAM"}};
constexpr Word kRefreshFlagWords[] = {
    {0x1, "HAS_EXTENDED_HEADER"}, {0x2, "HAS_PERM_DATA"},      {0x8, "HAS_MSG_KEY"},
    {0x2000, "HAS_REQ_MSG_KEY"},  {0x10, "HAS_SEQ_NUM"},       {0x20, "SOLICITED"},
    {0x40, "REFRESH_COMPLETE"},   {0x80, "HAS_QOS"},           {0x100, "CLEAR_CACHE"},
    {0x200, "DO_NOT_CACHE"},      {0x400, "PRIVATE_STREAM"},   {0x800, "HAS_POST_USER_INFO"},
    {0x1000, "HAS_PART_NUM"},     {0x4000, "QUALIFIED_STREAM"}};
constexpr Word kStatusFlagWords[] = {
    {0x1, "HAS_EXTENDED_HEADER"},  {0x2, "HAS_PERM_DATA"},     {0x8, "HAS_MSG_KEY"},  {0x200, "HAS_REQ_MSG_KEY"},
    {0x10, "HAS_GROUP_ID"},        {0x20, "HAS_STATE"},        {0x40, "CLEAR_CACHE"}, {0x80, "PRIVATE_STREAM"},
    {0x100, "HAS_POST_USER_INFO"}, {0x400, "QUALIFIED_STREAM"}};
constexpr Word kUpdateFlagWords[] = {
    {0x1, "HAS_EXTENDED_HEADER"},  {0x2, "HAS_PERM_DATA"}, {0x8, "HAS_MSG_KEY"},      {0x10, "HAS_SEQ_NUM"},
    {0x20, "HAS_CONF_INFO"},       {0x40, "DO_NOT_CACHE"}, {0x80, "DO_NOT_CONFLATE"}, {0x100, "DO_NOT_RIPPLE"},
    {0x200, "HAS_POST_USER_INFO"}, {0x400, "DISCARDABLE"}};
constexpr Word kCloseFlagWords[] = {{0x1, "HAS_EXTENDED_HEADER"}, {0x2, "ACK"}, {0x4, "HAS_BATCH"}};
constexpr Word kAckFlagWords[] = {{0x1, "HAS_EXTENDED_HEADER"}, {0x2, "HAS_TEXT"},     {0x4, "PRIVATE_STREAM"},
                                  {0x8, "HAS_SEQ_NUM"},         {0x10, "HAS_MSG_KEY"}, {0x20, "HAS_NAK_CODE"},
                                  {0x40, "QUALIFIED_STREAM"}};
constexpr Word kGenericFlagWords[] = {
    {0x1, "HAS_EXTENDED_HEADER"},    {0x2, "HAS_PERM_DATA"}, {0x4, "HAS_MSG_KEY"},
    {0x80, "HAS_REQ_MSG_KEY"},       {0x8, "HAS_SEQ_NUM"},   {0x10, "MESSAGE_COMPLETE"},
    {0x20, "HAS_SECONDARY_SEQ_NUM"}, {0x40, "HAS_PART_NUM"}, {0x4000, "PROVIDER_DRIVEN"}};
constexpr Word kPostFlagWords[] = {
    {0x1, "HAS_EXTENDED_HEADER"}, {0x2, "HAS_POST_ID"},    {0x4, "HAS_MSG_KEY"},
    {0x8, "HAS_SEQ_NUM"},         {0x20, "POST_COMPLETE"}, {0x40, "ACK"},
    {0x80, "HAS_PERM_DATA"},      {0x100, "HAS_PART_NUM"}, {0x200, "HAS_POST_USER_RIGHTS"}};

constexpr std::array<Words, 9> kClassFlags = {{
    {"", {}},
    {"RSSL_RQMF_", kRequestFlagWords},
    {"RSSL_RFMF_", kRefreshFlagWords},
    {"RSSL_STMF_", kStatusFlagWords},
    {"RSSL_UPMF_", kUpdateFlagWords},
    {"RSSL_CLMF_", kCloseFlagWords},
    {"RSSL_AKMF_", kAckFlagWords},
    {"RSSL_GNMF_", kGenericFlagWords},
    {"RSSL_PSMF_", kPostFlagWords},
}};
constexpr std::array<std::string_view, 9> kElements = {"",         "requestMsg", "refreshMsg", "statusMsg", "updateMsg",
                                                       "closeMsg", "ackMsg",     "genericMsg", "postMsg"};

}  // namespace

const Words kDomains{"RSSL_DMT_", kDomainWords};
const Words kTypes{"RSSL_DT_", kTypeWords};
const Words kDataStates{"RSSL_DATA_", kDataStateWords};
const Words kStreamStates{"RSSL_STREAM_", kStreamStateWords};
const Words kStateCodes{"RSSL_SC_", kStateCodeWords};
const Words kUpdateTypes{"RDM_UPD_EVENT_TYPE_", kUpdateTypeWords};
const Words kNakCodes{"RSSL_NAKC_", kNakCodeWords};
const Words kMapActions{"RSSL_MPEA_", kMapActionWords};
const Words kVectorActions{"RSSL_VTEA_", kVectorActionWords};
const Words kFilterActions{"RSSL_FTEA_", kFilterActionWords};
const Words kKeyFlags{"RSSL_MKF_", kKeyFlagWords};
const Words kFieldListFlags{"RSSL_FLF_", kFieldListFlagWords};
const Words kElementListFlags{"RSSL_ELF_", kElementListFlagWords};
const Words kMapFlags{"RSSL_MPF_", kMapFlagWords};
const Words kVectorFlags{"RSSL_VTF_", kVectorFlagWords};
const Words kSeriesFlags{"RSSL_SRF_", kSeriesFlagWords};
const Words kFilterListFlags{"RSSL_FTF_", kFilterListFlagWords};
const Words kMapEntryFlags{"RSSL_MPEF_", kPermWords};
const Words kVectorEntryFlags{"RSSL_VTEF_", kPermWords};
const Words kFilterEntryFlags{"RSSL_FTEF_", kFilterEntryFlagWords};

std::string_view Words::find(std::uint32_t number) const noexcept {
    for (const Word& word : words)
        if (word.number == number) return word.name;
    return {};
}

bool Words::number(std::string_view word, std::uint32_t& out) const noexcept {
    if (!word.starts_with(prefix)) return false;
    for (const Word& one : words)
        if (one.name == word.substr(prefix.size())) return out = one.number, true;
    return false;
}

const Words& flagsOf(codec::MsgClass cls) noexcept {
    return kClassFlags[static_cast<std::size_t>(cls) % kClassFlags.size()];
}

std::string_view elementOf(codec::MsgClass cls) noexcept {
    return kElements[static_cast<std::size_t>(cls) % kElements.size()];
}

}  // namespace emissary::eta::trace

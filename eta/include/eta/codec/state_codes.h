// The codes of states and their words, one row each (rdm.md 1.2). Texts, XML traces, JSON, configuration and the API
// read them here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace emissary::eta::codec {

/// One code; gaps in the numbering have no row. The words live for ever.
struct StateCodeRow {
    std::uint8_t code;
    const char* text;   ///< as peers print it
    const char* trace;  ///< in XML traces, without their prefix
    const char* json;   ///< in rssl.json.v2
    const char* api;    ///< in configuration and of OmmState::getStatusCodeAsString()
};

inline constexpr std::array kStateCodeRows = {
    StateCodeRow{0, "None", "NONE", "None", "None"},
    StateCodeRow{1, "Not found", "NOT_FOUND", "NotFound", "NotFound"},
    StateCodeRow{2, "Timeout", "TIMEOUT", "Timeout", "Timeout"},
    StateCodeRow{3, "Not entitled", "NOT_ENTITLED", "NotEntitled", "NotAuthorized"},
    StateCodeRow{4, "Invalid argument", "INVALID_ARGUMENT", "InvalidArgument", "InvalidArgument"},
    StateCodeRow{5, "Usage error", "USAGE_ERROR", "UsageError", "UsageError"},
    StateCodeRow{6, "Preempted", "PREEMPTED", "Preempted", "Preempted"},
    StateCodeRow{7, "JIT conflation started", "JIT_CONFLATION_STARTED", "JitConflationStarted",
                 "JustInTimeConflationStarted"},
    StateCodeRow{8, "Realtime resumed", "REALTIME_RESUMED", "RealtimeResumed", "TickByTickResumed"},
    StateCodeRow{9, "Failover started", "FAILOVER_STARTED", "FailoverStarted", "FailoverStarted"},
    StateCodeRow{10, "Failover completed", "FAILOVER_COMPLETED", "FailoverCompleted", "FailoverCompleted"},
    StateCodeRow{11, "Gap detected", "GAP_DETECTED", "GapDetected", "GapDetected"},
    StateCodeRow{12, "No resources", "NO_RESOURCES", "NoResources", "NoResources"},
    StateCodeRow{13, "Too many items", "TOO_MANY_ITEMS", "TooManyItems", "TooManyItems"},
    StateCodeRow{14, "Already open", "ALREADY_OPEN", "AlreadyOpen", "AlreadyOpen"},
    StateCodeRow{15, "Source unknown", "SOURCE_UNKNOWN", "SourceUnknown", "SourceUnknown"},
    StateCodeRow{16, "Not open", "NOT_OPEN", "NotOpen", "NotOpen"},
    StateCodeRow{19, "Non-updating item", "NON_UPDATING_ITEM", "NonUpdatingItem", "NonUpdatingItem"},
    StateCodeRow{20, "Unsupported view type", "UNSUPPORTED_VIEW_TYPE", "UnsupportedViewType", "UnsupportedViewType"},
    StateCodeRow{21, "Invalid view", "INVALID_VIEW", "InvalidView", "InvalidView"},
    StateCodeRow{22, "Full view provided", "FULL_VIEW_PROVIDED", "FullViewProvided", "FullViewProvided"},
    StateCodeRow{23, "Unable to request as batch", "UNABLE_TO_REQUEST_AS_BATCH", "UnableToRequestAsBatch",
                 "UnableToRequestAsBatch"},
    StateCodeRow{26, "Batch and/or View not supported on request", "NO_BATCH_VIEW_SUPPORT_IN_REQ",
                 "NoBatchViewSupportInReq", "NoBatchViewSupportInReq"},
    StateCodeRow{27, "Too many mounts for the user", "EXCEEDED_MAX_MOUNTS_PER_USER", "ExceededMaxMountsPerUser",
                 "ExceededMaxMountsPerUser"},
    StateCodeRow{28, "Internal error from sender", "ERROR", "Error", "Error"},
    StateCodeRow{29, "A21: Connection to DACS down, users are not allowed to connect", "DACS_DOWN", "DacsDown",
                 "DacsDown"},
    StateCodeRow{30, "User unknown to permissioning system, it could be DACS, AAA or EED", "USER_UNKNOWN_TO_PERM_SYS",
                 "UserUnknownToPermSys", "UserUnknownToPermSys"},
    StateCodeRow{31, "Maximum logins reached", "DACS_MAX_LOGINS_REACHED", "MaxLoginsReached", "DacsMaxLoginsReached"},
    StateCodeRow{32, "Application denied access", "DACS_USER_ACCESS_TO_APP_DENIED", "UserAccessToAppDenied",
                 "DacsUserAccessToAppDenied"},
    StateCodeRow{34, "Gap fill", "GAP_FILL", "GapFill", "GapFill"},
    StateCodeRow{35, "Application Authorization failed", "APP_AUTHORIZATION_FAILED", "AppAuthorizationFailed",
                 "AppAuthorizationFailed"},
};
/// One more than the highest code that has a row: the size of a table by code.
inline constexpr std::size_t kStateCodeEnd = kStateCodeRows.back().code + std::size_t{1};

/// The rows in a form of the caller's: an array of what `make` returns of each.
template <class Make>
[[nodiscard]] constexpr auto ofStateCodes(Make make) {
    std::array<decltype(make(kStateCodeRows[0])), kStateCodeRows.size()> out{};
    std::transform(kStateCodeRows.begin(), kStateCodeRows.end(), out.begin(), make);
    return out;
}

}  // namespace emissary::eta::codec

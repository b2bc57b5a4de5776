// The counts of the consumer port, and their reasons.
#pragma once

#include "eta/core/Count.h"
#include "hub/client/Ending.h"
#include "reactor/rdm/consumer_status.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace emissary::hub::client {

/// Written by the stage thread only, as all counts here.
struct Counts {
    eta::Level<"emissary_hub_clients", "connections", "Connections of consumers that are up."> clients;
    eta::Total<"emissary_hub_client_connects_total", "connections", "Connections of consumers that came up."> connects;
    eta::Total<"emissary_hub_item_requests_total", "requests",
               "Item requests received: each item of a batch is one, reissues are none.">
        requests;
    eta::Total<"emissary_hub_batch_requests_total", "requests", "Batches received."> batches;
    eta::Total<"emissary_hub_item_reissues_total", "requests", "Requests on streams of items that were open."> reissues;
    eta::Total<"emissary_hub_item_closes_total", "streams", "Streams of items closed by clients."> closes;
    eta::Total<"emissary_hub_client_same_item_total", "streams",
               "Streams opened on an item that the same client has open already.">
        sameItem;
    eta::Total<"emissary_hub_requests_held_total", "messages",
               "Messages that waited: their client sends too many requests a second, or the turn had done its share.">
        held;
    eta::Level<"emissary_hub_clients_paused", "connections",
               "Connections that an operator has paused: nothing is read from them.">
        paused;
    eta::Level<"emissary_hub_clients_throttled", "connections", "Connections whose requests an operator has limited.">
        throttled;
    eta::Peak<"emissary_hub_turn_work_bytes", "bytes",
              "Most that a turn did for requests of clients, counted in bytes of images read.">
        turnWork;
    eta::Level<"emissary_hub_open_checks", "requests", "Item requests that wait for a verdict of the request check.">
        openChecks;
    eta::Level<"emissary_hub_rights_walks", "walks",
               "Walks through all open items after a change of rights, under way or waiting.">
        rightsWalks;
    eta::Total<"emissary_hub_rights_withdrawn_total", "streams",
               "Streams of items closed since the user may have the item no more.">
        withdrawn;
    eta::Total<"emissary_hub_client_messages_ignored_total", "messages",
               "Messages of clients without meaning: the stream is not open, or the payload is none that is known.">
        ignored;
    eta::Total<"emissary_hub_consumer_status_faults_total", "entries",
               "Entries of ConsumerStatus messages of clients that were left out: their service or mode is none.">
        badUses;
    eta::Histogram<"emissary_hub_client_round_trip_seconds", "Time until a client answered a round-trip probe.">
        roundTrips;
};

/// Why an item request is not taken, in the order of the checks (hub.md 5.1).
enum class Reason : std::uint8_t {
    domain,
    key,
    serviceUnknown,
    serviceDown,
    capability,
    qos,
    privateStream,
    streamInUse,
    clientMounts,
    clientKeys,
    userMounts,
    view,
    batch,
    batchItems,
    symbolList,
    openChecks,
    notEntitled,
    serviceItems,
    viewRequired,
    rightsUnknown,
};
inline constexpr std::array<const char*, 20> kReasonNames{
    "domain",      "key",          "service_unknown", "service_down",  "capability",
    "qos",         "private",      "stream_id",       "mounts",        "keys",
    "user_mounts", "view",         "batch",           "batch_items",   "symbol_list",
    "open_checks", "not_entitled", "item_limit",      "view_required", "rights_unknown"};

/// What became of a login request.
enum class LoginResult : std::uint8_t {
    accepted,
    malformed,
    wrongRole,
    notEntitled,
    tooManyLogins,
    applicationDenied,
    noAnswer,
    draining,
    anotherUser,
    certificate
};
inline constexpr std::array<const char*, 10> kLoginResultNames{
    "accepted",           "malformed",       "role",     "not_entitled", "too_many_logins",
    "application_denied", "check_timed_out", "draining", "another_user", "certificate"};

/// The parameter that decides, for texts; empty: none does.
[[nodiscard]] constexpr const char* parameterOf(Reason reason) noexcept {
    switch (reason) {
    case Reason::clientMounts:
        return "MaxMountsPerClient";
    case Reason::clientKeys:
        return "MaxKeyBytesPerClient";
    case Reason::userMounts:
        return "MaxMountsPerUser";
    case Reason::batchItems:
        return "MaxBatchItems";
    case Reason::serviceItems:
        return "MaxItems";
    case Reason::notEntitled:
        return "Permission";
    case Reason::viewRequired:
        return "RequireView";
    case Reason::domain:
    case Reason::key:
    case Reason::serviceUnknown:
    case Reason::serviceDown:
    case Reason::capability:
    case Reason::qos:
    case Reason::privateStream:
    case Reason::streamInUse:
    case Reason::view:
    case Reason::batch:
    case Reason::symbolList:
    case Reason::openChecks:
    case Reason::rightsUnknown:
        break;
    }
    return "";
}
[[nodiscard]] constexpr const char* parameterOf(LoginResult result) noexcept {
    switch (result) {
    case LoginResult::notEntitled:
    case LoginResult::applicationDenied:
        return "LoginCheck";
    case LoginResult::tooManyLogins:
        return "MaxLoginsPerUser";
    case LoginResult::noAnswer:
        return "LoginCheckTimeout";
    case LoginResult::certificate:
        return "CertUser";
    case LoginResult::accepted:
    case LoginResult::malformed:
    case LoginResult::wrongRole:
    case LoginResult::draining:
    case LoginResult::anotherUser:
        break;
    }
    return "";
}
[[nodiscard]] constexpr const char* parameterOf(EndReason reason) noexcept {
    switch (reason) {
    case EndReason::requestRate:
        return "RequestsPerSecondPerClient";
    case EndReason::drained:
        return "DrainTimeout";
    case EndReason::expired:
        return "JwtGrace";
    case EndReason::slow:  // one of several, which the text names
    case EndReason::textLimit:
    case EndReason::limit:
    case EndReason::fault:
    case EndReason::lost:
    case EndReason::loginRefused:
    case EndReason::publisher:
    case EndReason::memory:
    case EndReason::silent:
    case EndReason::ejected:
        break;
    }
    return "";
}

struct RefusedCount {
    eta::Total<"emissary_hub_requests_refused_total", "requests", "Item requests that were not taken."> requests;
};
struct LoginCount {
    eta::Total<"emissary_hub_logins_total", "requests", "Login requests of consumers, reissues with a token included.">
        logins;
};
struct LimitCount {
    eta::Total<"emissary_hub_limit_refusals_total", "refusals",
               "Logins, requests and connections refused or ended by a limit; the label is its parameter.">
        refusals;
};
struct EndCount {
    eta::Total<"emissary_hub_client_disconnects_total", "connections", "Connections of consumers that ended.">
        connections;
};

struct UseCount {
    eta::Level<"emissary_hub_consumer_services", "services",
               "Services of clients that have sent a ConsumerStatus; the label is the mode that they use them in.">
        services;
};

/// One count for each reason.
template <class Count, class Key, std::size_t N>
struct CountsBy {
    std::array<Count, N> counts{};
    [[nodiscard]] Count& operator[](Key key) noexcept { return counts[static_cast<std::size_t>(key)]; }
    [[nodiscard]] const Count& operator[](Key key) const noexcept { return counts[static_cast<std::size_t>(key)]; }
};
using RefusedCounts = CountsBy<RefusedCount, Reason, kReasonNames.size()>;
using LoginCounts = CountsBy<LoginCount, LoginResult, kLoginResultNames.size()>;
using UseCounts = CountsBy<UseCount, reactor::rdm::ServiceUse, reactor::rdm::kServiceUseNames.size()>;
using EndCounts = CountsBy<EndCount, EndReason, kEndReasonNames.size()>;

/// All counts of the room.
struct AllCounts {
    Counts of;
    RefusedCounts refused;
    LoginCounts logins;
    EndCounts ends;
    UseCounts uses;
};

}  // namespace emissary::hub::client

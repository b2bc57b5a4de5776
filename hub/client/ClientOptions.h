// Settings of the consumer port (hub.md 13).
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/core/AuditSink.h"
#include "hub/core/log.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emissary::hub::client {

class RequestCheck;

/// Plain values, from the settings of the hub, which have the defaults; a limit of 0 means no limit.
struct ClientOptions {
    std::string hostName;      ///< in "Login accepted by host <name>."
    std::string announceName;  ///< ApplicationName of login answers
    bool supportPost = false, supportStandby = false, allowTunnels = false;
    std::chrono::milliseconds rttInterval{0};             ///< 0 = round trips are not measured
    std::chrono::milliseconds loginCheckTimeout{0};       ///< 0 = an answer may take for ever
    RequestCheck* requestCheck = nullptr;                 ///< borrowed; null = what passes the other checks is granted
    std::chrono::milliseconds requestCheckTimeout{5000};  ///< 0 = an answer may take for ever
    std::uint32_t maxOpenChecksPerClient = 10'000, maxOpenChecks = 100'000;  ///< requests that wait for an answer
    std::uint32_t maxMountsPerClient = 0, maxBatchItems = 0;
    std::uint32_t maxItemKeySize = 0;                          ///< bytes, attributes included
    std::uint32_t maxViewsPerClient = 0, maxViewsPerItem = 0;  ///< different ones
    std::uint32_t maxMountsPerUser = 0, maxLoginsPerUser = 0;  ///< of all connections of one user
    /// A login beyond maxLoginsPerUser waits so long for a sign of life of the user's connections; 0 = it is refused.
    std::chrono::milliseconds loginProbeTime{0};
    /// Of one client; more waits, and ten times as much ends the connection.
    std::uint32_t requestsPerSecond = 0;
    std::chrono::milliseconds serviceWait{0};  ///< of requests for a service that is not there yet; 0 = until it comes
    std::vector<UserClassSettings> userClasses;
    /// Not often: what peers can cause is limited here. May be empty.
    LogLine log;
    AuditSink* audit = nullptr;  ///< borrowed; null = nothing is audited

    /// A publisher has logged in on a port for any role (AnyRole): its connection, on the hub's own reactor, and what
    /// came on it, the login request first. Empty: they are refused there as elsewhere.
    using Publisher =
        std::function<void(std::uint32_t listener, std::unique_ptr<reactor::Link> link, std::span<const eta::Bytes>)>;
    Publisher publisher;

    /// What the settings of a hub say of it.
    [[nodiscard]] static ClientOptions of(const HubSettings& settings) {
        ClientOptions o;
        o.take(settings);
        return o;
    }
    /// All that the settings say; what they do not know stays.
    void take(const HubSettings& settings) {
        ClientOptions& o = *this;
        o.hostName = settings.name;
        o.announceName = settings.announceName;
        o.supportPost = settings.supportOmmPost;
        o.supportStandby = settings.supportStandby;
        o.allowTunnels = settings.allowTunnels;
        o.rttInterval = settings.rttInterval;
        o.maxMountsPerClient = settings.maxMountsPerClient;
        o.maxBatchItems = settings.maxBatchItems;
        o.maxItemKeySize = settings.maxItemKeySize;
        o.maxViewsPerClient = settings.maxViewsPerClient;
        o.maxViewsPerItem = settings.maxViewsPerItem;
        o.maxLoginsPerUser = settings.maxLoginsPerUser;
        o.loginProbeTime = settings.loginProbeTime;
        o.maxMountsPerUser = settings.maxMountsPerUser;
        o.requestsPerSecond = settings.requestsPerSecondPerClient;
        o.serviceWait = settings.serviceWait;
        o.loginCheckTimeout = settings.loginCheckTimeout;
        o.userClasses = settings.userClasses;
    }
};

}  // namespace emissary::hub::client

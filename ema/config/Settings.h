// The effective values of one consumer or provider instance, after file, programmatic configuration and function calls
// have been laid over each other (ema-config.md section 1). Plain values; built once, before the instance starts.
#pragma once

#include "session_management.h"

#include "config/options/services.h"
#include "config/options/transport_options.h"

#include "eta/trace/XmlTrace.h"
#include "eta/transport/Channel.h"
#include "reactor/JsonLayer.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/session/Backoff.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::ema {

using logging::LoggerSettings, logging::LogFormat, logging::LogSeverity, logging::LogTarget, logging::QueuedRecord;
using parameters::DictionarySettings, parameters::ServiceQos, parameters::ServiceSettings;

struct ChannelSettings {
    std::string name;
    std::string entry;  ///< its entry in the configuration; empty = none, all defaults
    eta::transport::ConnectionType type = eta::transport::ConnectionType::socket;
    eta::transport::ConnectOptions connect;  ///< host, port, buffers, pings, initialization timeout
    // Warm standby (ema-config.md 7): channels of one group have the same number, not 0, the starting active one first.
    std::uint32_t standbyGroup = 0;
    std::string standbyGroupName, standbyServerName;  ///< entries WarmStandbyChannel and WarmStandbyServerInfo
    bool serviceBased = false;
    std::vector<std::string> activeServices;  ///< service based: those that start with this server
    // Session management (credentials.md 1). An empty host and port are discovered.
    bool sessionManagement = false;
    std::string location = "us-east-1";  ///< first letters of the wanted one
    std::uint32_t discoveryRetries = 3;  ///< failed attempts after which the endpoint is looked up again; 0 = never
};

struct ServerSettings {
    std::string name;
    std::string entry;  ///< its entry in the configuration; empty = none, all defaults
    eta::transport::ConnectionType type = eta::transport::ConnectionType::socket;
    eta::transport::BindOptions bind;
    reactor::ClientLimits limits;
};

/// Common to all three kinds of instance.
struct InstanceSettings {
    std::string sectionName;   ///< "Perf_Consumer_1"
    std::string instanceName;  ///< "Perf_Consumer_1_1"
    LoggerSettings logger;
    std::vector<QueuedRecord> queued;  ///< to be logged with client name EmaConfig once the logger is open
    std::uint32_t itemCountHint = 100000, serviceCountHint = 513;
    std::uint32_t requestTimeoutMs = 15000;
    std::uint32_t memoryTrimPeriodMs = 5000;
    std::uint16_t metricsPort = 0;  ///< 0: none
    std::int64_t dispatchTimeoutApiThreadUs = -1;
    std::int64_t busyPollUs = 0;  ///< looked for events before sleeping; -1: never sleeps
    std::uint32_t maxDispatchCountApiThread = 100, maxDispatchCountUserThread = 100;
    bool catchUnhandledException = true;
    bool userDispatch = false;
    std::string workerThreadBind, apiThreadBind;
    reactor::JsonOptions json;
    eta::trace::XmlTraceOptions trace;
};

struct LoginSettings {
    std::string userName;  ///< operating system user by default
    std::optional<std::string> password, instanceId;
    std::string position, applicationId = "256", applicationName = "ema";
};

/// Preferred-host options (ema-config.md 9), by name; preferredHostOf() checks them.
struct PreferredHostSettings {
    bool enabled = false;
    std::string schedule;  ///< cron text; wins over the interval
    std::uint32_t intervalSeconds = 0;
    std::string channelName, groupName;  ///< empty: the first of the list
    bool withinGroup = false;
};

/// One session channel (ema-config.md 8).
struct SessionSettings {
    std::string name;
    std::vector<ChannelSettings> channels;  ///< in order of trying; at least one
    reactor::session::ReconnectOptions reconnect;
    PreferredHostSettings preferredHost;
};

struct ConsumerSettings : InstanceSettings {
    std::vector<ChannelSettings> channels;  ///< in order of trying; at least one; not used with session channels
    PreferredHostSettings preferredHost;
    std::vector<SessionSettings> sessions;  ///< session channels; empty: no request routing
    bool enhancedItemRecovery = true;       ///< items of a lost session go to another one at once
    DictionarySettings dictionary;
    LoginSettings login;
    std::uint32_t loginRequestTimeoutMs = 45000, directoryRequestTimeoutMs = 45000, dictionaryRequestTimeoutMs = 45000;
    std::uint64_t maxDictionarySize = 64u << 20;
    bool obeyOpenWindow = true, msgKeyInUpdates = true, enableRtt = false;
    std::uint32_t recoveryMinDelayMs = 100, recoveryMaxDelayMs = 5000;
    std::uint32_t serviceWaitMs = 0;
    std::uint32_t postAckTimeoutMs = 15000, maxOutstandingPosts = 100000;
    reactor::session::ReconnectOptions reconnect;
    SessionManagementSettings sessionManagement;

    /// Some channel needs a token.
    [[nodiscard]] bool managed() const noexcept;
};

struct IProviderSettings : InstanceSettings {
    ServerSettings server;
    std::vector<ServiceSettings> services;
    bool directoryByUser = false, dictionaryByUser = false;
    bool refreshFirstRequired = true, enforceAckIdValidation = false;
    std::uint32_t fieldDictionaryFragmentSize = 8192, enumTypeFragmentSize = 12288;
    bool acceptMessageWithoutBeingLogin = false, acceptMessageWithoutAcceptingRequests = false,
         acceptDirMessageWithoutMinFilters = false, acceptMessageWithoutQosInRange = false,
         acceptMessageSameKeyButDiffStream = false, acceptMessageThatChangesService = false;
};

struct NiProviderSettings : InstanceSettings {
    std::vector<ChannelSettings> channels;
    std::vector<ServiceSettings> services;
    LoginSettings login;
    bool directoryByUser = false;
    bool refreshFirstRequired = true, mergeSourceDirectoryStreams = true, recoverUserSubmitSourceDirectory = true,
         removeItemsOnDisconnect = false;
    std::uint32_t loginRequestTimeoutMs = 45000, dictionaryRequestTimeoutMs = 45000;
    reactor::session::ReconnectOptions reconnect;
};

}  // namespace emissary::ema

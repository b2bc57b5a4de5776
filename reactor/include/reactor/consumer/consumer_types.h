// Options of the consumer role, and the types of its calls and callbacks.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "reactor/consumer/CronSchedule.h"
#include "reactor/rdm/Directory.h"
#include "reactor/session/Backoff.h"
#include "reactor/session/DirectoryOptions.h"
#include "reactor/session/LoginOptions.h"
#include "reactor/session/session_types.h"
#include "reactor/watchlist/WatchlistOptions.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::reactor::consumer {

/// A server, and its place in a warm-standby group.
struct ConsumerChannel : session::ServerChannel {
    /// Channels of one warm-standby group follow each other and have the same number, not 0 (session.md section 6):
    /// one server is active, the others are logged in and get the same requests, ready to take over.
    std::uint32_t standbyGroup = 0;
    /// Service-based groups: services whose data come from this server at first; the others' come from the active one.
    std::vector<std::string> activeServices{};
    bool serviceBased = false;  ///< the same in all channels of a group
};

/// Returning to a preferred channel (ema-config.md 9): the connection to it is made beside the one in use, which is
/// given up only once the preferred one stands.
struct PreferredHost {
    bool enabled = false;
    std::size_t channel = 0;  ///< index; of a warm-standby group: its starting active server
    /// Warm standby: only make the starting active server of the group in use the active one again.
    bool withinGroup = false;
    std::chrono::seconds interval{0};      ///< between checks; 0 = none. Not used when there is a schedule
    std::optional<CronSchedule> schedule;  ///< of the checks, in local time
};

/// Settings of a consumer role.
struct ConsumerOptions : WatchlistOptions {
    std::vector<ConsumerChannel> channels;  ///< in order of trying; at least one
    PreferredHost preferredHost;
    session::ReconnectOptions reconnect;
    session::LoginOptions login;
    session::DirectoryOptions directory;
    /// Called with every change of the directory before items, the end of the connection included; null = nobody. When
    /// set, it alone gets the states and groups of items that the directory carries; items do not. It must outlive the
    /// role, and must not open items of the service in question before its call is over.
    rdm::DirectoryListener* directoryListener = nullptr;
    // Dictionaries.
    bool downloadDictionaries = true;
    std::chrono::milliseconds dictionaryTimeout{45000};  ///< from the request to the last part; 0 = none
    std::size_t maxDictionaryBytes = 64u << 20;          ///< of all parts of one dictionary
    /// Answers the application's dictionary requests when set; they go to the provider otherwise.
    std::shared_ptr<const eta::dictionary::Dictionary> localDictionary;
    /// How one dictionary is asked for.
    struct DictionaryRequest {
        std::string itemName;
        std::string serviceName;  ///< empty = the first service that offers it
        bool hasServiceId = false;
        std::uint16_t serviceId = 0;
        std::uint32_t filter = 7;
        bool streaming = true;
    };
    DictionaryRequest fieldDictionary{"RWFFld", {}, false, 0, 7, true},
        enumDictionary{"RWFEnum", {}, false, 0, 7, true};
};

}  // namespace emissary::reactor::consumer

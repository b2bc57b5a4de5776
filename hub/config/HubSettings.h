// Settings of one hub: plain values, read once before it starts (hub.md 13). Names are those of HubConfig.xml;
// docs/hub-config.md gives unit, range and meaning of each.
#pragma once

#include "eta/json/text_limits.h"
#include "eta/transport/Channel.h"
#include "hub/config/Conflation.h"
#include "logging/Logger.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/rdm/Directory.h"
#include "reactor/session/Backoff.h"

#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub {

/// How the sources of one service share it (hub.md 4.2).
enum class SourceMode : std::uint8_t { ordered, balanced, hot };
/// How several publishers of one service share it (hub.md 4.4).
enum class PublisherMode : std::uint8_t { merge, single, hot };
/// What a request gets for an item that nobody has published (hub.md 4.5).
enum class UnknownItem : std::uint8_t { close, suspect, wait, fromTemplate };

/// Which domains of a service have their images kept (hub.md 6.1).
struct CachePolicy {
    enum class Rule : std::uint8_t { automatic, all, none, listed };
    Rule rule = Rule::automatic;  ///< automatic: all of published services, none of interactive ones
    std::bitset<256> listed;      ///< by domain number, for Rule::listed
    /// Whether images of a domain are kept; `published` says that the service comes from publishers (or is static).
    [[nodiscard]] bool keeps(std::uint8_t domain, bool published) const noexcept {
        switch (rule) {
        case Rule::automatic:
            return published;
        case Rule::all:
            return true;
        case Rule::none:
            return false;
        case Rule::listed:
            break;
        }
        return listed[domain];
    }
};

/// What posts to a published service may do besides updating its items (hub.md 7.2); the bits are those of the user
/// rights that a post may carry (rdm.md 7).
namespace PostRight {
inline constexpr std::uint16_t create = 1, erase = 2, modifyPermissions = 4, all = 7;
}

/// What a port has of its own of the marks of slow clients; absent = the hub's.
struct SlowMarks {
    std::optional<std::uint64_t> conflateAbove, conflateBelow, conflateBytes, conflateTypes, disconnectAbove;
    std::optional<std::chrono::seconds> slowClientTimeout, conflateAge;
};

/// The marks in effect at a port. Bytes that a client has not taken: from `conflateAbove` on it is behind, until there
/// are fewer than `conflateBelow`, and its updates of `conflateTypes` are joined and take at most `conflateBytes`, 0
/// meaning that they are not; from `disconnectAbove` on its connection ends, and also after `timeout` without any byte
/// taken, and when an update has waited for `age`, 0 meaning for ever.
struct SlowLimits {
    std::uint64_t conflateAbove = 0, conflateBelow = 0, conflateBytes = 0, conflateTypes = 0, disconnectAbove = 0;
    std::chrono::seconds timeout{0}, age{0};
};

/// What clients over WebSocket may do at a port (web-streaming.md section 4); RIPC knows nothing of it.
struct WebSettings {
    std::vector<std::string> services;  ///< that they know of, in order; empty = all
    bool requireView = false;           ///< requests for items name fields
    bool posting = false;               ///< of browsers: clients with an Origin that is not the port's; programs may
    /// Of one client; absent: as the hub says, and of posts 50 for browsers, no limit for programs.
    std::optional<std::uint32_t> requestsPerSecond, mountsPerClient, postsPerSecond;
    std::uint32_t jsonDepth = 32, jsonValues = 10'000;  ///< of one JSON message; values 0 = no limit

    [[nodiscard]] eta::json::TextLimits textLimits() const noexcept {
        return {{jsonDepth, "WebJsonDepth"}, {jsonValues, "WebJsonValues"}};
    }
};

/// What one login may get in a second; 0: as much as there is.
struct OutputLimit {
    std::uint64_t updates = 0, bytes = 0;

    [[nodiscard]] bool any() const noexcept { return updates != 0 || bytes != 0; }
    friend bool operator==(const OutputLimit&, const OutputLimit&) = default;
};
/// Of both the smaller numbers, where there are any.
[[nodiscard]] OutputLimit stricter(const OutputLimit& a, const OutputLimit& b) noexcept;

/// Which part of a client's certificate names the user of its login (hub.md 11.1).
enum class CertUser : std::uint8_t {
    none,  ///< none does: the login says who it is
    cn,    ///< the common name of the subject
    san,   ///< an alternative name
};

/// A port that clients or publishers connect to.
struct ListenerSettings {
    std::string name;  ///< label of its counts: the Server entry, or "consumers", "publishers"
    eta::transport::BindOptions bind;
    reactor::ClientLimits limits;
    bool anyRole = false;        ///< consumers and publishers alike
    std::string defaultService;  ///< of requests and posts that name none; empty = the only one there is
    bool expandEnums = true;     ///< enumerated fields in JSON as display text
    SlowMarks slow;
    std::optional<Conflation> conflation;  ///< for its clients; of this and the service's the stricter one holds
    WebSettings web;
    OutputLimit limit;  ///< of each of its logins
    CertUser certUser = CertUser::none;
    std::vector<std::string> publisherGroups;  ///< of which publishers must have one; empty = none is asked for
};

/// Where field and enumeration dictionaries are read from, and what they are called on the wire.
struct DictionaryFiles {
    std::string fieldFile, enumFile;
    std::string fieldName = "RWFFld", enumName = "RWFEnum";
    bool configured = false;  ///< false: downloaded from a source, these files only when no source has one
};

/// One upstream, tried channel by channel (hub.md 4.1, 4.3).
struct SourceSettings {
    std::string name;                                      ///< the Source entry; the name of its Link and of its label
    std::vector<eta::transport::ConnectOptions> channels;  ///< in order of trying; at least one
    std::vector<std::string> channelNames;                 ///< of the entries, for texts
    std::string userName, applicationId = "256", position;
    std::uint32_t requestRate = 50'000;                ///< requests per second; 0 = no limit
    std::chrono::milliseconds requestTimeout{15'000};  ///< 0 = none
    std::uint64_t maxItems = 0;                        ///< open at once; 0 = no limit
    bool sendModes = false;                            ///< SourceMirroringMode in every SourceMode, not in hot alone
    reactor::session::ReconnectOptions reconnect;
    bool required = true;  ///< /readyz waits for it
    /// All that a connection is made with is the same.
    [[nodiscard]] bool sameConnection(const SourceSettings& o) const noexcept {
        return channels == o.channels && channelNames == o.channelNames && userName == o.userName &&
               applicationId == o.applicationId && position == o.position && requestTimeout == o.requestTimeout &&
               reconnect.attemptLimit == o.reconnect.attemptLimit && reconnect.minDelay == o.reconnect.minDelay &&
               reconnect.maxDelay == o.reconnect.maxDelay;
    }
};

/// One service, or the defaults of all that have no entry.
/// What makes a service another one, some time ago (hub.md 4.6).
struct DelaySettings {
    std::string of;                          ///< the original
    std::chrono::seconds time{900};          ///< how long ago
    std::uint64_t memoryBytes = 256u << 20;  ///< of messages that wait
    std::uint64_t fileBytes = 0;             ///< of those beyond; 0 = none
    std::string folder;                      ///< of the file, with fileBytes
    std::vector<std::string> items;          ///< names in domain 6 that are open whether or not somebody wants them
};

struct ServiceSettings {
    std::string name = "*";                  ///< "*": the defaults
    std::optional<std::uint16_t> serviceId;  ///< local id; absent = chosen by the hub
    /// Info, State and Load of a service that exists without any source; its id is serviceId's.
    std::optional<reactor::rdm::Service> fixed;
    std::vector<std::string> sources;  ///< names of sources in order; empty = all, in the order of the file
    SourceMode sourceMode = SourceMode::ordered;
    bool preferSources = false;  ///< of an item that both could serve; false: the publisher's
    bool failBack = false;
    CachePolicy cache;
    std::uint64_t maxItems = 4'000'000, maxBytes = 0;  ///< of images; 0 = no limit
    std::chrono::seconds expireAfter{0};               ///< 0 = never
    std::chrono::seconds expirePosted{86'400};         ///< of items that only posts have made; 0 = never
    bool dropOldest = false;
    UnknownItem unknownItem = UnknownItem::close;
    std::string templateFile;  ///< message file, with UnknownItem::fromTemplate
    bool keepServiceUp = false, deleteLostServices = false;
    PublisherMode publisherMode = PublisherMode::merge;
    std::vector<std::string> publisherOrder;  ///< login names, best first
    /// Of which a publisher's user must have one to offer the service; empty = none is asked for.
    std::vector<std::string> publisherGroups;
    std::chrono::seconds republishTimeout{0};  ///< 0 = items stay Suspect
    std::chrono::milliseconds itemLinger{0}, negativeCache{0};
    bool addUnknownFields = true, seqNumGaps = false, snapshotOpens = false;
    bool forwardPosts = false, forwardGenerics = false;
    bool posts = true;  ///< false: every post is refused
    Conflation conflation;
    Conflation exported{Conflation::Mode::none};         ///< towards other hubs of the mesh, whatever `conflation` says
    std::vector<Conflation> offeredRates;                ///< lower ones, that requests may ask for
    bool announceRate = false;                           ///< the QoS of directory and images says `conflation`
    std::uint16_t postRights = PostRight::all;           ///< of everybody; a post's own rights may be fewer
    std::optional<std::uint32_t> openWindow, openLimit;  ///< announced to clients; absent = not announced
    std::optional<DelaySettings> delay;                  ///< it is another service, some time ago

    [[nodiscard]] ServiceRates rates() const { return {conflation, offeredRates, announceRate}; }
    [[nodiscard]] bool has(const ServiceRates& r) const noexcept {
        return r.rule == conflation && r.announced == announceRate && r.offered == offeredRates;
    }
};

/// Fields that every item of a login is cut to (hub.md 11.4).
struct ViewSettings {
    std::string name;
    std::vector<std::string> fields;  ///< ids, or names of the field dictionary
    friend bool operator==(const ViewSettings&, const ViewSettings&) = default;
};

/// What holds for some users, on whatever port they come; a user belongs to the first class that names it.
struct UserClassSettings {
    std::string name;
    std::vector<std::string> users, groups;  ///< names of logins; groups as the login check says
    std::optional<Conflation> conflation;    ///< of this, the port's and the service's the strictest holds
    OutputLimit limit{};                     ///< of each login; of this and the port's the smaller numbers hold
    std::optional<ViewSettings> view{};      ///< absent: all fields
};

/// The number of a user's class, from 1 on; 0: no class has the user.
[[nodiscard]] std::uint8_t userClassOf(std::span<const UserClassSettings> classes, std::string_view user,
                                       std::span<const std::string> groups) noexcept;

/// Who may log in and who may have which item (hub.md 11).
struct AccessSettings {
    enum class LoginCheck : std::uint8_t { none, file, jwt, command };
    enum class Algorithm : std::uint8_t { hs256, rs256, es256 };
    LoginCheck loginCheck = LoginCheck::none;
    std::string loginFile;   ///< with LoginCheck::file
    std::string jwtKeyFile;  ///< with LoginCheck::jwt: a public key, a JWK set, or a secret
    Algorithm jwtAlgorithm = Algorithm::rs256;
    std::chrono::seconds jwtGrace{60};  ///< behind the end of a token: then its login ends, unless it is renewed
    std::string jwtAudience, jwtUserClaim = "sub", jwtGroupsClaim = "groups";
    std::string permission;  ///< file of rules; empty = everybody may have everything
    /// With LoginCheck::command, or for rules that ask: a program and its arguments.
    std::vector<std::string> loginCommand;
    std::chrono::seconds permissionLifetime{60};  ///< of what the program says of an item
};

/// What the hub records of its users (hub.md 14.1).
struct AuditSettings {
    enum class Sync : std::uint8_t { none, interval, every };
    std::string folder;                   ///< of the audit log; empty = there is none
    std::uint64_t fileBytes = 64u << 20;  ///< of one file
    std::uint32_t files = 365;            ///< that are kept; 0 = all
    Sync sync = Sync::interval;           ///< when lines are made to reach the disk
    std::uint64_t queueBytes = 8u << 20;  ///< of lines that wait to be written
};

/// Who used what (hub.md 14.2).
struct UsageSettings {
    std::string folder;                 ///< empty = nothing is counted
    std::chrono::seconds interval{30};  ///< between files; so much of it is lost twice over when the hub is killed
    std::uint32_t rows = 100'000;       ///< of one day
};

/// Who the hub is to servers of the mesh's bus; the first that is set counts.
struct MeshLogin {
    std::string credentialsFile, nkey, nkeySeedFile, token, user, password;
    [[nodiscard]] bool given() const noexcept {
        return !credentialsFile.empty() || !nkey.empty() || !token.empty() || !user.empty();
    }
};

/// Hubs that share sources (hub.md 12).
struct MeshSettings {
    std::vector<std::string> servers;   ///< of NATS; empty = this hub is in no mesh
    std::string mesh = "default";       ///< hubs with the same name share
    std::vector<std::string> serversB;  ///< of a second cluster, which carries the same; empty = there is none
    std::string nodeName;               ///< of this hub in it; no two are alike
    std::string epochFile;              ///< keeps the number of the hub's last life
    std::vector<std::string> exports;   ///< services that other hubs may have from this one
    std::vector<std::string> imports;   ///< services that this hub has from others while it has no source of its own
    std::uint32_t rank = 100;           ///< as owner; the lowest is preferred
    bool preferRank = false;            ///< hubs of a lower one come before this hub's own sources
    std::chrono::milliseconds heartbeat{500}, gapGrace{200};
    std::uint32_t wideAt = 3, wideLanes = 16, batchBytes = 32'768, requestRate = 100'000;
    std::uint32_t maxItems = 4'000'000;  ///< of other hubs here, and of this one that others have
    std::uint32_t maxPosts = 20'000;     ///< that wait for other hubs, and of each other hub
    std::chrono::microseconds batchTime{500};
    MeshLogin login, loginB;  ///< at `servers`, and at `serversB`, which have the first one where this is not given
    bool tls = false;
    std::string caFile, certificateFile, keyFile, expectedHost;
    [[nodiscard]] bool on() const noexcept { return !servers.empty(); }
    /// Whether other hubs know, or offer, the service of that name.
    [[nodiscard]] bool shares(std::string_view service) const noexcept {
        return std::ranges::find(exports, service) != exports.end() ||
               std::ranges::find(imports, service) != imports.end();
    }
};

/// Where the counts are pushed to.
struct OtlpSettings {
    std::string url;  ///< of the collector's metrics; empty: they are not pushed
    std::chrono::milliseconds interval{15'000};
    std::string tokenFile, caFile;  ///< empty: no token; the system's authorities
};

/// Everything of one hub.
struct HubSettings {
    std::string name;                                                 ///< in "Login accepted by host <name>."
    std::string announceName = "ADS", publisherAnnounceName = "ADH";  ///< ApplicationName of login answers
    std::vector<ListenerSettings> listeners, publisherListeners;
    std::uint32_t threads = 1;            ///< 1, or 1 + the number of fan-out threads
    std::vector<std::string> threadBind;  ///< processor lists, one a thread
    DictionaryFiles dictionary;
    bool acceptDictionaryMismatch = false;  ///< two sources with different dictionaries of one name
    std::uint16_t httpPort = 8080;          ///< 0 = no pages
    std::string httpAddress = "127.0.0.1";
    std::string httpCaptureFolder;               ///< of what operators capture; empty: nothing is
    std::uint64_t httpCaptureBytes = 64u << 20;  ///< of one connection
    std::string httpTokens;                ///< file of those who may use pages and calls; empty: none are asked for
    std::string httpCertificate, httpKey;  ///< files, PEM; empty: the pages speak no TLS
    OtlpSettings otlp;
    std::vector<std::string> httpHosts;  ///< names of this hub that requests for pages may have as their Host
    bool supportOmmPost = true, supportStandby = false, allowTunnels = true;
    std::uint32_t maxConnections = 20'000, maxConnectionsPerAddress = 0;  ///< of each port; 0 = no limit
    std::chrono::seconds rttInterval{0};                                  ///< 0 = round trips are not measured
    std::uint32_t maxMountsPerClient = 1'000'000, maxBatchItems = 10'000;
    std::uint32_t maxItemKeySize = 1024;  ///< bytes of one item's key, attributes included; 0 = no limit
    std::uint32_t maxViewsPerClient = 1000, maxViewsPerItem = 1000;  ///< different ones at once; 0 = no limit
    std::uint32_t maxLoginsPerUser = 0, maxMountsPerUser = 0;        ///< at once; 0 = no limit
    std::chrono::milliseconds loginProbeTime{2000};  ///< for a sign of life of those there are; 0 = they are not asked
    std::uint32_t requestsPerSecondPerClient = 0;    ///< more wait; 0 = no limit
    std::chrono::milliseconds serviceWait{0};        ///< for one that is not there yet; 0 = no limit
    std::chrono::milliseconds loginCheckTimeout{5000};  ///< 0 = a check has all the time it likes
    std::uint32_t maxOutstandingPosts = 100'000;        ///< of one client
    /// Of what posts have made (hub.md 7.2): one image; all of one user; all. 0 = no limit.
    std::uint64_t maxPostImage = 1u << 20, maxPostBytesPerUser = 64u << 20, maxPostBytes = 512u << 20;
    std::chrono::milliseconds postAckTimeout{12'000};
    /// Bytes that a client has not taken: from the first on it is behind and discardable updates are left out for it,
    /// until there are fewer than the second.
    std::uint64_t conflateAbove = 256u << 10, conflateBelow = 64u << 10;
    std::uint64_t conflateBytes = 16u << 20;  ///< of updates that wait for it, joined; 0 = they are not joined
    /// Types of updates that are joined, bit n for type n: Unspecified, Quote, OrderIndication, MarketDigest, Multiple.
    std::uint64_t conflateTypes = 1ull << 0 | 1ull << 1 | 1ull << 5 | 1ull << 8 | 1ull << 10;
    std::uint64_t conflationBytes = 256u << 20;  ///< of updates that wait for their interval, of each thread
    std::uint64_t disconnectAbove = 16u << 20;   ///< bytes that it has not taken: its connection ends
    std::chrono::seconds slowClientTimeout{30};  ///< without any byte taken
    std::chrono::seconds conflateAge{0};         ///< that an update may wait for a client that is behind; 0 = for ever
    std::uint32_t refreshPartBytes = 6000;
    std::uint32_t statusRate = 100'000;  ///< statuses per second after a loss; 0 = no limit
    std::uint32_t maxServices = 10'000, maxServicesPerSource = 1'000;  ///< further offers are left out
    std::chrono::seconds drainTimeout{10};
    AccessSettings access;
    AuditSettings audit;
    UsageSettings usage;
    MeshSettings mesh;
    std::vector<SourceSettings> sources;
    std::vector<ServiceSettings> services;
    ServiceSettings serviceDefaults;
    std::vector<UserClassSettings> userClasses;
    logging::LoggerSettings log;  ///< standard output, in lines, unless a Logger is named

    /// A listener's own marks, and of the hub those that it does not have, cut down to make room for its own.
    [[nodiscard]] SlowLimits slowLimits(const SlowMarks& own) const noexcept {
        SlowLimits made;
        made.disconnectAbove = own.disconnectAbove.value_or(disconnectAbove);
        made.conflateAbove = own.conflateAbove.value_or(std::min(conflateAbove, made.disconnectAbove));
        made.conflateBelow = own.conflateBelow.value_or(std::min(conflateBelow, made.conflateAbove));
        made.conflateBytes = own.conflateBytes.value_or(conflateBytes);
        made.conflateTypes = own.conflateTypes.value_or(conflateTypes);
        made.timeout = own.slowClientTimeout.value_or(slowClientTimeout);
        made.age = own.conflateAge.value_or(conflateAge);
        return made;
    }
    /// The rules of services for the rate of updates, each once; the first is that of services without an entry.
    [[nodiscard]] std::vector<ServiceRates> serviceRates() const {
        std::vector<ServiceRates> all{serviceDefaults.rates()};
        for (const ServiceSettings& s : services)
            if (std::ranges::none_of(all, [&](const ServiceRates& r) { return s.has(r); })) all.push_back(s.rates());
        return all;
    }
    /// Rules with an interval for the updates that other hubs get, each once.
    [[nodiscard]] std::vector<Conflation> exportRates() const {
        std::vector<Conflation> all;
        const auto add = [&](const ServiceSettings& s) {
            if (s.exported.hasInterval() && std::ranges::find(all, s.exported) == all.end()) all.push_back(s.exported);
        };
        add(serviceDefaults);
        std::ranges::for_each(services, add);
        return all;
    }
    /// The entry of that name, or the defaults (whose name is "*").
    [[nodiscard]] const ServiceSettings& service(std::string_view serviceName) const noexcept {
        for (const ServiceSettings& s : services)
            if (s.name == serviceName) return s;
        return serviceDefaults;
    }
};

}  // namespace emissary::hub

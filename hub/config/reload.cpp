// Marks of parameters, the difference between two configurations, and what of it a running hub takes.
#include "hub/config/reload.h"

#include "hub/config/ByName.h"
#include "hub/config/schema.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace emissary::hub {

namespace {

using parameters::SectionMask;

/// Sections of which every parameter has the same mark.
struct SectionMark {
    SectionMask sections;
    Reload mark;
};
constexpr SectionMark kSections[] = {
    {Section::logger | Section::userClass | Section::view, Reload::live},
    {Section::channel, Reload::reconnect},
    {Section::mesh | Section::dictionary | Section::serviceInfo | Section::serviceState | Section::serviceStatus |
         Section::serviceLoad | Section::qosEntry,
     Reload::restart},
};

/// And the parameters of the others, each once.
constexpr std::string_view kHubLive[] = {"AnnounceName",
                                         "Logger",
                                         "RttInterval",
                                         "AllowTunnels",
                                         "MaxMountsPerClient",
                                         "MaxItemKeySize",
                                         "MaxViewsPerClient",
                                         "MaxViewsPerItem",
                                         "MaxLoginsPerUser",
                                         "LoginProbeTime",
                                         "MaxMountsPerUser",
                                         "ServiceWaitTimeOut",
                                         "RequestsPerSecondPerClient",
                                         "LoginCheckTimeout",
                                         "MaxBatchItems",
                                         "ConflateAbove",
                                         "ConflateBelow",
                                         "ConflateBytes",
                                         "ConflateTypes",
                                         "ConflationBytes",
                                         "DisconnectAbove",
                                         "SlowClientTimeout",
                                         "ConflateAge",
                                         "DrainTimeout",
                                         "DefaultService"};
constexpr std::string_view kHubRestart[] = {"Name",
                                            "PublisherAnnounceName",
                                            "Listeners",
                                            "NiListeners",
                                            "Threads",
                                            "ThreadBind",
                                            "Dictionary",
                                            "DictionaryMismatch",
                                            "HttpPort",
                                            "HttpAddress",
                                            "HttpHosts",
                                            "HttpTokens",
                                            "HttpCertificate",
                                            "HttpCaptureFolder",
                                            "HttpCaptureBytes",
                                            "HttpKey",
                                            "OtlpUrl",
                                            "OtlpInterval",
                                            "OtlpTokenFile",
                                            "OtlpCaFile",
                                            "SupportOMMPost",
                                            "SupportStandby",
                                            "MaxConnections",
                                            "MaxConnectionsPerAddress",
                                            "LoginCheck",
                                            "LoginFile",
                                            "JwtKeyFile",
                                            "JwtAlgorithm",
                                            "JwtGrace",
                                            "JwtAudience",
                                            "JwtUserClaim",
                                            "JwtGroupsClaim",
                                            "Permission",
                                            "LoginCommand",
                                            "PermissionLifetime",
                                            "AuditFolder",
                                            "AuditFileBytes",
                                            "AuditFiles",
                                            "AuditSync",
                                            "AuditQueueBytes",
                                            "UsageFolder",
                                            "UsageInterval",
                                            "UsageRows",
                                            "MaxOutstandingPosts",
                                            "PostAckTimeout",
                                            "MaxPostImage",
                                            "MaxPostBytesPerUser",
                                            "MaxPostBytes",
                                            "RefreshPartBytes",
                                            "StatusRate",
                                            "MaxServices",
                                            "MaxServicesPerSource"};
constexpr std::string_view kServerLive[] = {
    "DefaultService", "ConflateAbove",      "ConflateBelow",   "ConflateBytes",     "ConflateTypes",
    "Conflation",     "ConflationInterval", "DisconnectAbove", "SlowClientTimeout", "ConflateAge",
    "MaxUpdateRate",  "MaxByteRate",        "PublisherGroups"};
constexpr std::string_view kServerRestart[] = {"Name",
                                               "WebSocket",
                                               "Sse",
                                               "AllowedOrigins",
                                               "RequireOrigin",
                                               "AllowPlainWeb",
                                               "MaxHandshakesPerSecond",
                                               "TrustedProxies",
                                               "PublicHost",
                                               "CookieLogin",
                                               "WebServices",
                                               "RequireView",
                                               "WebPosting",
                                               "WebRequestsPerSecond",
                                               "WebMountsPerClient",
                                               "WebPostsPerSecond",
                                               "WebJsonDepth",
                                               "WebJsonValues",
                                               "JsonExpandedEnumFields",
                                               "AnyRole",
                                               "InterfaceName",
                                               "CompressionType",
                                               "CompressionThreshold",
                                               "ConnectionPingTimeout",
                                               "MaxOutputBuffers",
                                               "NumInputBuffers",
                                               "HighWaterMark",
                                               "TcpNodelay",
                                               "DirectWrite",
                                               "SharedMemoryGroup",
                                               "SecurityProtocol",
                                               "WsProtocols",
                                               "ServerType",
                                               "Port",
                                               "ConnectionMinPingTimeout",
                                               "InitializationTimeout",
                                               "FirstByteTimeout",
                                               "ClientLoginTimeout",
                                               "SlowConsumerTimeout",
                                               "PartialMessageTimeout",
                                               "MaxConnections",
                                               "MaxConnectionsPerAddress",
                                               "MaxConnectionsInitializing",
                                               "MaxConnectionsInitializingPerAddress",
                                               "MaxMessageSizeBeforeLogin",
                                               "MaxMessageSize",
                                               "MaxPartialMessageBytes",
                                               "MaxRefusalsPerMinute",
                                               "MaxStreamsPerClient",
                                               "MaxKeySize",
                                               "MaxKeyBytesPerClient",
                                               "GuaranteedOutputBuffers",
                                               "SysSendBufSize",
                                               "SysRecvBufSize",
                                               "ServerSharedSocket",
                                               "MaxFragmentSize",
                                               "CompressionLevel",
                                               "ServerCert",
                                               "ServerPrivateKey",
                                               "ClientCA",
                                               "ClientCrl",
                                               "RequireClientCert",
                                               "CertUser",
                                               "CipherSuite",
                                               "DhParams",
                                               "DHParams"};
constexpr std::string_view kSourceLive[] = {"Required", "RequestRate", "MaxItemsPerSource", "SendMirroringMode"};
constexpr std::string_view kSourceReconnect[] = {"Name",           "Channel",           "ChannelSet",
                                                 "UserName",       "ApplicationId",     "Position",
                                                 "RequestTimeout", "ReconnectMinDelay", "ReconnectMaxDelay"};
constexpr std::string_view kServiceLive[] = {
    "Sources",    "Conflation",       "ConflationInterval", "MaxItems",       "RepublishTimeout",
    "ItemLinger", "NegativeCache",    "SnapshotOpens",      "ForwardPosts",   "ForwardGenerics",
    "PostRights", "ExportConflation", "ExportInterval",     "PublisherGroups"};
constexpr std::string_view kServiceRestart[] = {
    "Name",           "ServiceId",          "Static",        "SourceMode",     "FailBack",         "Cache",
    "MaxBytes",       "ExpireAfter",        "ExpirePosted",  "DropOldest",     "UnknownItem",      "TemplateFile",
    "KeepServiceUp",  "DeleteLostServices", "PublisherMode", "PublisherOrder", "AddUnknownFields", "SeqNumGaps",
    "OpenWindow",     "OpenLimit",          "DelayOf",       "DelayTime",      "DelayMemoryBytes", "DelayFolder",
    "DelayFileBytes", "DelayItems",         "PreferSources", "OfferedRates",   "AnnounceRate"};
struct Mark {
    SectionMask sections;
    Reload mark;
    std::span<const std::string_view> names;
};
constexpr Mark kMarks[] = {
    {Section::hub, Reload::live, kHubLive},         {Section::hub, Reload::restart, kHubRestart},
    {Section::server, Reload::live, kServerLive},   {Section::server, Reload::restart, kServerRestart},
    {Section::source, Reload::live, kSourceLive},   {Section::source, Reload::reconnect, kSourceReconnect},
    {Section::service, Reload::live, kServiceLive}, {Section::service, Reload::restart, kServiceRestart}};

[[nodiscard]] SectionMask sectionOf(std::string_view title) noexcept {
    for (const parameters::SectionTitle& t : schema().titles)
        if (title == t.name) return t.section;
    return 0;
}

using Key = std::pair<std::string, std::string>;  // section and entry
/// The values of each entry, in the order of the table.
using Entries = std::map<Key, std::vector<const EffectiveValue*>>;

[[nodiscard]] Entries entriesOf(const HubConfig& c) {
    Entries all;
    for (const EffectiveValue& v : c.values)
        all[{v.section, v.entry}].push_back(&v);
    return all;
}

/// What holds without an entry of that name: of services what [*] says, and defaults of the table.
[[nodiscard]] std::vector<EffectiveValue> withoutEntry(const Entries& all, const std::string& section) {
    std::vector<EffectiveValue> made;
    if (const auto common = all.find({section, "*"}); common != all.end()) {
        for (const EffectiveValue* const v : common->second)
            made.push_back(*v);
        return made;
    }
    const SectionMask mask = sectionOf(section);
    for (const parameters::Parameter& p : schema().parameters)
        if ((p.sections & mask) != 0 && std::string_view(p.name) != "Name")
            made.push_back({section, {}, p.name, p.defaultText, {}});
    return made;
}

[[nodiscard]] bool isLive(const std::string& section, const std::string& parameter) noexcept {
    return reloadMark(sectionOf(section), parameter).value_or(Reload::restart) != Reload::restart;
}

[[nodiscard]] bool isAnew(const std::string& section, const std::string& parameter) noexcept {
    return reloadMark(sectionOf(section), parameter) == Reload::reconnect;
}

/// Whether a running hub takes or gives up an entry as a whole; of services those that move (ServicesMoved).
[[nodiscard]] bool comesAndGoes(const std::string& section) noexcept {
    return sectionOf(section) == Section::service || isLive(section, "Name");
}

/// Views of names that stay where they are.
using Names = std::unordered_set<std::string_view>;

[[nodiscard]] Names setOf(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
}

/// "Users=dana, Conflation=interval": what is not the default.
[[nodiscard]] std::string said(const std::vector<const EffectiveValue*>& values) {
    std::string out;
    for (const EffectiveValue* const v : values)
        if (v->origin != "default") out += (out.empty() ? "" : ", ") + v->parameter + "=" + v->value;
    return out;
}

void compare(const Key& key, const std::vector<const EffectiveValue*>& before,
             const std::vector<const EffectiveValue*>& after, std::vector<Change>& out) {
    for (const EffectiveValue* const v : after) {
        const auto was = std::ranges::find(before, v->parameter, &EffectiveValue::parameter);
        if (was == before.end() || (*was)->value == v->value) continue;
        out.push_back({Change::Kind::changed, key.first, key.second, v->parameter, (*was)->value, v->value,
                       isLive(key.first, v->parameter), isAnew(key.first, v->parameter)});
    }
}

[[nodiscard]] std::vector<const EffectiveValue*> pointersTo(const std::vector<EffectiveValue>& values) {
    std::vector<const EffectiveValue*> made;
    for (const EffectiveValue& v : values)
        made.push_back(&v);
    return made;
}

template <class List>
[[nodiscard]] std::vector<std::string> namesOf(const List& list) {
    std::vector<std::string> names;
    for (const auto& one : list)
        names.push_back(one.name);
    return names;
}

[[nodiscard]] std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// Of those that are in both.
void compareOrder(const char* section, std::vector<std::string> before, std::vector<std::string> after, bool live,
                  std::vector<Change>& out) {
    const std::vector<std::string> allBefore = before, allAfter = after;
    const auto keep = [](std::vector<std::string>& list, const Names& in) {
        std::erase_if(list, [&in](const std::string& name) { return !in.contains(name); });
    };
    keep(before, setOf(allAfter));
    keep(after, setOf(allBefore));
    if (before != after) out.push_back({Change::Kind::order, section, {}, {}, joined(before), joined(after), live});
}

/// Of a service that is there without sources: its nested elements have no values in the list.
[[nodiscard]] bool sameDescription(const ServiceSettings& a, const ServiceSettings& b) {
    if (!a.fixed || !b.fixed) return true;  // Static says it
    const auto infoOf = [](const reactor::rdm::ServiceInfo& i) {
        return std::tie(i.vendor, i.itemList, i.isSource, i.qosRange, i.outOfBandSnapshots, i.consumerStatus,
                        i.capabilities, i.dictionariesProvided, i.dictionariesUsed, i.qos);
    };
    const auto loadOf = [](const reactor::rdm::ServiceLoad& l) {
        return std::tie(l.openLimit, l.openWindow, l.loadFactor);
    };
    const auto statusOf = [](const reactor::rdm::ServiceState& s) {
        const reactor::rdm::OwnedState none, &status = s.status ? *s.status : none;
        return std::tuple(s.up, s.accepting, s.status.has_value(), status.stream, status.data, status.code,
                          status.text);
    };
    return infoOf(a.fixed->info) == infoOf(b.fixed->info) && loadOf(a.fixed->load) == loadOf(b.fixed->load) &&
           statusOf(a.fixed->state) == statusOf(b.fixed->state);
}

}  // namespace

std::optional<Reload> reloadMark(SectionMask section, std::string_view parameter) noexcept {
    for (const SectionMark& s : kSections)
        if ((s.sections & section) != 0) return s.mark;
    for (const Mark& m : kMarks)
        if ((m.sections & section) != 0 && std::ranges::find(m.names, parameter) != m.names.end()) return m.mark;
    return {};
}

std::string Change::name() const {
    std::string out = section;
    if (!entry.empty()) out += " [" + entry + "]";
    if (!parameter.empty()) out += " " + parameter;
    return out;
}

std::string Change::text() const {
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
    std::string out = name();
    switch (kind) {
    case Kind::changed:
        out += before.empty() && after.empty() ? " has changed" : ": " + shown(before) + " -> " + shown(after);
        break;
    case Kind::added:
        out += " is new" + (after.empty() ? "" : ": " + after);
        break;
    case Kind::removed:
        out += " is gone" + (before.empty() ? "" : ": " + before);
        break;
    case Kind::order:
        out += " entries: order " + before + " -> " + after;
        break;
    }
    return !live ? out + "; needs a restart" : anew ? out + "; the connection is made anew" : out;
}

std::vector<Change> changesBetween(const HubConfig& now, const HubConfig& next, const ServicesMoved& moved) {
    std::vector<Change> out;
    const Entries before = entriesOf(now), after = entriesOf(next);
    std::vector<const Key*> keys;  // in the order of the lists
    std::set<Key> seen;
    for (const HubConfig* const c : {&next, &now})
        for (const EffectiveValue& v : c->values)
            if (const auto [at, isNew] = seen.emplace(v.section, v.entry); isNew) keys.push_back(&*at);
    const Names come = setOf(moved.come), go = setOf(moved.go);
    for (const Key* const one : keys) {
        const Key& key = *one;
        const auto was = before.find(key), is = after.find(key);
        if (was != before.end() && is != after.end()) {
            compare(key, was->second, is->second, out);
        } else if (const bool added = was == before.end();
                   key.first == schema().title(Section::service) && !(added ? come : go).contains(key.second)) {
            const std::vector<EffectiveValue> common = withoutEntry(added ? before : after, key.first);
            if (added) compare(key, pointersTo(common), is->second, out);
            else compare(key, was->second, pointersTo(common), out);
        } else if (was == before.end()) {
            out.push_back(
                {Change::Kind::added, key.first, key.second, {}, {}, said(is->second), comesAndGoes(key.first)});
        } else {
            out.push_back(
                {Change::Kind::removed, key.first, key.second, {}, said(was->second), {}, comesAndGoes(key.first)});
        }
    }
    compareOrder(schema().title(Section::source), namesOf(now.settings.sources), namesOf(next.settings.sources), true,
                 out);
    compareOrder(schema().title(Section::userClass), namesOf(now.settings.userClasses),
                 namesOf(next.settings.userClasses), true, out);
    const ByName known(now.settings.services);
    for (const ServiceSettings& s : next.settings.services)
        if (!sameDescription(known.findOr(s.name, now.settings.serviceDefaults), s))
            out.push_back({Change::Kind::changed,
                           schema().title(Section::service),
                           s.name,
                           "InfoFilter/StateFilter/LoadFilter",
                           {},
                           {},
                           false});
    return out;
}

void takeLive(HubSettings& now, const HubSettings& next) {
    // What allocates comes first.
    std::vector<SourceSettings> sources = next.sources;
    std::vector<ServiceSettings> services = next.services;
    ServiceSettings serviceDefaults = next.serviceDefaults;
    std::vector<UserClassSettings> userClasses = next.userClasses;
    std::string announceName = next.announceName;
    logging::LoggerSettings log = next.log;
    std::vector<std::string> defaults;
    std::vector<std::vector<std::string>> groups;
    for (const auto* const list : {&next.listeners, &next.publisherListeners})
        for (const ListenerSettings& l : *list) {
            defaults.push_back(l.defaultService);
            groups.push_back(l.publisherGroups);
        }

    now.sources.swap(sources);
    now.services.swap(services);
    std::swap(now.serviceDefaults, serviceDefaults);
    now.userClasses.swap(userClasses);
    now.announceName.swap(announceName);
    std::swap(now.log, log);
    std::size_t at = 0;
    const auto takeListeners = [&](std::vector<ListenerSettings>& to, const std::vector<ListenerSettings>& from) {
        for (std::size_t i = 0; i < from.size(); ++i, ++at) {
            if (i >= to.size()) continue;
            to[i].slow = from[i].slow;
            to[i].conflation = from[i].conflation;
            to[i].limit = from[i].limit;
            to[i].defaultService.swap(defaults[at]);
            to[i].publisherGroups.swap(groups[at]);
        }
    };
    takeListeners(now.listeners, next.listeners);
    takeListeners(now.publisherListeners, next.publisherListeners);
    now.allowTunnels = next.allowTunnels;
    now.rttInterval = next.rttInterval;
    now.maxMountsPerClient = next.maxMountsPerClient;
    now.maxBatchItems = next.maxBatchItems;
    now.maxItemKeySize = next.maxItemKeySize;
    now.maxViewsPerClient = next.maxViewsPerClient;
    now.maxViewsPerItem = next.maxViewsPerItem;
    now.maxLoginsPerUser = next.maxLoginsPerUser;
    now.maxMountsPerUser = next.maxMountsPerUser;
    now.loginProbeTime = next.loginProbeTime;
    now.requestsPerSecondPerClient = next.requestsPerSecondPerClient;
    now.serviceWait = next.serviceWait;
    now.loginCheckTimeout = next.loginCheckTimeout;
    now.conflateAbove = next.conflateAbove;
    now.conflateBelow = next.conflateBelow;
    now.conflateBytes = next.conflateBytes;
    now.conflateTypes = next.conflateTypes;
    now.conflationBytes = next.conflationBytes;
    now.disconnectAbove = next.disconnectAbove;
    now.slowClientTimeout = next.slowClientTimeout;
    now.conflateAge = next.conflateAge;
    now.drainTimeout = next.drainTimeout;
}

}  // namespace emissary::hub

// Layers and function calls to the settings of one instance (ema-config.md 1, 4 to 12). Everything that is wrong is
// reported once, with the place where it was said.
#include "Resolver.h"

#include "active_configuration.h"
#include "environment.h"
#include "errors/raise.h"
#include "message_trace.h"
#include "preferred_host.h"
#include "services.h"
#include "transport_options.h"

#include "config/options/own_identity.h"
#include "config/options/transport_options.h"

#include <algorithm>
#include <atomic>

namespace emissary::ema {

namespace {

using eta::transport::ConnectionType;
using eta::transport::ConnectionTypeRow;

// OmmInvalidUsageException codes of ema-api.md section 5.
constexpr int kUnsupportedChannelType = -4050, kUnsupportedServerType = -4051;

std::string nextInstanceName(const std::string& section) {
    // Numbers are of the process: log lines of two instances of one section stay apart.
    static std::atomic<unsigned> running{0};
    return section + "_" + std::to_string(running.fetch_add(1, std::memory_order_relaxed) + 1);
}

struct RoleNames {
    SectionMask section;
    const char* builtIn;
    const char* defaultElement;
    const char* what;  // in texts
};
constexpr RoleNames kConsumer{Section::consumer, "EmaConsumer", "DefaultConsumer", "consumer"},
    kIProvider{Section::iProvider, "EmaIProvider", "DefaultIProvider", "provider"},
    kNiProvider{Section::niProvider, "EmaNiProvider", "DefaultNiProvider", "provider"};

bool anyEntry(const Configuration& c, SectionMask section) {
    return !c.file.entries(section).empty() || !c.environment.entries(section).empty() ||
           std::any_of(c.programmatic.begin(), c.programmatic.end(),
                       [&](const ConfigLayer& l) { return !l.entries(section).empty(); });
}

/// The order of ema-config.md 1, with the environment between program and file.
std::string chooseSection(const Configuration& c, const FunctionCalls& calls, const RoleNames& role,
                          std::vector<QueuedRecord>& records) {
    if (!calls.instanceName.empty()) {
        if (c.has(role.section, calls.instanceName)) return calls.instanceName;
        // The built-in name may be given without any entry, as long as nobody has written entries of that kind.
        if (calls.instanceName == role.builtIn && !anyEntry(c, role.section)) return calls.instanceName;
        // A file that could not be read at all is the likelier cause than a wrong name.
        const auto failed = std::find_if(c.records.begin(), c.records.end(), [](const QueuedRecord& r) {
            return r.severity == LogSeverity::error && r.text.find("built-in defaults apply") != std::string::npos;
        });
        throwInvalidConfiguration(
            std::string("name parameter [") + calls.instanceName + "] is a non-existent " + role.what + " name; " +
            (failed != c.records.end() ? failed->text
                                       : std::string("EmaConfig.xml needs an entry of that name in its ") +
                                             sectionName(role.section) + "Group"));
    }
    const auto said = std::find_if(c.programmatic.rbegin(), c.programmatic.rend(), [&](const ConfigLayer& layer) {
        return layer.defaultName(role.defaultElement) != nullptr;
    });
    const ConfigValue* const programmatic =
        said == c.programmatic.rend() ? nullptr : said->defaultName(role.defaultElement);
    for (const ConfigValue* v : {programmatic, c.environment.defaultName(role.defaultElement)}) {
        if (v == nullptr) continue;
        if (c.has(role.section, v->text) || v->text == role.builtIn) return v->text;
        // A wrong default is reported and not fatal: the next source may be right. A name given by call is fatal,
        // because the program meant it.
        records.push_back({LogSeverity::error, std::string(role.defaultElement) + " [" + v->text +
                                                   "] names no entry (" + v->place + "); value ignored"});
    }
    if (const ConfigValue* v = c.file.defaultName(role.defaultElement))
        if (c.file.find(role.section, v->text) != nullptr) return v->text;
    // Without a default the first entry of the file counts (ema-config.md).
    if (!c.file.entries(role.section).empty()) return c.file.entries(role.section).front().name;
    return role.builtIn;
}

void reportMissing(SectionMask section, const std::string& name, const ConfigValue& referredBy, InstanceSettings& s) {
    s.queued.push_back({LogSeverity::error, std::string("could not obtain the ") + sectionName(section) + " entry [" +
                                                name + "] that [" + s.sectionName + "] refers to (" + referredBy.place +
                                                "); defaults apply unless set programmatically"});
}

/// Says which parameters in use are read but have no effect in this release. What turns a feature on is worth a
/// warning; the others only give such features their details.
void reportIdle(const Configuration& c, SectionMask section, std::string_view entry, InstanceSettings& s) {
    for (const Parameter& p : allParameters()) {
        if ((p.sections & section) == 0 || p.idleBecause == nullptr) continue;
        const ConfigValue* v = c.value(section, entry, p.name);
        // A parameter at its default changes nothing, so nobody has to hear that it has no effect.
        if (v == nullptr || isDefault(p, v->number, v->text)) continue;
        const bool turnsOn = section != Section::global && ((p.kind == Kind::boolean && v->number != 0) ||
                                                            p.kind == Kind::list || p.kind == Kind::enumeration);
        s.queued.push_back({turnsOn ? LogSeverity::warning : LogSeverity::verbose,
                            std::string("parameter [") + p.name + "] of " + sectionName(section) + " [" +
                                std::string(entry) + "] has no effect in this release (" + v->place + ")"});
    }
}

/// The entry that a parameter refers to; empty when there is none. A name without an entry is reported.
std::string reference(const Configuration& c, const Reader& from, const char* parameter, SectionMask section,
                      InstanceSettings& settings) {
    const ConfigValue* v = from.find(parameter);
    if (v == nullptr || v->text.empty()) return {};
    if (!c.has(section, v->text)) reportMissing(section, v->text, *v, settings);
    return v->text;
}

void readLogger(const Configuration& c, const Reader& from, InstanceSettings& s) {
    s.logger.name = reference(c, from, "Logger", Section::logger, s);
    parameters::readLogger(Reader(c, Section::logger, s.logger.name), s.logger);
}

/// A number above the last port is a slip, and no other port is what was meant.
void readMetricsPort(const Reader& from, InstanceSettings& s) {
    const ConfigValue* const v = from.find("MetricsPort");
    if (v == nullptr) return;
    if (v->number > parameters::kUInt16Max)
        throwInvalidConfiguration("MetricsPort [" + v->text + "] is no port: write 1 to 65535, or 0 for none (" +
                                  v->place + ")");
    s.metricsPort = static_cast<std::uint16_t>(v->number);
}

/// What instances of all kinds have. Throws for an instance name that does not exist and for a metrics port that is
/// none; whatever else is wrong is reported and left out.
void readInstance(const Configuration& c, const FunctionCalls& calls, const RoleNames& role, InstanceSettings& s) {
    // First, so that the log begins with what was found while reading.
    s.queued = c.records;
    s.sectionName = chooseSection(c, calls, role, s.queued);
    s.instanceName = nextInstanceName(s.sectionName);
    reportIdle(c, role.section, s.sectionName, s);
    reportIdle(c, Section::global, {}, s);
    const Reader r(c, role.section, s.sectionName);
    readLogger(c, r, s);
    r.number("ItemCountHint", s.itemCountHint);
    r.number("ServiceCountHint", s.serviceCountHint);
    r.number("RequestTimeout", s.requestTimeoutMs);
    r.number("DispatchTimeoutApiThread", s.dispatchTimeoutApiThreadUs);
    r.number("BusyPoll", s.busyPollUs);
    r.number("MaxDispatchCountApiThread", s.maxDispatchCountApiThread);
    r.number("MaxDispatchCountUserThread", s.maxDispatchCountUserThread);
    r.number("MemoryTrimPeriod", s.memoryTrimPeriodMs);
    readMetricsPort(r, s);
    r.flag("CatchUnhandledException", s.catchUnhandledException);
    readTrace(r, s.trace);
    eta::json::Options& json = s.json.conversion;
    // The service of JSON messages that name none.
    r.number("DefaultServiceID", json.defaultServiceId.emplace(std::uint16_t{1}));
    r.flag("JsonExpandedEnumFields", json.expandEnums);
    r.flag("CatchUnknownJsonFids", json.catchUnknownFields);
    r.flag("CatchUnknownJsonKeys", json.catchUnknownMembers);
    r.flag("CloseChannelFromConverterFailure", s.json.closeOnFailure);
    r.flag("SendJsonConvError", s.json.sendErrors);
    s.userDispatch = calls.userDispatch;
    s.workerThreadBind = calls.workerThreadBind;
    s.apiThreadBind = calls.apiThreadBind;
    // Calls come last: they win over the layers.
    s.logger.sink = calls.logSink;
}

/// At severity Verbose, what is in effect goes to the log; function calls come last because they win.
class ActiveReport {
public:
    ActiveReport(const Configuration& c, InstanceSettings& s) : c_(c), s_(s) {
        // The text costs time and memory, so it is built only when it will be shown.
        if (s.logger.severity == LogSeverity::verbose)
            text_ = "Print active configuration detail of instance " + s.instanceName;
    }
    void add(SectionMask section, std::string_view entry, std::string_view defaultPort = {}) {
        if (!text_.empty()) appendActive(text_, c_, section, entry, defaultPort);
    }
    void call(std::string_view name, std::string_view value) {
        if (!text_.empty()) text_.append("\n").append(name).append(" : ").append(value);
    }
    void finish(const FunctionCalls& calls) {
        if (text_.empty()) return;
        text_.append("\nfunction calls");
        if (calls.host) call("Host", *calls.host);
        if (calls.port) call("Port", *calls.port);
        call("OperationModel", calls.userDispatch ? "UserDispatch" : "ApiDispatch");
        if (calls.logSink) call("LogSink", "of the application");
        s_.queued.push_back({LogSeverity::verbose, std::move(text_)});
    }

private:
    const Configuration& c_;
    InstanceSettings& s_;
    std::string text_;
};

[[noreturn]] void unsupportedType(std::int64_t type, const char* what, const std::string& entry, int code) {
    const ConnectionTypeRow* const row = eta::transport::findConnectionType(type);
    const std::string use = "use RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET";
    const char* const name = row != nullptr && row->configured ? row->name : "?";
    const std::string instead = row != nullptr && row->multicast && row->configured
                                    ? " here (non-interactive providers have it); " + use
                                : row != nullptr && row->instead != nullptr ? std::string("; ") + row->instead
                                                                            : "; " + use;
    throwInvalidUsage(std::string(what) + " [" + entry + "] has type " + name + ", which is not supported" + instead,
                      code);
}

/// Groups and protocol parameters of reliable multicast (ema-config.md 5, column M).
void readMulticast(const Reader& r, eta::transport::MulticastOptions& o) {
    const auto required = [&](const char* name, std::string& value) {
        r.text(name, value);
        if (value.empty())
            throwInvalidConfiguration("Invalid Channel Configuration for ChannelType [RSSL_RELIABLE_MCAST]. Missing "
                                      "required parameter [" +
                                      std::string(name) + "].");
    };
    required("RecvAddress", o.receiveAddress);
    required("RecvPort", o.receivePort);
    required("UnicastPort", o.unicastPort);
    required("SendAddress", o.sendAddress);
    required("SendPort", o.sendPort);
    r.text("tcpControlPort", o.tcpControlPort);
    r.text("HsmInterface", o.hsmInterface);
    r.text("HsmMultAddress", o.hsmAddress);
    r.text("HsmPort", o.hsmPort);
    r.number("HsmInterval", o.hsmInterval);
    r.flag("DisconnectOnGap", o.disconnectOnGaps);
    std::uint32_t ttl = o.packetTtl;
    r.number("PacketTTL", ttl);
    // One byte on the wire of IP.
    o.packetTtl = static_cast<std::uint8_t>(std::min<std::uint32_t>(ttl, 255));
    r.number("ndata", o.ndata);
    r.number("nrreq", o.nrreq);
    r.number("tdata", o.tdata);
    r.number("trreq", o.trreq);
    r.number("twait", o.twait);
    r.number("tbchold", o.tbchold);
    r.number("tpphold", o.tpphold);
    r.number("nmissing", o.nmissing);
    r.number("userQLimit", o.userQLimit);
    const eta::transport::MulticastOptions defaults;
    r.number("pktPoolLimitHigh", o.pktPoolLimitHigh);
    r.number("pktPoolLimitLow", o.pktPoolLimitLow);
    // High has to be above low. Otherwise both fall back, because one alone would not fit the other default.
    if (o.pktPoolLimitHigh > o.pktPoolLimitLow) return;
    o.pktPoolLimitHigh = defaults.pktPoolLimitHigh;
    o.pktPoolLimitLow = defaults.pktPoolLimitLow;
}

/// `defaultPort` is 14002 for consumers and 14003 for publishers. Only publishers may use multicast, and only consumers
/// have session management.
ChannelSettings readChannel(const Configuration& c, const FunctionCalls& calls, const std::string& name,
                            const char* defaultPort, bool publishes, std::vector<QueuedRecord>& records) {
    ChannelSettings s;
    s.name = name.empty() ? "Channel" : name;
    s.entry = name;
    s.connect.port = defaultPort;
    const Reader r(c, Section::channel, name);
    std::int64_t type = 0;
    r.number("ChannelType", type);
    if (calls.channelType) type = *calls.channelType;
    const ConnectionTypeRow* row = eta::transport::findConnectionType(type);
    // A host by call means TCP: multicast has groups and no host.
    if (calls.hostCalled && row != nullptr && row->multicast) row = eta::transport::findConnectionType(type = 0);
    s.type = static_cast<ConnectionType>(type);
    parameters::readChannel(r, s.type, s.connect);
    if (calls.hostCalled) {
        s.connect.host = calls.host.value_or("localhost");
        s.connect.port = calls.port.value_or(defaultPort);
    }
    if (publishes && row != nullptr && row->multicast) readMulticast(r, s.connect.multicast);
    else if (row == nullptr || !row->listens) unsupportedType(type, "channel", s.name, kUnsupportedChannelType);
    takeCalls(calls, s.connect);
    if (std::string text = parameters::idleProxy(s.name, s.connect); !text.empty())
        records.push_back({LogSeverity::warning, std::move(text)});
    if (!publishes) readManagedChannel(r, calls, s);
    return s;
}

void readReconnect(const Reader& r, reactor::session::ReconnectOptions& out) {
    r.number("ReconnectAttemptLimit", out.attemptLimit);
    r.number("ReconnectMinDelay", out.minDelay);
    r.number("ReconnectMaxDelay", out.maxDelay);
}

/// An instance has a channel at all times: with no entry it is the built-in one, localhost and the default port.
template <class Settings>
void readChannels(const Configuration& c, const FunctionCalls& calls, SectionMask section, const char* defaultPort,
                  Settings& s) {
    const Reader r(c, section, s.sectionName);
    std::vector<std::string> names;
    const ConfigValue* const configured = c.channels(section, s.sectionName);
    if (configured != nullptr) names = splitList(configured->text);
    // A host by call is one channel, whatever list is configured.
    if (names.empty() || calls.hostCalled) names.resize(1);
    for (const std::string& name : names) {
        if (!name.empty() && !c.has(Section::channel, name)) reportMissing(Section::channel, name, *configured, s);
        else reportIdle(c, Section::channel, name, s);
        s.channels.push_back(readChannel(c, calls, name, defaultPort, section == Section::niProvider, s.queued));
    }
    // Old location first, so that the instance section wins.
    for (const Reader& place : {Reader(c, Section::channel, s.channels.front().name), r}) {
        readReconnect(place, s.reconnect);
        place.number("DictionaryRequestTimeOut", s.dictionaryRequestTimeoutMs);
        readTrace(place, s.trace);
    }
    s.reconnect = s.reconnect.bounded();
}

LoginSettings readLogin(const FunctionCalls& calls) {
    LoginSettings s;
    s.userName = calls.userName ? *calls.userName : parameters::operatingSystemUser();
    s.password = calls.password;
    s.instanceId = calls.instanceId;
    s.position = calls.position ? *calls.position : parameters::ownPosition();
    if (calls.applicationId) s.applicationId = *calls.applicationId;
    return s;
}

/// The services of the chosen Directory, or the built-in one.
std::vector<ServiceSettings> readServices(const Configuration& c, const Reader& r, bool interactive,
                                          InstanceSettings& s) {
    std::string name = reference(c, r, "Directory", Section::directory, s);
    if (name.empty()) {
        if (const ConfigValue* v = c.defaultName("DefaultDirectory")) {
            name = v->text;
            if (!c.has(Section::directory, name)) reportMissing(Section::directory, name, *v, s);
        } else if (!c.file.entries(Section::directory).empty()) name = c.file.entries(Section::directory).front().name;
    }
    std::vector<ServiceSettings> services;
    if (const ConfigEntry* entry = name.empty() ? nullptr : c.entry(Section::directory, name))
        services = resolveServices(c, *entry, s.queued);
    if (services.empty()) services.push_back(builtInService(interactive));
    return services;
}

}  // namespace

/// Warm-standby groups come before the ChannelSet, in the order of WarmStandbyChannelSet (ema-config.md 7). A name that
/// does not resolve is reported and skipped; a group without its active server is dropped.
void readStandbyGroups(const Configuration& c, const FunctionCalls& calls, SectionMask section,
                       const std::string& entry, std::vector<ChannelSettings>& channels, ConsumerSettings& s) {
    const ConfigValue* const groups = Reader(c, section, entry).find("WarmStandbyChannelSet");
    // A host by call is one connection: it leaves no room for groups.
    if (groups == nullptr || calls.hostCalled) return;
    std::vector<ChannelSettings> all;
    const auto known = [&](SectionMask kind, const std::string& name, const ConfigValue& referredBy) {
        if (c.has(kind, name)) return true;
        s.queued.push_back({LogSeverity::error, std::string("could not obtain the ") + sectionName(kind) + " entry [" +
                                                    name + "] (" + referredBy.place +
                                                    "); it is left out of the warm-standby group"});
        return false;
    };
    std::uint32_t number = 0;
    for (const std::string& group : splitList(groups->text)) {
        if (!known(Section::warmStandbyChannel, group, *groups)) continue;
        reportIdle(c, Section::warmStandbyChannel, group, s);
        const Reader r(c, Section::warmStandbyChannel, group);
        // 1 login based, 2 service based (ema-config.md 7).
        std::int64_t mode = 1;
        r.number("WarmStandbyMode", mode);
        ++number;
        const auto add = [&](const std::string& server, const ConfigValue& referredBy) {
            if (!known(Section::warmStandbyServer, server, referredBy)) return false;
            const Reader info(c, Section::warmStandbyServer, server);
            const ConfigValue* channel = info.find("Channel");
            if (channel == nullptr || !known(Section::channel, channel->text, *channel)) return false;
            reportIdle(c, Section::channel, channel->text, s);
            ChannelSettings settings = readChannel(c, calls, channel->text, "14002", false, s.queued);
            settings.standbyGroup = number;
            settings.standbyGroupName = group;
            settings.standbyServerName = server;
            settings.serviceBased = mode == 2;
            if (const ConfigValue* services = info.find("PerServiceNameSet"))
                settings.activeServices = splitList(services->text);
            all.push_back(std::move(settings));
            return true;
        };
        // A group without its active server has nobody to take over from.
        const ConfigValue* active = r.find("StartingActiveServer");
        if (active == nullptr || !add(active->text, *active)) {
            s.queued.push_back({LogSeverity::error, "the warm-standby group [" + group +
                                                        "] has no active server and is left out (" + groups->place +
                                                        ")"});
            continue;
        }
        if (const ConfigValue* standbys = r.find("StandbyServerSet"))
            for (const std::string& server : splitList(standbys->text))
                (void)add(server, *standbys);
    }
    if (all.empty()) return;
    // Without a list of its own the instance has its default channel, and that one must not stand behind the groups.
    if (c.channels(section, entry) == nullptr) channels.clear();
    channels.insert(channels.begin(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
}

/// Options that cannot be followed are reported and left out.
PreferredHostSettings readPreferredHost(const Configuration& c, SectionMask section, const std::string& entry,
                                        const std::vector<ChannelSettings>& channels, ConsumerSettings& s) {
    const Reader r(c, section, entry);
    PreferredHostSettings p;
    r.flag("EnablePreferredHostOptions", p.enabled);
    r.text("PHDetectionTimeSchedule", p.schedule);
    r.number("PHDetectionTimeInterval", p.intervalSeconds);
    r.text("PreferredChannelName", p.channelName);
    r.text("PreferredWSBChannelName", p.groupName);
    r.flag("PHFallBackWithInWSBGroup", p.withinGroup);
    std::string why;
    // Only the check: names become channels when the consumer is made.
    (void)preferredHostOf(p, channels, why);
    if (why.empty()) return p;
    s.queued.push_back({LogSeverity::error, why + "; the preferred host options of " + sectionName(section) + " [" +
                                                entry + "] are ignored"});
    p.enabled = false;
    return p;
}

/// The session channels of SessionChannelSet (ema-config.md 8). One that cannot be used is reported and left out.
void readSessions(const Configuration& c, const FunctionCalls& calls, ConsumerSettings& s) {
    const ConfigValue* const set = Reader(c, Section::consumer, s.sectionName).find("SessionChannelSet");
    if (set == nullptr || calls.hostCalled) return;
    const auto leaveOut = [&](const std::string& name, const std::string& why) {
        s.queued.push_back(
            {LogSeverity::error, "session channel [" + name + "] " + why + "; it is left out (" + set->place + ")"});
    };
    for (const std::string& name : splitList(set->text)) {
        if (!c.has(Section::sessionChannel, name)) {
            leaveOut(name, "has no SessionChannel entry");
            continue;
        }
        if (std::any_of(s.sessions.begin(), s.sessions.end(), [&](const auto& other) { return other.name == name; })) {
            leaveOut(name, "is named twice");
            continue;
        }
        reportIdle(c, Section::sessionChannel, name, s);
        const Reader r(c, Section::sessionChannel, name);
        SessionSettings session;
        session.name = name;
        if (const ConfigValue* channels = c.channels(Section::sessionChannel, name)) {
            for (const std::string& channel : splitList(channels->text)) {
                if (!c.has(Section::channel, channel)) reportMissing(Section::channel, channel, *channels, s);
                else reportIdle(c, Section::channel, channel, s);
                session.channels.push_back(readChannel(c, calls, channel, "14002", false, s.queued));
            }
        }
        readStandbyGroups(c, calls, Section::sessionChannel, name, session.channels, s);
        if (session.channels.empty()) {
            leaveOut(name, "has neither a ChannelSet nor a usable WarmStandbyChannelSet");
            continue;
        }
        // Session channels begin with the values of the consumer, and their own entries override them.
        session.reconnect = s.reconnect;
        readReconnect(r, session.reconnect);
        session.reconnect = session.reconnect.bounded();
        session.preferredHost = readPreferredHost(c, Section::sessionChannel, name, session.channels, s);
        s.sessions.push_back(std::move(session));
    }
    if (s.sessions.empty())
        s.queued.push_back({LogSeverity::error, "SessionChannelSet of Consumer [" + s.sectionName +
                                                    "] names no usable session channel; the consumer's own channels "
                                                    "are used (" +
                                                    set->place + ")"});
    Reader(c, Section::consumer, s.sectionName).flag("SessionEnhancedItemRecovery", s.enhancedItemRecovery);
}

ConsumerSettings resolveConsumer(const Configuration& configuration, const FunctionCalls& calls) {
    const Configuration c = withEnvironment(configuration);
    ConsumerSettings s;
    readInstance(c, calls, kConsumer, s);
    const Reader r(c, Section::consumer, s.sectionName);
    readChannels(c, calls, Section::consumer, "14002", s);
    readStandbyGroups(c, calls, Section::consumer, s.sectionName, s.channels, s);
    readSessions(c, calls, s);
    // With sessions each session channel has preferred host options of its own.
    if (s.sessions.empty()) s.preferredHost = readPreferredHost(c, Section::consumer, s.sectionName, s.channels, s);
    s.dictionary = readDictionary(c, reference(c, r, "Dictionary", Section::dictionary, s), false);
    s.login = readLogin(calls);
    // Written so that a value that is no number is refused as well.
    if (const ConfigValue* v = r.find("TokenReissueRatio"); v != nullptr && !(v->real >= 0.05 && v->real <= 0.95))
        throwInvalidConfiguration("TokenReissueRatio [" + v->text + "] is not from 0.05 to 0.95 (" + v->place + ")");
    s.sessionManagement = readSessionManagement(r, calls);
    r.number("LoginRequestTimeOut", s.loginRequestTimeoutMs);
    r.number("DirectoryRequestTimeOut", s.directoryRequestTimeoutMs);
    r.flag("ObeyOpenWindow", s.obeyOpenWindow);
    // Old location first, as in readChannels().
    Reader(c, Section::channel, s.channels.front().name).flag("MsgKeyInUpdates", s.msgKeyInUpdates);
    r.flag("MsgKeyInUpdates", s.msgKeyInUpdates);
    r.flag("EnableRtt", s.enableRtt);
    r.number("RecoveryMinDelay", s.recoveryMinDelayMs);
    r.number("RecoveryMaxDelay", s.recoveryMaxDelayMs);
    r.number("ServiceWaitTimeOut", s.serviceWaitMs);
    r.number("PostAckTimeout", s.postAckTimeoutMs);
    r.number("MaxOutstandingPosts", s.maxOutstandingPosts);
    r.number("MaxDictionarySize", s.maxDictionarySize);
    ActiveReport report(c, s);
    report.add(Section::consumer, s.sectionName);
    for (const SessionSettings& session : s.sessions) {
        report.add(Section::sessionChannel, session.name);
        for (const ChannelSettings& channel : session.channels)
            report.add(Section::channel, channel.entry, "14002");
    }
    for (const ChannelSettings& channel : s.channels)
        // With session channels those of the consumer itself are not used.
        if (s.sessions.empty()) report.add(Section::channel, channel.entry, "14002");
    report.add(Section::logger, s.logger.name);
    report.add(Section::dictionary, s.dictionary.name);
    report.finish(calls);
    return s;
}

IProviderSettings resolveIProvider(const Configuration& configuration, const FunctionCalls& calls) {
    const Configuration c = withEnvironment(configuration);
    IProviderSettings s;
    readInstance(c, calls, kIProvider, s);
    const Reader r(c, Section::iProvider, s.sectionName);
    const std::string server = reference(c, r, "Server", Section::server, s);
    const Reader sr(c, Section::server, server);
    reportIdle(c, Section::server, server, s);
    s.server.name = server.empty() ? "Server" : server;
    s.server.entry = server;
    std::int64_t type = 0;
    sr.number("ServerType", type);
    s.server.type = static_cast<ConnectionType>(type);
    parameters::readServer(sr, s.server.type, s.server.bind, s.server.limits);
    if (calls.port) s.server.bind.port = *calls.port;
    const ConnectionTypeRow* const row = eta::transport::findConnectionType(type);
    if (row == nullptr || !row->listens) unsupportedType(type, "server", s.server.name, kUnsupportedServerType);
    takeCalls(calls, s.server.bind);
    s.services = readServices(c, r, true, s);
    // Who administers directory and dictionary is said by calls only; no parameter does.
    s.directoryByUser = calls.directoryByUser.value_or(false);
    s.dictionaryByUser = calls.dictionaryByUser.value_or(false);
    r.flag("RefreshFirstRequired", s.refreshFirstRequired);
    r.flag("EnforceAckIDValidation", s.enforceAckIdValidation);
    r.number("FieldDictionaryFragmentSize", s.fieldDictionaryFragmentSize);
    r.number("EnumTypeFragmentSize", s.enumTypeFragmentSize);
    r.flag("AcceptMessageWithoutBeingLogin", s.acceptMessageWithoutBeingLogin);
    r.flag("AcceptMessageWithoutAcceptingRequests", s.acceptMessageWithoutAcceptingRequests);
    r.flag("AcceptDirMessageWithoutMinFilters", s.acceptDirMessageWithoutMinFilters);
    r.flag("AcceptMessageWithoutQosInRange", s.acceptMessageWithoutQosInRange);
    r.flag("AcceptMessageSameKeyButDiffStream", s.acceptMessageSameKeyButDiffStream);
    r.flag("AcceptMessageThatChangesService", s.acceptMessageThatChangesService);
    ActiveReport report(c, s);
    report.add(Section::iProvider, s.sectionName);
    report.add(Section::server, server);
    report.add(Section::logger, s.logger.name);
    report.finish(calls);
    return s;
}

NiProviderSettings resolveNiProvider(const Configuration& configuration, const FunctionCalls& calls) {
    const Configuration c = withEnvironment(configuration);
    NiProviderSettings s;
    readInstance(c, calls, kNiProvider, s);
    const Reader r(c, Section::niProvider, s.sectionName);
    readChannels(c, calls, Section::niProvider, "14003", s);
    s.services = readServices(c, r, false, s);
    s.login = readLogin(calls);
    s.directoryByUser = calls.directoryByUser.value_or(false);
    r.number("LoginRequestTimeOut", s.loginRequestTimeoutMs);
    r.flag("RefreshFirstRequired", s.refreshFirstRequired);
    r.flag("MergeSourceDirectoryStreams", s.mergeSourceDirectoryStreams);
    r.flag("RecoverUserSubmitSourceDirectory", s.recoverUserSubmitSourceDirectory);
    r.flag("RemoveItemsOnDisconnect", s.removeItemsOnDisconnect);
    ActiveReport report(c, s);
    report.add(Section::niProvider, s.sectionName);
    for (const ChannelSettings& channel : s.channels)
        report.add(Section::channel, channel.entry, "14003");
    report.add(Section::logger, s.logger.name);
    report.finish(calls);
    return s;
}

void checkDefaults(Configuration& c) {
    struct Rule {
        const char* element;
        SectionMask section;
        const char* builtIn;
        const char* what;
    };
    static constexpr Rule kRules[] = {{"DefaultConsumer", Section::consumer, "EmaConsumer", "consumer"},
                                      {"DefaultNiProvider", Section::niProvider, "EmaNiProvider", "niprovider"},
                                      {"DefaultIProvider", Section::iProvider, "EmaIProvider", "iprovider"},
                                      {"DefaultDirectory", Section::directory, "EmaDirectory", "directory"}};
    for (const Rule& rule : kRules) {
        const ConfigValue* v = c.file.defaultName(rule.element);
        if (v == nullptr || c.file.find(rule.section, v->text) != nullptr) continue;
        // The built-in name needs no entry, as long as nobody has written entries of that kind.
        if (v->text == rule.builtIn && c.file.entries(rule.section).empty()) continue;
        const std::string text = std::string("specified default ") + rule.what + " name [" + v->text +
                                 "] was not found in the configured " + rule.what + "s (" + v->place + ")";
        // ema-config.md 1: a wrong default of a provider is an error in the log, and the others end the constructor.
        if (rule.section != Section::iProvider) throwInvalidConfiguration(text);
        c.records.push_back({LogSeverity::error, text + "; value ignored"});
    }
}

void parseHost(std::string_view text, std::string_view defaultPort, FunctionCalls& into) {
    const auto [host, port] = parameters::splitHostPort(text);
    into.hostCalled = true;
    into.host = std::string(host.empty() ? "localhost" : host);
    into.port = std::string(port.empty() ? defaultPort : port);
}

}  // namespace emissary::ema

// ema/settings: every value in effect and its origin, for tools and support.
#include "emissary/EffectiveConfiguration.h"

#include "config/active_configuration.h"
#include "config/environment.h"
#include "config/services.h"
#include "settings/ConfigAccess.h"

#include <algorithm>
#include <set>

namespace emissary {

using namespace emissary::ema;

namespace {

constexpr const char* kDefault = "default";

std::string call(std::string_view name) {
    return "function call " + std::string(name) + "()";
}

/// Functions that set the same value as a parameter.
struct Twin {
    const char* function;
    SectionMask section;
    const char* parameter;
};
constexpr Twin kTwins[] = {{"encryptedProtocolType", Section::channel, "EncryptedProtocolType"},
                           {"tunnelingSecurityProtocol", Section::channel, "SecurityProtocol"},
                           {"sslCAStore", Section::channel, "OpenSSLCAStore"},
                           {"tunnelingProxyHostName", Section::channel, "ProxyHost"},
                           {"tunnelingProxyPort", Section::channel, "ProxyPort"},
                           {"tunnelingObjectName", Section::channel, "ObjectName"},
                           {"libcurlName", Section::consumer, "LibcurlName"},
                           {"restProxyHostName", Section::consumer, "RestProxyHostName"},
                           {"restProxyPort", Section::consumer, "RestProxyPort"},
                           {"securityProtocol", Section::server, "SecurityProtocol"},
                           {"serverCert", Section::server, "ServerCert"},
                           {"serverPrivateKey", Section::server, "ServerPrivateKey"},
                           {"cipherSuite", Section::server, "CipherSuite"},
                           {"dhParams", Section::server, "DhParams"}};

const Twin* twinOf(std::string_view function) {
    for (const Twin& t : kTwins)
        if (function == t.function) return &t;
    return nullptr;
}

/// Functions without effect: OpenSSL is linked, threads are bound without a library, servers make no REST calls.
bool namesLinkedLibrary(std::string_view function) {
    return function.find("Ssl") != std::string_view::npos || function.find("Crypto") != std::string_view::npos ||
           function == "libCurlName" || function == "shouldInitializeCPUIDlib";
}

/// Gathers the values of one instance.
class Collector {
public:
    Collector(const Configuration& c, const FunctionCalls& calls, EffectiveConfiguration& out)
        : c_(c), calls_(calls), out_(out) {}

    void add(std::string_view section, std::string_view entry, std::string_view parameter, std::string value,
             std::string origin, bool effective = true) {
        out_.values.push_back({std::string(section), std::string(entry), std::string(parameter), std::move(value),
                               std::move(origin), effective});
    }

    /// All parameters of an entry. Those that moved elsewhere are shown only where they are given.
    void section(SectionMask mask, const std::string& entry, const char* defaultPort = "") {
        // Channels and services may share an entry, which is listed once.
        if (!seen_.insert({mask, entry}).second) return;
        for (const Parameter& p : allParameters()) {
            const std::string_view name = p.name;
            if ((p.sections & mask) == 0 || name == "Name") continue;
            const ConfigValue* v = c_.value(mask, entry, name);
            if (v == nullptr && p.moved) continue;
            const char* otherwise = name == "Port" && *defaultPort != '\0' ? defaultPort : p.defaultText;
            add(sectionName(mask), entry, name, v == nullptr ? otherwise : activeText(p, *v),
                v == nullptr ? kDefault : v->place, p.idleBecause == nullptr);
        }
    }

    /// Replaces a value by what a function call said.
    void override(std::string_view section, std::string_view parameter, const std::string& value,
                  std::string_view function) {
        for (EffectiveValue& v : out_.values)
            if (v.section == section && v.parameter == parameter) v.value = value, v.origin = call(function);
    }

    /// Functions with a parameter of their own, once the sections are there.
    void twins() {
        for (const auto& [name, value] : calls_.kept)
            if (const Twin* t = twinOf(name)) {
                const Parameter* const p = findParameter(t->section, t->parameter);
                // Calls note enumerations as numbers; they are shown by the names that the file uses.
                const bool numbered = p != nullptr && p->kind == Kind::enumeration;
                override(sectionName(t->section), t->parameter,
                         numbered ? activeText(*p, {"", std::stoll(value), 0, ""}) : value, name);
            }
    }

    /// Where records go, and which.
    void logger(const InstanceSettings& s) {
        section(Section::logger, s.logger.name);
        if (s.logger.sink) override("Logger", "LoggerType", "sink of the application", "logTo");
    }

    /// Providers load files, whatever is configured.
    void filesOnly() {
        for (EffectiveValue& v : out_.values)
            if (v.parameter == "DictionaryType" && v.value != "FileDictionary")
                v.value = "FileDictionary", v.origin = "always, for providers";
    }

    /// Values that only functions can set.
    void instance(const char* section, const InstanceSettings& s) {
        add(section, s.sectionName, "OperationModel", s.userDispatch ? "UserDispatch" : "ApiDispatch",
            s.userDispatch ? call("operationModel") : kDefault);
        for (const auto& [name, value] :
             {std::pair{"ApiThreadBind", &s.apiThreadBind}, std::pair{"WorkerThreadBind", &s.workerThreadBind}}) {
            const char* function = *name == 'A' ? "apiThreadBind" : "workerThreadBind";
            add(section, s.sectionName, name, *value, value->empty() ? kDefault : call(function));
        }
        for (const auto& [name, value] : calls_.kept) {
            if (twinOf(name) != nullptr) continue;
            const bool secret = name.find("asswd") != std::string::npos || name.find("assword") != std::string::npos;
            add(section, s.sectionName, name, secret ? "***" : value, call(name), !namesLinkedLibrary(name));
        }
    }

    void login(const LoginSettings& s) {
        const auto line = [&](const char* name, const std::string& value, bool called, const char* function) {
            add("Login", "", name, value, called ? call(function) : kDefault);
        };
        line("UserName", s.userName, calls_.userName.has_value(), "username");
        line("Password", s.password ? "***" : "", calls_.password.has_value(), "password");
        line("Position", s.position, calls_.position.has_value(), "position");
        line("ApplicationId", s.applicationId, calls_.applicationId.has_value(), "applicationId");
        line("InstanceId", s.instanceId.value_or(""), calls_.instanceId.has_value(), "instanceId");
    }

    void channels(const std::vector<ChannelSettings>& all, const char* defaultPort) {
        for (const ChannelSettings& channel : all) {
            if (channel.standbyGroup != 0) {
                section(Section::warmStandbyChannel, channel.standbyGroupName);
                section(Section::warmStandbyServer, channel.standbyServerName);
            }
            section(Section::channel, channel.entry, defaultPort);
        }
        if (calls_.hostCalled) {
            override("Channel", "Host", calls_.host.value_or("localhost"), "host");
            override("Channel", "Port", calls_.port.value_or(defaultPort), "host");
        }
        twins();
        const Parameter* const type = findParameter(Section::channel, "ChannelType");
        if (type != nullptr && calls_.channelType)
            override("Channel", "ChannelType", activeText(*type, {"", *calls_.channelType, 0, ""}), "channelType");
    }

    /// The services that are published: what was said of each, leaf by leaf, and the defaults of what was not.
    void services(const std::vector<ServiceSettings>& all, const std::string& directory, bool byUser) {
        if (byUser) add("Directory", directory, "AdminControl", "UserControl", call("adminControlDirectory"));
        const ConfigEntry* const entry = directory.empty() ? nullptr : c_.entry(Section::directory, directory);
        for (const ServiceSettings& s : all) {
            static const ConfigNode builtIn;
            const ConfigNode* node = &builtIn;
            if (entry != nullptr)
                for (const ConfigNode& n : entry->nested)
                    if (const ConfigNode* name = n.child("Name"); name != nullptr && name->value == s.name) node = &n;
            leaves(*node, s.name, "");
            service(*node, s, "InfoFilter", Section::serviceInfo);
            service(*node, s, "StateFilter", Section::serviceState);
        }
    }

private:
    void leaves(const ConfigNode& node, const std::string& serviceName, const std::string& path) {
        for (const ConfigNode& c : node.children) {
            const std::string name = path.empty() ? c.name : path + "/" + c.name;
            if (c.hasValue && name != "Name") add("Service", serviceName, name, c.value, c.place);
            leaves(c, serviceName, name);
        }
    }

    void service(const ConfigNode& node, const ServiceSettings& s, const char* filter, SectionMask mask) {
        const ConfigNode* const given = node.child(filter);
        for (const Parameter& p : allParameters()) {
            if ((p.sections & mask) == 0 || (given != nullptr && given->child(p.name) != nullptr)) continue;
            const bool id = std::string_view(p.name) == "ServiceId";
            add("Service", s.name, std::string(filter) + "/" + p.name, id ? std::to_string(s.serviceId) : p.defaultText,
                id && !node.children.empty() ? "assigned by the library" : kDefault);
        }
    }

    const Configuration& c_;
    const FunctionCalls& calls_;
    EffectiveConfiguration& out_;
    std::set<std::pair<SectionMask, std::string>> seen_;
};

void begin(const InstanceSettings& s, EffectiveConfiguration& out) {
    out.instance = s.sectionName;
    for (const QueuedRecord& r : s.queued)
        if (r.severity == LogSeverity::warning || r.severity == LogSeverity::error)
            out.notes.push_back((r.severity == LogSeverity::error ? "Error: " : "Warning: ") + r.text);
}

/// The directory that readServices() of the resolver takes.
std::string directoryOf(const Configuration& c, SectionMask section, const std::string& instance) {
    if (const ConfigValue* v = c.value(section, instance, "Directory"); v != nullptr && !v->text.empty())
        return v->text;
    if (const ConfigValue* v = c.defaultName("DefaultDirectory")) return v->text;
    return c.file.entries(Section::directory).empty() ? "" : c.file.entries(Section::directory).front().name;
}

}  // namespace

EffectiveConfiguration effectiveConfiguration(const refinitiv::ema::access::OmmConsumerConfig& config) {
    const ConsumerConfigImpl& impl = ConfigAccess::of(config);
    const ConsumerSettings s = impl.settings();
    // The settings have the values; where they come from stands in a copy of the layers.
    const Configuration c = withEnvironment(impl.configuration);
    EffectiveConfiguration out;
    begin(s, out);
    Collector all(c, impl.calls, out);
    all.section(Section::consumer, s.sectionName);
    all.instance("Consumer", s);
    all.login(s.login);
    for (const SessionSettings& session : s.sessions) {
        all.section(Section::sessionChannel, session.name);
        all.channels(session.channels, "14002");
    }
    if (s.sessions.empty()) all.channels(s.channels, "14002");
    all.logger(s);
    all.section(Section::dictionary, s.dictionary.name);
    if (impl.dictionary != nullptr) all.add("Dictionary", "", "DataDictionary", "given", call("dataDictionary"));
    all.section(Section::global, "");
    return out;
}

EffectiveConfiguration effectiveConfiguration(const refinitiv::ema::access::OmmIProviderConfig& config) {
    const IProviderConfigImpl& impl = ConfigAccess::of(config);
    const IProviderSettings s = impl.settings();
    const Configuration c = withEnvironment(impl.configuration);
    EffectiveConfiguration out;
    begin(s, out);
    Collector all(c, impl.calls, out);
    all.section(Section::iProvider, s.sectionName);
    all.instance("IProvider", s);
    all.section(Section::server, s.server.entry);
    if (impl.calls.port) all.override("Server", "Port", *impl.calls.port, "port");
    all.twins();
    all.logger(s);
    for (const ServiceSettings& service : s.services)
        for (const auto* list : {&service.dictionariesProvided, &service.dictionariesUsed})
            for (const DictionarySettings& dictionary : *list)
                all.section(Section::dictionary, dictionary.name);
    all.filesOnly();
    if (s.dictionaryByUser) all.add("Dictionary", "", "AdminControl", "UserControl", call("adminControlDictionary"));
    all.services(s.services, directoryOf(c, Section::iProvider, s.sectionName), s.directoryByUser);
    all.section(Section::global, "");
    return out;
}

EffectiveConfiguration effectiveConfiguration(const refinitiv::ema::access::OmmNiProviderConfig& config) {
    const NiProviderConfigImpl& impl = ConfigAccess::of(config);
    const NiProviderSettings s = impl.settings();
    const Configuration c = withEnvironment(impl.configuration);
    EffectiveConfiguration out;
    begin(s, out);
    Collector all(c, impl.calls, out);
    all.section(Section::niProvider, s.sectionName);
    all.instance("NiProvider", s);
    all.login(s.login);
    all.channels(s.channels, "14003");
    all.logger(s);
    if (const DictionarySettings* names = maySpeakJson(s.channels) ? fileDictionary(s.services) : nullptr)
        all.section(Section::dictionary, names->name);
    all.services(s.services, directoryOf(c, Section::niProvider, s.sectionName), s.directoryByUser);
    all.section(Section::global, "");
    return out;
}

std::string EffectiveConfiguration::text() const {
    std::string out = parameters::valuesAsText(values);
    for (const std::string& note : notes)
        out.append(&note == &notes.front() ? "\n" : "").append(note).append("\n");
    return out;
}

}  // namespace emissary

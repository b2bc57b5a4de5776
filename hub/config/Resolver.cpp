// The hub's own parameters, its ports, log and dictionary.
#include "hub/config/Resolver.h"

#include "config/options/dictionary_files.h"
#include "config/options/own_identity.h"
#include "config/options/transport_options.h"
#include "eta/core/addresses.h"
#include "eta/core/host_names.h"
#include "eta/transport/certificates.h"
#include "eta/transport/origins.h"
#include "hub/config/inherited.h"
#include "hub/config/ports.h"
#include "hub/config/readers.h"
#include "hub/config/schema.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <netdb.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emissary::hub {

using parameters::ConfigEntry;
using parameters::ConfigValue;
using parameters::Parameter;
using parameters::Reader;
using parameters::SectionMask;
using parameters::splitList;

namespace {

// Of upgrade requests at a port that browsers may reach: what no browser and no library comes near.
constexpr std::size_t kMostHeadBytes = 8192;
constexpr std::uint32_t kMostHeaders = 64, kUpgradesPerSecond = 500;
constexpr std::chrono::seconds kUpgradeTime{5};
constexpr std::size_t kMostLoginCookies = 3;  // token, position, application id

std::string hostName() {
    std::string name = eta::machineName();
    return name.empty() ? "emissary-hub" : name;
}

/// RFC 6265, 4.1.1: a token of HTTP. A name of another kind could not be found in a header.
bool isCookieName(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return c > ' ' && c < '\x7f' && std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string_view::npos;
    });
}

}  // namespace

HubSettings Resolver::settings(bool sourcesOfCommandLine) {
    HubSettings s;
    readHub(s);
    readListeners("Listeners", "consumers", "14002", s.listeners);
    readListeners("NiListeners", "publishers", "14003", s.publisherListeners);
    checkListeners(s);
    showInherited(c_, s, values_);
    checkUnused(s);
    checkPorts(s);
    readSources(s, sourcesOfCommandLine);
    readServices(s);
    readViews();
    readUserClasses(s);
    checkConflation(s);
    checkLimits(s);
    checkDelays(s);
    readMesh(s);
    readDictionary(s);
    readLog(s);
    return s;
}

void Resolver::readHub(HubSettings& s) {
    const Reader r(c_, Section::hub, "");
    show(Section::hub, "");
    r.text("Name", s.name);
    if (s.name.empty()) s.name = hostName();
    r.text("AnnounceName", s.announceName);
    r.text("PublisherAnnounceName", s.publisherAnnounceName);
    r.number("Threads", s.threads);
    s.threadBind = splitList(text(Section::hub, "", "ThreadBind"));
    for (const std::string& cpu : s.threadBind) {
        unsigned n = 0;
        const auto [end, ec] = std::from_chars(cpu.data(), cpu.data() + cpu.size(), n);
        if (ec != std::errc() || end != cpu.data() + cpu.size() ||
            static_cast<long>(n) >= sysconf(_SC_NPROCESSORS_CONF))
            error("ThreadBind: [" + cpu + "] is no processor of this machine; it has 0 to " +
                      std::to_string(sysconf(_SC_NPROCESSORS_CONF) - 1),
                  placeOf(Section::hub, "", "ThreadBind"));
    }
    r.flag("DictionaryMismatch", s.acceptDictionaryMismatch);
    std::int64_t httpPort = s.httpPort;
    r.number("HttpPort", httpPort);
    if (httpPort > parameters::kUInt16Max)  // a slip, and no other port is what was meant
        error("HttpPort [" + text(Section::hub, "", "HttpPort") + "] is no port: write 1 to 65535, or 0 for none",
              placeOf(Section::hub, "", "HttpPort"));
    s.httpPort = static_cast<std::uint16_t>(httpPort);
    r.text("HttpAddress", s.httpAddress);
    if (!isAddress(s.httpAddress))
        error("HttpAddress [" + s.httpAddress +
                  "] is no numeric address; write for example 127.0.0.1, ::1, or 0.0.0.0 for all interfaces",
              placeOf(Section::hub, "", "HttpAddress"));
    s.httpHosts = splitList(text(Section::hub, "", "HttpHosts"));
    readPagesAccess(s);
    r.flag("SupportOMMPost", s.supportOmmPost);
    r.flag("SupportStandby", s.supportStandby);
    r.flag("AllowTunnels", s.allowTunnels);
    readTime(r, "RttInterval", s.rttInterval);
    r.number("MaxMountsPerClient", s.maxMountsPerClient);
    r.number("MaxItemKeySize", s.maxItemKeySize);
    r.number("MaxViewsPerClient", s.maxViewsPerClient);
    r.number("MaxViewsPerItem", s.maxViewsPerItem);
    r.number("MaxLoginsPerUser", s.maxLoginsPerUser);
    readTime(r, "LoginProbeTime", s.loginProbeTime);
    r.number("MaxMountsPerUser", s.maxMountsPerUser);
    r.number("RequestsPerSecondPerClient", s.requestsPerSecondPerClient);
    readTime(r, "ServiceWaitTimeOut", s.serviceWait);
    readTime(r, "LoginCheckTimeout", s.loginCheckTimeout);
    readAccess(s.access);
    readAudit(s.audit);
    readUsage(s.usage);
    r.number("MaxBatchItems", s.maxBatchItems);
    r.number("MaxPostImage", s.maxPostImage);
    r.number("MaxPostBytesPerUser", s.maxPostBytesPerUser);
    r.number("MaxPostBytes", s.maxPostBytes);
    r.number("MaxOutstandingPosts", s.maxOutstandingPosts);
    readTime(r, "PostAckTimeout", s.postAckTimeout);
    r.number("ConflateAbove", s.conflateAbove);
    r.number("ConflateBelow", s.conflateBelow);
    r.number("ConflateBytes", s.conflateBytes);
    if (const ConfigValue* const v = r.find("ConflateTypes")) s.conflateTypes = updateTypes(*v);
    r.number("ConflationBytes", s.conflationBytes);
    r.number("DisconnectAbove", s.disconnectAbove);
    // Defaults make room for what is written.
    if (r.find("ConflateAbove") == nullptr) s.conflateAbove = std::min(s.conflateAbove, s.disconnectAbove);
    if (r.find("ConflateBelow") == nullptr) s.conflateBelow = std::min(s.conflateBelow, s.conflateAbove);
    checkSlow(
        {.conflateAbove = s.conflateAbove, .conflateBelow = s.conflateBelow, .disconnectAbove = s.disconnectAbove},
        Section::hub, "");
    readTime(r, "SlowClientTimeout", s.slowClientTimeout);
    readTime(r, "ConflateAge", s.conflateAge);
    r.number("RefreshPartBytes", s.refreshPartBytes);
    r.number("StatusRate", s.statusRate);
    r.number("MaxServices", s.maxServices);
    r.number("MaxServicesPerSource", s.maxServicesPerSource);
    readTime(r, "DrainTimeout", s.drainTimeout);
}

/// What stands in the files is checked by those who use them (hub/access).
void Resolver::readPagesAccess(HubSettings& s) {
    const Reader r(c_, Section::hub, "");
    const auto file = [&](const char* parameter, std::string& path) {
        r.text(parameter, path);
        if (!path.empty()) checkFile(path, parameter, placeOf(Section::hub, "", parameter));
    };
    const std::size_t before = records_.size();
    file("HttpTokens", s.httpTokens);
    file("HttpCertificate", s.httpCertificate);
    file("HttpKey", s.httpKey);
    r.text("HttpCaptureFolder", s.httpCaptureFolder);
    if (!s.httpCaptureFolder.empty()) checkWritable(s.httpCaptureFolder, "HttpCaptureFolder");
    r.number("HttpCaptureBytes", s.httpCaptureBytes);
    if (s.httpCertificate.empty() != s.httpKey.empty())
        error("HttpCertificate and HttpKey go together: name both, or neither",
              placeOf(Section::hub, "", s.httpKey.empty() ? "HttpCertificate" : "HttpKey"));
    else if (!s.httpKey.empty() && records_.size() == before && tlsFiles_ == TlsFiles::read) {
        eta::transport::TlsOptions tls;
        tls.certificate = s.httpCertificate;
        tls.privateKey = s.httpKey;
        const eta::transport::CertificateCheck check = eta::transport::checkCertificate(tls);
        if (check.refused)
            error("HttpCertificate: " + check.refused.text, placeOf(Section::hub, "", "HttpCertificate"));
        else if (!check.warning.empty())
            warning("HttpCertificate: " + check.warning, placeOf(Section::hub, "", "HttpCertificate"));
    }
    r.text("OtlpUrl", s.otlp.url);
    if (const std::string& url = s.otlp.url; !url.empty()) {
        // The address may have a password in it, so it is not repeated.
        const std::size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
        const std::size_t path = url.find('/', scheme);
        if (scheme == 0 || path == std::string::npos || path + 1 == url.size())
            error("OtlpUrl: a URL begins with http:// or https://, and ends with the path of metrics, /v1/metrics",
                  placeOf(Section::hub, "", "OtlpUrl"));
        const std::string host = url.substr(scheme, url.find_first_of(":/", scheme) - scheme);
        if (scheme == 7 && host != "localhost" && !eta::isLoopback(host) && r.find("OtlpTokenFile") != nullptr)
            warning("OtlpTokenFile: OtlpUrl has no https, so the token travels in clear text",
                    placeOf(Section::hub, "", "OtlpTokenFile"));
    }
    readTime(r, "OtlpInterval", s.otlp.interval);
    file("OtlpTokenFile", s.otlp.tokenFile);
    file("OtlpCaFile", s.otlp.caFile);
    if (s.httpPort == 0 || eta::isLoopback(s.httpAddress)) return;
    if (s.httpTokens.empty())
        warning("HttpAddress [" + s.httpAddress +
                    "] is not of the loopback, and HttpTokens names no file: whoever reaches the pages may read them, "
                    "drain the hub and have it reload; other calls are refused",
                placeOf(Section::hub, "", "HttpAddress"));
    else if (s.httpCertificate.empty())
        warning("HttpAddress [" + s.httpAddress +
                    "] is not of the loopback, and HttpCertificate names no file: tokens travel in clear text",
                placeOf(Section::hub, "", "HttpAddress"));
}

void Resolver::readAccess(AccessSettings& s) {
    const Reader r(c_, Section::hub, "");
    using Kind = AccessSettings::LoginCheck;
    readEnum(r, "LoginCheck", s.loginCheck);
    const auto file = [&](const char* parameter, std::string& path) {
        r.text(parameter, path);
        if (!path.empty()) checkFile(path, parameter, placeOf(Section::hub, "", parameter));
    };
    readEnum(r, "JwtAlgorithm", s.jwtAlgorithm);
    readTime(r, "JwtGrace", s.jwtGrace);
    r.text("JwtAudience", s.jwtAudience);
    r.text("JwtUserClaim", s.jwtUserClaim);
    r.text("JwtGroupsClaim", s.jwtGroupsClaim);
    file("LoginFile", s.loginFile);
    file("Permission", s.permission);
    file("JwtKeyFile", s.jwtKeyFile);
    const auto goesWith = [&](Kind needed, const char* word, const char* parameter, const std::string& value) {
        if ((s.loginCheck == needed) == !value.empty()) return;
        if (value.empty())
            error(std::string("LoginCheck is ") + word + ", and " + parameter + " has no value",
                  placeOf(Section::hub, "", "LoginCheck"));
        else
            error(std::string(parameter) + " has no effect; write <LoginCheck value=\"" + word + "\"/>, or take it out",
                  placeOf(Section::hub, "", parameter));
    };
    goesWith(Kind::file, "file", "LoginFile", s.loginFile);
    goesWith(Kind::jwt, "jwt", "JwtKeyFile", s.jwtKeyFile);
    goesWith(Kind::jwt, "jwt", "JwtAudience", s.jwtAudience);
    readTime(r, "PermissionLifetime", s.permissionLifetime);
    readCommand(s);
}

/// Whether it can be started: else nobody could log in, and the hub would say so one login at a time.
void Resolver::readCommand(AccessSettings& s) {
    const std::string line = text(Section::hub, "", "LoginCommand");
    const std::string place = placeOf(Section::hub, "", "LoginCommand");
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r\n", at)) != std::string::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t\r\n", at), line.size());
        s.loginCommand.push_back(line.substr(at, end - at));
        at = end;
    }
    if (s.loginCommand.empty()) {
        if (s.loginCheck == AccessSettings::LoginCheck::command)
            error("LoginCheck is command, and LoginCommand has no value", placeOf(Section::hub, "", "LoginCheck"));
        return;
    }
    const std::string& program = s.loginCommand.front();
    if (s.loginCheck != AccessSettings::LoginCheck::command && s.permission.empty())
        return error("LoginCommand has no effect; write <LoginCheck value=\"command\"/>, or take it out", place);
    if (!program.starts_with('/'))
        return error("LoginCommand [" + program + "] is no path that begins with /: write where the program is", place);
    struct stat there {};
    if (::stat(program.c_str(), &there) == 0) {
        if (!S_ISREG(there.st_mode)) errno = EACCES;
        else if (access(program.c_str(), X_OK) == 0) return;
    }
    error("LoginCommand: [" + program + "] cannot be run: " + std::strerror(errno), place);
}

void Resolver::readAudit(AuditSettings& s) {
    const Reader r(c_, Section::hub, "");
    r.text("AuditFolder", s.folder);
    if (!s.folder.empty()) checkWritable(s.folder, "AuditFolder");
    r.number("AuditFileBytes", s.fileBytes);
    r.number("AuditFiles", s.files);
    readEnum(r, "AuditSync", s.sync);
    r.number("AuditQueueBytes", s.queueBytes);
}

void Resolver::readUsage(UsageSettings& s) {
    const Reader r(c_, Section::hub, "");
    r.text("UsageFolder", s.folder);
    if (!s.folder.empty()) checkWritable(s.folder, "UsageFolder");
    readTime(r, "UsageInterval", s.interval);
    r.number("UsageRows", s.rows);
}

void Resolver::checkWritable(const std::string& folder, const char* parameter, const std::string& place) {
    struct stat there {};
    if (::stat(folder.c_str(), &there) == 0) {
        if (!S_ISDIR(there.st_mode)) errno = ENOTDIR;
        else if (access(folder.c_str(), W_OK | X_OK) == 0) return;
    }
    error(std::string(parameter) + ": files cannot be made in [" + folder + "]: " + std::strerror(errno),
          place.empty() ? placeOf(Section::hub, "", parameter) : place);
}

void Resolver::checkSlow(const SlowLimits& limits, SectionMask section, const std::string& entry) {
    const std::uint64_t below = limits.conflateBelow, above = limits.conflateAbove, end = limits.disconnectAbove;
    if (below <= above && above <= end) return;
    const std::string where = entry.empty() ? "" : "Server [" + entry + "]: ";
    // The place of what is written; a port may have one of the two that do not go together.
    const char* const first = below > above ? "ConflateBelow" : "ConflateAbove";
    const char* const second = below > above ? "ConflateAbove" : "DisconnectAbove";
    error(where + "ConflateBelow [" + std::to_string(below) + "], ConflateAbove [" + std::to_string(above) +
              "] and DisconnectAbove [" + std::to_string(end) +
              "] do not rise in this order; give each a larger value than the one before",
          placeOf(section, entry, c_.value(section, entry, first) != nullptr ? first : second));
}

void Resolver::readLog(HubSettings& s) {
    s.log.target = logging::LogTarget::standardOutput;
    s.log.format = logging::LogFormat::line;
    s.log.instanceInLine = false;  // a hub is alone in its process
    s.log.fileName = "hubLog";
    s.log.includeDate = true;
    const std::string name = text(Section::hub, "", "Logger");
    if (name.empty()) return;
    if (!c_.has(Section::logger, name))
        return error("there is no Logger [" + name + "] in LoggerGroup", placeOf(Section::hub, "", "Logger"));
    show(Section::logger, name);
    s.log.name = name;
    s.log.target = logging::LogTarget::file;  // what the table says of an entry
    s.log.fileName = "emaLog";
    s.log.includeDate = false;
    parameters::readLogger(Reader(c_, Section::logger, name), s.log);
    if (s.log.target == logging::LogTarget::file) checkFolder(s.log.fileName, name);
}

/// The log is opened when the hub starts; the process id and the ending come behind the name.
void Resolver::checkFolder(const std::string& fileName, const std::string& logger) {
    const std::size_t slash = fileName.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : fileName.substr(0, slash);
    if (access(folder.c_str(), W_OK | X_OK) == 0) return;
    error("FileName of Logger [" + logger + "]: files cannot be made in [" + folder + "]: " + std::strerror(errno),
          placeOf(Section::logger, logger, "FileName"));
}

void Resolver::readDictionary(HubSettings& s) {
    const std::string name = text(Section::hub, "", "Dictionary");
    s.dictionary.fieldFile = "./RDMFieldDictionary";
    s.dictionary.enumFile = "./enumtype.def";
    if (name.empty()) return;
    const std::string place = placeOf(Section::hub, "", "Dictionary");
    if (!c_.has(Section::dictionary, name))
        return error("there is no Dictionary [" + name + "] in DictionaryGroup", place);
    show(Section::dictionary, name);
    const parameters::DictionarySettings d = parameters::readDictionary(c_, name, true);
    s.dictionary.fieldFile = d.fieldFile;
    s.dictionary.enumFile = d.enumFile;
    s.dictionary.fieldName = d.fieldItemName;
    s.dictionary.enumName = d.enumItemName;
    s.dictionary.configured = d.fromFile;
    if (!d.fromFile) return;
    // Only where files are wanted: a hub that has its sources' dictionary to wait for must not offer another one
    // meanwhile.
    const parameters::FoundDictionary found = parameters::findDictionary(d.fieldFile, d.enumFile);
    s.dictionary.fieldFile = found.fieldFile;
    s.dictionary.enumFile = found.enumFile;
    checkFile(found.fieldFile, "RdmFieldDictionaryFileName of Dictionary [" + name + "]", place);
    checkFile(found.enumFile, "EnumTypeDefFileName of Dictionary [" + name + "]", place);
}

void Resolver::readListeners(const char* parameter, const char* builtIn, const char* defaultPort,
                             std::vector<ListenerSettings>& out) {
    std::vector<std::string> all = splitList(text(Section::hub, "", parameter));
    if (all.empty()) all.emplace_back(builtIn);
    for (const std::string& name : all) {
        if (name != builtIn && !c_.has(Section::server, name)) {
            error(std::string("there is no Server [") + name + "] in ServerGroup, which " + parameter + " names",
                  placeOf(Section::hub, "", parameter));
            continue;
        }
        if (std::ranges::any_of(out, [&](const ListenerSettings& l) { return l.name == name; })) {
            error(std::string(parameter) + " names [" + name + "] twice", placeOf(Section::hub, "", parameter));
            continue;
        }
        out.push_back(listener(name, defaultPort));
    }
}

void Resolver::checkListeners(const HubSettings& s) {
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})
        for (const ListenerSettings& l : *listeners)
            if (l.slow.conflateAbove || l.slow.conflateBelow || l.slow.disconnectAbove)
                checkSlow(s.slowLimits(l.slow), Section::server, l.name);
    for (const ListenerSettings& l : s.publisherListeners)
        if (std::ranges::any_of(s.listeners, [&](const ListenerSettings& c) { return c.name == l.name; }))
            error("Listeners and NiListeners both name [" + l.name +
                      "]; name it in one of them, and write <AnyRole value=\"1\"/> in its Server entry for both roles",
                  placeOf(Section::hub, "", "NiListeners"));
}

void Resolver::checkUnused(const HubSettings& s) {
    for (const ConfigEntry& e : c_.file.entries(Section::server)) {
        const auto is = [&](const ListenerSettings& l) { return l.name == e.name; };
        if (std::ranges::any_of(s.listeners, is) || std::ranges::any_of(s.publisherListeners, is)) continue;
        warning("Server [" + e.name +
                    "] is not used: neither Listeners nor NiListeners names it; name it in one of "
                    "them, or take the entry out",
                e.place);
    }
}

void Resolver::checkPorts(const HubSettings& s) {
    struct Bound {
        std::string what, address, place;
        unsigned port;
    };
    std::vector<Bound> bound;
    const auto add = [&](Bound b) {
        for (const Bound& other : bound)
            if (b.port != 0 && b.port == other.port && overlap(b.address, other.address))
                error(b.what + " and " + other.what + " are both " + std::to_string(b.port) +
                          "; give each a port of its own",
                      b.place);
        bound.push_back(std::move(b));
    };
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})
        for (const ListenerSettings& l : *listeners)
            if (l.bind.connectionType != eta::transport::ConnectionType::sharedMemory)
                add({"Port of Server [" + l.name + "]", l.bind.interfaceName, placeOf(Section::server, l.name, "Port"),
                     portNumber(l.bind.port)});
    add({"HttpPort", s.httpAddress, placeOf(Section::hub, "", "HttpPort"), s.httpPort});
}

ListenerSettings Resolver::listener(const std::string& name, const char* defaultPort) {
    ListenerSettings s;
    s.name = name;
    s.bind.port = defaultPort;
    show(Section::server, name, defaultPort);
    const Reader r(c_, Section::server, name);
    const Reader hub(c_, Section::hub, "");
    std::int64_t type = 0;
    r.number("ServerType", type);
    parameters::readServer(r, static_cast<eta::transport::ConnectionType>(type), s.bind, s.limits);
    r.flag("AnyRole", s.anyRole);
    const auto own = [&r](const char* parameter, auto& mark) {
        if (const ConfigValue* const v = r.find(parameter)) mark.emplace(v->number);
    };
    own("ConflateAbove", s.slow.conflateAbove);
    own("ConflateBelow", s.slow.conflateBelow);
    own("ConflateBytes", s.slow.conflateBytes);
    if (const ConfigValue* const v = r.find("ConflateTypes")) s.slow.conflateTypes = updateTypes(*v);
    if (r.find("Conflation") != nullptr) readConflation(r, s.conflation.emplace());
    readLimit(r, s.limit);
    own("DisconnectAbove", s.slow.disconnectAbove);
    own("SlowClientTimeout", s.slow.slowClientTimeout);
    own("ConflateAge", s.slow.conflateAge);
    r.flag("JsonExpandedEnumFields", s.expandEnums);
    hub.text("DefaultService", s.defaultService);
    r.text("DefaultService", s.defaultService);
    readWeb(r, s);
    // The hub's bounds hold where the Server entry has none of its own.
    if (r.find("MaxConnections") == nullptr) {
        s.bind.maxConnections = HubSettings{}.maxConnections;
        hub.number("MaxConnections", s.bind.maxConnections);
    }
    if (r.find("MaxConnectionsPerAddress") == nullptr) {
        s.bind.maxConnectionsPerAddress = HubSettings{}.maxConnectionsPerAddress;
        hub.number("MaxConnectionsPerAddress", s.bind.maxConnectionsPerAddress);
    }
    checkPort(s.bind.port, "Port of Server [" + name + "]", placeOf(Section::server, name, "Port"));
    if (s.bind.connectionType == eta::transport::ConnectionType::encrypted) {
        const auto needed = [&](const char* parameter, const std::string& file) {
            const std::string what = std::string(parameter) + " of Server [" + name + "]";
            if (file.empty()) error(what + " is missing; RSSL_ENCRYPTED needs it", placeOf(Section::server, name, ""));
            else checkFile(file, what, placeOf(Section::server, name, parameter));
        };
        const std::size_t before = records_.size();
        needed("ServerCert", s.bind.tls.certificate);
        needed("ServerPrivateKey", s.bind.tls.privateKey);
        if (records_.size() == before && tlsFiles_ == TlsFiles::read) checkCertificate(s);
    } else if (!s.bind.tls.clientCa.empty())
        error("ClientCA of Server [" + name +
                  "]: only encrypted connections have certificates of clients; write <ServerType "
                  "value=\"RSSL_ENCRYPTED\"/>, or take ClientCA out",
              placeOf(Section::server, name, "ClientCA"));
    readEnum(r, "CertUser", s.certUser);
    s.publisherGroups = publisherGroups(Section::server, name);
    std::int64_t check = 0;
    hub.number("LoginCheck", check);
    const auto idle = [&](const char* parameter, bool wanted) {
        if (!s.bind.tls.clientCa.empty() || r.find(parameter) == nullptr) return;
        const std::string text = std::string(parameter) + " of Server [" + name +
                                 "] has no effect without ClientCA; name the authorities of the clients there, or take "
                                 "it out";
        if (wanted) error(text, placeOf(Section::server, name, parameter));
        else warning(text, placeOf(Section::server, name, parameter));
    };
    idle("ClientCrl", !s.bind.tls.clientCrl.empty());
    idle("RequireClientCert", !s.bind.tls.requireClientCert);
    idle("CertUser", s.certUser != CertUser::none);
    const char* const open = !s.bind.tls.requireClientCert              ? "RequireClientCert 0"
                             : !s.bind.webSocket.trustedProxies.empty() ? "TrustedProxies"
                                                                        : nullptr;
    if (s.certUser != CertUser::none && !s.bind.tls.clientCa.empty() && check == 0 && open != nullptr)
        error("CertUser of Server [" + name + "] beside " + open +
                  ": without LoginCheck clients that have no certificate of their own log in under any name; write "
                  "LoginCheck, or take " +
                  open + " out",
              placeOf(Section::server, name, "CertUser"));
    return s;
}

std::vector<std::string> Resolver::publisherGroups(SectionMask section, const std::string& entry) {
    std::vector<std::string> groups = splitList(text(section, entry, "PublisherGroups"));
    std::int64_t check = 0;
    Reader(c_, Section::hub, "").number("LoginCheck", check);
    if (!groups.empty() && check == 0)
        error("PublisherGroups of " + std::string(schema().title(section)) + " [" + entry +
                  "]: without LoginCheck users have no groups, and nobody could publish; write LoginCheck, or take it "
                  "out",
              placeOf(section, entry, "PublisherGroups"));
    return groups;
}

void Resolver::readWeb(const Reader& r, ListenerSettings& s) {
    eta::transport::WebSocketOptions& web = s.bind.webSocket;
    r.flag("WebSocket", web.served);
    if (!web.served && s.bind.connectionType == eta::transport::ConnectionType::webSocket)
        error("WebSocket of Server [" + s.name + "] is 0, and its ServerType is RSSL_WEBSOCKET; take one of them out",
              placeOf(Section::server, s.name, "WebSocket"));
    r.flag("Sse", web.events);
    const auto ofSse = placeOf(Section::server, s.name, "Sse");
    if (web.events && !web.served)
        error("Sse of Server [" + s.name + "] is 1, and its WebSocket is 0; take one of them out", ofSse);
    else if (web.events && web.protocols.find("json") == std::string::npos)
        error("Sse of Server [" + s.name +
                  "] is 1, and WsProtocols names no JSON protocol; add rssl.json.v2, or take Sse out",
              ofSse);
    web.origins.checked = true;
    r.flag("RequireOrigin", web.origins.required);
    r.flag("AllowPlainWeb", web.origins.plainWeb);
    web.origins.allowed = splitList(text(Section::server, s.name, "AllowedOrigins"));
    for (const std::string& one : web.origins.allowed)
        if (const eta::Refused refused = eta::transport::checkAllowedOrigin(one))
            error("AllowedOrigins of Server [" + s.name + "]: " + refused.text,
                  placeOf(Section::server, s.name, "AllowedOrigins"));
    std::int64_t pages = HubSettings{}.httpPort;
    Reader(c_, Section::hub, "").number("HttpPort", pages);
    web.origins.pagesPort = static_cast<std::uint16_t>(pages <= parameters::kUInt16Max ? pages : 0);
    web.origins.publicHosts = splitList(text(Section::server, s.name, "PublicHost"));
    for (const std::string& one : web.origins.publicHosts)
        if (eta::splitHost(one).host.empty())
            error("PublicHost of Server [" + s.name + "]: [" + one +
                      "] is no host; write for example prices.example.com or prices.example.com:8443",
                  placeOf(Section::server, s.name, "PublicHost"));
    for (const std::string& one : splitList(text(Section::server, s.name, "TrustedProxies"))) {
        if (const auto range = eta::parseAddressRange(one)) web.trustedProxies.push_back(*range);
        else
            error("TrustedProxies of Server [" + s.name + "]: [" + one +
                      "] is neither an address nor a range of them; write for example 10.0.0.7, 10.0.0.0/8 or fd00::/8",
                  placeOf(Section::server, s.name, "TrustedProxies"));
    }
    readCookieLogin(s);
    web.maxHeadBytes = kMostHeadBytes;
    web.maxHeadLines = kMostHeaders + 1;
    web.upgradeTimeout = kUpgradeTime;
    web.answersWhenFull = true;
    web.upgradesPerSecond = kUpgradesPerSecond;
    r.number("MaxHandshakesPerSecond", web.upgradesPerSecond);
    const auto own = [&r](const char* parameter, std::optional<std::uint32_t>& limit) {
        if (const ConfigValue* const v = r.find(parameter)) limit = static_cast<std::uint32_t>(v->number);
    };
    s.web.services = splitList(text(Section::server, s.name, "WebServices"));
    std::ranges::sort(s.web.services);
    const bool isName = s.defaultService.find_first_not_of("0123456789") != std::string::npos;
    if (isName && !s.web.services.empty() && !std::ranges::binary_search(s.web.services, s.defaultService))
        warning("WebServices of Server [" + s.name + "] does not name the DefaultService [" + s.defaultService +
                    "]: clients over WebSocket that name no service wait for it in vain",
                placeOf(Section::server, s.name, "WebServices"));
    r.flag("RequireView", s.web.requireView);
    r.flag("WebPosting", s.web.posting);
    own("WebRequestsPerSecond", s.web.requestsPerSecond);
    own("WebMountsPerClient", s.web.mountsPerClient);
    own("WebPostsPerSecond", s.web.postsPerSecond);
    r.number("WebJsonDepth", s.web.jsonDepth);
    r.number("WebJsonValues", s.web.jsonValues);
    web.origins.hosts = splitList(text(Section::hub, "", "HttpHosts"));
    if (std::string name = eta::machineName(); !name.empty()) web.origins.hosts.push_back(std::move(name));
}

// A cookie is sent by the browser itself, for whatever page asks: only the origin tells the own pages from others'.
void Resolver::readCookieLogin(ListenerSettings& s) {
    eta::transport::WebSocketOptions& web = s.bind.webSocket;
    web.loginCookies = splitList(text(Section::server, s.name, "CookieLogin"));
    if (web.loginCookies.empty()) return;
    const std::string what = "CookieLogin of Server [" + s.name + "]";
    const auto where = placeOf(Section::server, s.name, "CookieLogin");
    if (web.loginCookies.size() > kMostLoginCookies)
        error(what + " names " + std::to_string(web.loginCookies.size()) +
                  " cookies; there are at most three, of the token, the position and the application id",
              where);
    for (const std::string& one : web.loginCookies)
        if (!isCookieName(one))
            error(what + ": [" + one + "] is no name of a cookie; write for example AuthToken, position, applicationId",
                  where);
    for (const char* const open : {"*", "null"}) {
        if (std::ranges::find(web.origins.allowed, open) == web.origins.allowed.end()) continue;
        error(what + " needs AllowedOrigins that name the pages: with " + open +
                  " any page in the user's browser would be logged in",
              where);
    }
    if (s.bind.connectionType != eta::transport::ConnectionType::encrypted && web.trustedProxies.empty())
        error(what + " needs RSSL_ENCRYPTED, or TrustedProxies that end the TLS: cookies of a plain connection are not "
                     "looked at",
              where);
}

/// The texts begin with the parameter.
void Resolver::checkCertificate(const ListenerSettings& s) {
    const auto where = [&](const std::string& text) {
        return placeOf(Section::server, s.name, text.substr(0, text.find(' ')));
    };
    const eta::transport::CertificateCheck check = eta::transport::checkCertificate(s.bind.tls);
    if (check.refused) error("Server [" + s.name + "]: " + check.refused.text, where(check.refused.text));
    else if (!check.warning.empty()) warning("Server [" + s.name + "]: " + check.warning, where(check.warning));
}

void Resolver::warning(const std::string& text, const std::string& place) {
    records_.push_back({logging::LogSeverity::warning, place.empty() ? text : text + " (" + place + ")"});
}

void Resolver::error(const std::string& text, const std::string& place) {
    records_.push_back({logging::LogSeverity::error, place.empty() ? text : text + " (" + place + ")"});
}

void Resolver::checkFile(const std::string& path, const std::string& what, const std::string& place) {
    if (access(path.c_str(), R_OK) != 0)
        return error(what + ": cannot read [" + path + "]: " + std::strerror(errno), place);
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return;
    if (S_ISDIR(status.st_mode)) error(what + ": [" + path + "] is a directory", place);
    else if (S_ISREG(status.st_mode) && status.st_size == 0) error(what + ": [" + path + "] is empty", place);
}

void Resolver::checkPort(const std::string& port, const std::string& what, const std::string& place) {
    unsigned n = 0;
    const auto [end, ec] = std::from_chars(port.data(), port.data() + port.size(), n);
    const bool number = ec == std::errc() && end == port.data() + port.size() && n <= 65535;
    if (!number && getservbyname(port.c_str(), "tcp") == nullptr)
        error(what + " [" + port + "] is neither a port number (0 to 65535) nor a service of this machine", place);
}

void Resolver::show(SectionMask section, const std::string& entry, const char* defaultPort) {
    if (!shown_.insert({section, entry}).second) return;
    for (const Parameter& p : schema().parameters) {
        const std::string_view name = p.name;
        if ((p.sections & section) == 0 || (name == "Name" && section != Section::hub)) continue;
        const ConfigValue* const v = c_.value(section, entry, name);
        std::string value = v != nullptr ? parameters::shownValue(p, v->number, v->text) : p.defaultText;
        if (v == nullptr && name == "Port" && *defaultPort != '\0') value = defaultPort;
        if (v == nullptr && name == "Name") value = hostName();
        values_.push_back(
            {schema().title(section), entry, p.name, std::move(value), v == nullptr ? "default" : v->place});
    }
}

std::string Resolver::placeOf(SectionMask section, std::string_view entry, std::string_view parameter) const {
    if (const ConfigValue* const v = c_.value(section, entry, parameter)) return v->place;
    const ConfigEntry* const e = c_.entry(section, entry);
    return e == nullptr ? "" : e->place;
}

std::string Resolver::text(SectionMask section, std::string_view entry, std::string_view parameter) const {
    const ConfigValue* const v = c_.value(section, entry, parameter);
    return v == nullptr ? "" : v->text;
}

}  // namespace emissary::hub

// The hub's place in a mesh of hubs: servers, what it gives and takes, who it is to the servers.
#include "hub/config/Resolver.h"

#include "hub/config/ByName.h"
#include "hub/config/readers.h"
#include "hub/config/schema.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <unordered_set>

namespace emissary::hub {

using parameters::Reader;
using parameters::splitList;

namespace {

/// NATS makes subjects of it.
[[nodiscard]] bool isSubjectPart(const std::string& name) noexcept {
    return !name.empty() && name.find_first_of(" .*>\t") == std::string::npos;
}

}  // namespace

/// Of the file that the parameter names.
std::string Resolver::firstLine(const char* parameter) {
    const std::string file = text(Section::mesh, "", parameter);
    std::string line;
    if (file.empty()) return line;
    std::ifstream in(file);
    if (!std::getline(in, line) || line.empty())
        error(std::string("Mesh: the first line of ") + parameter + " [" + file + "] cannot be read, or is empty",
              placeOf(Section::mesh, "", parameter));
    return line;
}

void Resolver::readMesh(HubSettings& hub) {
    MeshSettings& s = hub.mesh;
    const Reader r(c_, Section::mesh, "");
    show(Section::mesh, "");
    s.servers = splitList(text(Section::mesh, "", "Servers"));
    s.serversB = splitList(text(Section::mesh, "", "ServersB"));
    r.text("Mesh", s.mesh);
    r.text("NodeName", s.nodeName);
    if (s.nodeName.empty()) s.nodeName = hub.name;
    s.exports = splitList(text(Section::mesh, "", "Export"));
    s.imports = splitList(text(Section::mesh, "", "Import"));
    r.number("Rank", s.rank);
    r.flag("PreferRank", s.preferRank);
    r.text("EpochFile", s.epochFile);
    readTime(r, "HeartbeatMs", s.heartbeat);
    readTime(r, "GapGrace", s.gapGrace);
    r.number("WideAt", s.wideAt);
    r.number("WideLanes", s.wideLanes);
    r.number("BatchBytes", s.batchBytes);
    readTime(r, "BatchMicros", s.batchTime);
    r.number("RequestRate", s.requestRate);
    r.number("MaxItems", s.maxItems);
    r.number("MaxPosts", s.maxPosts);
    r.flag("Tls", s.tls);
    r.text("CaFile", s.caFile);
    r.text("CertificateFile", s.certificateFile);
    r.text("KeyFile", s.keyFile);
    r.text("ExpectedHost", s.expectedHost);
    const auto place = [&](const char* parameter) { return placeOf(Section::mesh, "", parameter); };
    if (!s.serversB.empty() && !s.on())
        error("Mesh: ServersB is for a second cluster, and Servers names none; write the first one there",
              place("ServersB"));
    for (const std::string& server : s.serversB)
        if (std::ranges::find(s.servers, server) != s.servers.end())
            error("Mesh: ServersB names [" + server +
                      "], and Servers too; name servers of a second cluster, that do not know those of the first",
                  place("ServersB"));
    for (const ServiceSettings& service : hub.services)
        if (service.exported.hasInterval() && std::ranges::find(s.exports, service.name) == s.exports.end())
            warning("ExportConflation of Service [" + service.name +
                        "] has no effect, since Export of Mesh does not name the service",
                    placeOf(Section::service, service.name, "ExportConflation"));
    if (!s.on()) {
        if (!s.exports.empty() || !s.imports.empty())
            error("Mesh: Export and Import have no effect without Servers; write for example <Servers "
                  "value=\"nats://127.0.0.1:4222\"/>",
                  place(s.exports.empty() ? "Import" : "Export"));
        return;
    }
    if (!isSubjectPart(s.mesh))
        error("Mesh: the name [" + s.mesh + "] is empty, or has a space or one of . * >", place("Mesh"));
    if (s.nodeName.size() > 255)
        error("Mesh: NodeName has " + std::to_string(s.nodeName.size()) + " bytes; write at most 255",
              place("NodeName"));
    if (s.epochFile.empty()) {
        std::string name = s.nodeName;
        std::ranges::replace(name, '/', '_');
        s.epochFile = "emissary-" + name + ".epoch";
    }
    if (s.exports.empty() && s.imports.empty())
        warning("Mesh: neither Export nor Import names a service, so nothing is shared", place("Servers"));
    const ByName services(hub.services);
    for (const auto* const names : {&s.exports, &s.imports}) {
        std::unordered_set<std::string_view> named;
        for (const std::string& name : *names) {
            if (name.size() > 255)
                error("Mesh: a name of a service has " + std::to_string(name.size()) + " bytes, at most 255 are taken",
                      place(names == &s.exports ? "Export" : "Import"));
            if (!named.insert(name).second)
                error("Mesh: service [" + name + "] is named twice", place(names == &s.exports ? "Export" : "Import"));
            if (names == &s.imports && services.findOr(name, hub.serviceDefaults).fixed)
                error("Mesh: Import names service [" + name +
                          "], which is Static and has its items from publishers of this hub; take it out of one of the "
                          "two",
                      place("Import"));
        }
    }
    const auto file = [&](const char* parameter, const std::string& path) {
        if (!path.empty()) checkFile(path, std::string("Mesh: ") + parameter, place(parameter));
    };
    file("CaFile", s.caFile);
    file("CertificateFile", s.certificateFile);
    file("KeyFile", s.keyFile);
    const auto together = [&](const char* a, const std::string& x, const char* b, const std::string& y) {
        if (x.empty() != y.empty())
            error(std::string("Mesh: ") + a + " and " + b + " go together; " + (x.empty() ? a : b) + " has no value",
                  place(x.empty() ? b : a));
    };
    const auto login = [&](MeshLogin& to, const char* credentials, const char* nkey, const char* seed,
                           const char* token, const char* user, const char* password) {
        r.text(credentials, to.credentialsFile);
        r.text(nkey, to.nkey);
        r.text(seed, to.nkeySeedFile);
        r.text(user, to.user);
        file(credentials, to.credentialsFile);
        file(seed, to.nkeySeedFile);
        to.token = firstLine(token);
        to.password = firstLine(password);
        together(nkey, to.nkey, seed, to.nkeySeedFile);
        together(user, to.user, password, to.password);
    };
    login(s.login, "CredentialsFile", "NKey", "NKeySeedFile", "TokenFile", "UserName", "PasswordFile");
    login(s.loginB, "CredentialsFileB", "NKeyB", "NKeySeedFileB", "TokenFileB", "UserNameB", "PasswordFileB");
    if (s.loginB.given() && s.serversB.empty()) {
        const char* said = "UserNameB";
        for (const char* const one : {"CredentialsFileB", "NKeyB", "TokenFileB"})
            if (r.find(one) != nullptr) said = one;
        error("Mesh: who the hub is at ServersB is said, and ServersB names none; write the servers of the second "
              "cluster there",
              place(said));
    }
    together("CertificateFile", s.certificateFile, "KeyFile", s.keyFile);
}

}  // namespace emissary::hub

// The Mesh part of HubConfig.xml.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using std::chrono::milliseconds;

namespace {

HubConfig withMesh(const std::string& parameters, const std::string& more = {}) {
    return read("<Hub><Name value=\"hub-a\"/></Hub>\n<Mesh>\n" + parameters + "</Mesh>" + more);
}

constexpr const char* kServers = R"(<Servers value="nats://127.0.0.1:4222, tls://b"/>)";

}  // namespace

TEST_CASE("a hub is in no mesh until servers are named", "[hub][config][mesh]") {
    const Folder folder;
    CHECK_FALSE(read("").settings.mesh.on());
    const HubConfig c = withMesh(std::string(kServers) +
                                 R"(<Export value="A,B"/><Import value="C"/><Rank value="7"/><PreferRank value="1"/>)" +
                                 R"(<HeartbeatMs value="250"/><MaxPosts value="12"/><MaxItems value="34"/>)");
    INFO(errorsOf(c));
    REQUIRE(c.usable());
    const MeshSettings& s = c.settings.mesh;
    CHECK(s.on());
    CHECK(s.servers == std::vector<std::string>{"nats://127.0.0.1:4222", "tls://b"});
    CHECK(s.serversB.empty());
    CHECK(withMesh(std::string(kServers) + R"(<ServersB value="nats://c,d"/><Import value="C"/>)")
              .settings.mesh.serversB == std::vector<std::string>{"nats://c", "d"});
    CHECK(s.mesh == "default");
    CHECK(s.nodeName == "hub-a");
    CHECK(s.epochFile == "emissary-hub-a.epoch");
    CHECK(s.exports == std::vector<std::string>{"A", "B"});
    CHECK(s.imports == std::vector<std::string>{"C"});
    CHECK(s.rank == 7);
    CHECK(s.preferRank);
    CHECK_FALSE(withMesh(std::string(kServers) + R"(<Import value="C"/>)").settings.mesh.preferRank);
    CHECK(s.maxPosts == 12);
    CHECK(s.maxItems == 34);
    CHECK(s.heartbeat == milliseconds(250));
    CHECK(s.shares("B"));
    CHECK(s.shares("C"));
    CHECK_FALSE(s.shares("D"));
}

TEST_CASE("what makes no sense in a mesh is refused with its place", "[hub][config][mesh]") {
    const Folder folder;
    const std::string servers = kServers;
    refused(withMesh("<Import value=\"C\"/>"), {"Import", "without Servers", "hub.xml:4"});
    refused(withMesh(servers + "\n<Mesh value=\"a.b\"/><Import value=\"C\"/>"), {"[a.b]", "hub.xml:5"});
    refused(withMesh(servers + "\n<ServersB value=\"c, tls://b\"/><Import value=\"C\"/>"),
            {"ServersB", "[tls://b]", "second cluster", "hub.xml:5"});
    refused(withMesh("<ServersB value=\"c\"/>"), {"ServersB", "Servers names none", "hub.xml:4"});
    refused(withMesh(servers + "\n<Import value=\"C,C\"/>"), {"[C]", "twice", "hub.xml:5"});
    refused(withMesh(servers + "\n<Import value=\"C\"/><CaFile value=\"none.pem\"/>"),
            {"CaFile", "none.pem", "hub.xml:5"});
    refused(withMesh(servers + "\n<Import value=\"C\"/><TokenFile value=\"none.txt\"/>"),
            {"TokenFile", "none.txt", "hub.xml:5"});
    refused(withMesh(servers + "\n<Import value=\"C\"/><UserName value=\"me\"/>"),
            {"UserName and PasswordFile", "PasswordFile has no value", "hub.xml:5"});
    refused(withMesh(servers + "\n<Import value=\"C\"/><NKey value=\"UABC\"/>"),
            {"NKeySeedFile has no value", "hub.xml:5"});
    Folder::write("password", "secret\nmore\n");
    const HubConfig c =
        withMesh(servers + R"(<Import value="C"/><UserName value="me"/><PasswordFile value="password"/>)");
    REQUIRE(c.usable());
    CHECK(c.settings.mesh.login.password == "secret");
    CHECK_FALSE(c.settings.mesh.loginB.given());
    CHECK(c.text().find("secret") == std::string::npos);
    // The second cluster may know the hub by another name.
    Folder::write("passwordB", "other\n");
    const std::string atB = R"(<Import value="C"/><UserNameB value="you"/><PasswordFileB value="passwordB"/>)";
    const HubConfig b = withMesh(servers + R"(<ServersB value="nats://c"/>)" + atB);
    INFO(errorsOf(b));
    REQUIRE(b.usable());
    CHECK(b.settings.mesh.loginB.given());
    CHECK(b.settings.mesh.loginB.user == "you");
    CHECK(b.settings.mesh.loginB.password == "other");
    CHECK_FALSE(b.settings.mesh.login.given());
    CHECK(b.text().find("other") == std::string::npos);
    refused(withMesh(servers + "\n" + atB), {"who the hub is at ServersB", "ServersB names none", "hub.xml:5"});
    refused(withMesh(servers + "\n<ServersB value=\"c\"/><Import value=\"C\"/><UserNameB value=\"me\"/>"),
            {"UserNameB and PasswordFileB", "PasswordFileB has no value", "hub.xml:5"});
    refused(withMesh(servers + "\n<ServersB value=\"c\"/><Import value=\"C\"/><NKeyB value=\"UABC\"/>"),
            {"NKeySeedFileB has no value", "hub.xml:5"});
    refused(withMesh(servers + "\n<ServersB value=\"c\"/><Import value=\"C\"/><TokenFileB value=\"none.txt\"/>"),
            {"TokenFileB", "none.txt", "hub.xml:5"});
}

// Certificates, keys and groups of ports and channels: what is read, and what is refused with its place.
#include "fixture.h"

#include "support/paths.h"

using namespace emissary;
using namespace emissary::hub;
using namespace emissary::test;

namespace {

/// An encrypted port for consumers with these files of certificates/.
HubConfig encrypted(const std::string& certificate, const std::string& key, TlsFiles files = TlsFiles::read,
                    const std::string& more = {}) {
    Folder::write("tls.xml", "<HubConfig>\n<ServerGroup><ServerList><Server><Name value=\"consumers\"/>\n<ServerType "
                             "value=\"RSSL_ENCRYPTED\"/>\n<ServerCert value=\"certificates/" +
                                 certificate + "\"/>\n<ServerPrivateKey value=\"certificates/" + key + "\"/>\n" + more +
                                 "</Server></ServerList></ServerGroup></HubConfig>\n");
    return readHubConfig("tls.xml", {}, files);
}

}  // namespace

TEST_CASE("certificates and keys of encrypted ports are read as a listener reads them", "[hub][config]") {
    const Folder folder;
    REQUIRE(std::system((test::sourcePath("/dev/make_test_certificates.sh") + " certificates").c_str()) == 0);
    SECTION("they fit") {
        const HubConfig c = encrypted("server.pem", "server-key.pem");
        CHECK(errorsOf(c).empty());
        CHECK(warningsOf(c).empty());
    }
    SECTION("the key is another one") {
        refused(encrypted("server.pem", "ec-key.pem"),
                {"Server [consumers]: ServerPrivateKey \"certificates/ec-key.pem\"", "the key of ServerCert",
                 "certificates/server.pem", "name the PEM file of the key", "(tls.xml:5)"});
        CHECK(encrypted("server.pem", "ec-key.pem", TlsFiles::left).usable());
    }
    SECTION("no certificate") {
        Folder::write("certificates/words.pem", "this is no certificate\n");
        refused(encrypted("words.pem", "server-key.pem"),
                {"Server [consumers]: ServerCert \"certificates/words.pem\"", "name a PEM file", "(tls.xml:4)"});
    }
    SECTION("no key") {
        Folder::write("certificates/words.pem", "this is no key\n");
        refused(encrypted("server.pem", "words.pem"), {"ServerPrivateKey \"certificates/words.pem\"", "(tls.xml:5)"});
    }
    SECTION("certificates of clients: authorities, lists, and the part that is the user") {
        const auto with = [](const std::string& more) {
            return encrypted("server.pem", "server-key.pem", TlsFiles::read, more);
        };
        const HubConfig open = with("<ClientCA value=\"certificates/ca.pem\"/>\n<CertUser value=\"SAN\"/>"
                                    "<RequireClientCert value=\"0\"/>\n");
        refused(open, {"CertUser of Server [consumers] beside RequireClientCert 0: without LoginCheck",
                       "write LoginCheck, or take RequireClientCert 0 out", "(tls.xml:7)"});
        refused(with("<ClientCA value=\"certificates/ca.pem\"/>\n<CertUser value=\"CN\"/>"
                     "<TrustedProxies value=\"10.0.0.1\"/>\n"),
                {"CertUser of Server [consumers] beside TrustedProxies: without LoginCheck", "(tls.xml:7)"});
        CHECK(with("<ClientCA value=\"certificates/ca.pem\"/><RequireClientCert value=\"0\"/>\n").usable());
        CHECK(with("<ClientCA value=\"certificates/ca.pem\"/><CertUser value=\"SAN\"/>\n").usable());
        const ListenerSettings l = open.settings.listeners.at(0);
        CHECK(l.bind.tls.clientCa == "certificates/ca.pem");
        CHECK_FALSE(l.bind.tls.requireClientCert);
        CHECK(l.certUser == CertUser::san);
        CHECK(with("<ClientCA value=\"certificates/ca.pem\"/>").settings.listeners.at(0).bind.tls.requireClientCert);
        CHECK(with("").settings.listeners.at(0).certUser == CertUser::none);
        refused(with("<ClientCA value=\"none.pem\"/>\n"),
                {"Server [consumers]: ClientCA \"none.pem\": No such file", "(tls.xml:6)"});
        Folder::write("words.pem", "no certificate\n");
        refused(with("<ClientCA value=\"words.pem\"/>\n"),
                {"ClientCA \"words.pem\"", "name a PEM file", "(tls.xml:6)"});
        refused(with("<ClientCA value=\"certificates/ca.pem\"/>\n<ClientCrl value=\"words.pem\"/>\n"),
                {"ClientCrl \"words.pem\"", "name a PEM file of lists", "(tls.xml:7)"});
        refused(with("<ClientCA value=\"certificates/ca.pem\"/>\n<CertUser value=\"OU\"/>"),
                {"CertUser", "(tls.xml:7)"});
        for (const char* const idle : {"ClientCrl", "RequireClientCert", "CertUser"}) {
            const std::string value = idle[0] == 'R' ? "0" : idle[1] == 'l' ? "certificates/ca.pem" : "CN";
            const std::string says = std::string(idle) + " of Server [consumers] has no effect without ClientCA";
            refused(with("<" + std::string(idle) + " value=\"" + value + "\"/>\n"), {says.c_str(), "(tls.xml:6)"});
        }
        const HubConfig required = with("<RequireClientCert value=\"1\"/>\n");
        CHECK(required.usable());
        CHECK(warningsOf(required).find("RequireClientCert of Server [consumers] has no effect") != std::string::npos);
        refused(read("<ServerGroup><ServerList><Server><Name value=\"consumers\"/>\n<ClientCA "
                     "value=\"certificates/ca.pem\"/></Server></ServerList></ServerGroup>"),
                {"ClientCA of Server [consumers]: only encrypted connections", "RSSL_ENCRYPTED", "hub.xml:3"});
    }
    SECTION("a source's channel with a certificate of the hub's own") {
        const auto with = [](const std::string& certificate, const std::string& key) {
            return read(
                "<SourceGroup><SourceList><Source><Name value=\"S\"/><Channel value=\"C\"/></Source></SourceList>"
                "</SourceGroup><ChannelGroup><ChannelList><Channel><Name value=\"C\"/><ChannelType "
                "value=\"RSSL_ENCRYPTED\"/><OpenSSLCAStore value=\"certificates/ca.pem\"/>\n<ClientCert value=\"" +
                certificate + "\"/><ClientKey value=\"" + key + "\"/></Channel></ChannelList></ChannelGroup>");
        };
        const HubConfig c = with("certificates/ec.pem", "certificates/ec-key.pem");
        INFO(errorsOf(c));
        REQUIRE(c.usable());
        CHECK(c.settings.sources.at(0).channels.at(0).tls.certificate == "certificates/ec.pem");
        CHECK(c.settings.sources.at(0).channels.at(0).tls.privateKey == "certificates/ec-key.pem");
        refused(with("certificates/ec.pem", "certificates/server-key.pem"),
                {"Channel [C]", "ClientKey \"certificates/server-key.pem\"", "hub.xml:3"});
        refused(with("certificates/ec.pem", ""), {"ClientCert without ClientKey", "hub.xml:3"});
    }
    SECTION("groups that may publish, where nobody has groups") {
        const std::string server = "<ServerGroup><ServerList><Server><Name value=\"publishers\"/>\n<PublisherGroups "
                                   "value=\"feeds, desk\"/></Server></ServerList></ServerGroup>";
        refused(read(server), {"PublisherGroups of Server [publishers]: without LoginCheck", "hub.xml:3"});
        Folder::write("users", "pub::feeds:");
        const HubConfig c = read("<Hub><LoginCheck value=\"file\"/><LoginFile value=\"users\"/></Hub>" + server);
        INFO(errorsOf(c));
        REQUIRE(c.usable());
        CHECK(c.settings.publisherListeners.at(0).publisherGroups == std::vector<std::string>{"feeds", "desk"});
        const std::string service = "<ServiceGroup><ServiceList><Service><Name value=\"NEWS\"/>\n<PublisherGroups "
                                    "value=\"desk\"/></Service></ServiceList></ServiceGroup>";
        refused(read(service), {"PublisherGroups of Service [NEWS]: without LoginCheck", "hub.xml:3"});
        const HubConfig d = read("<Hub><LoginCheck value=\"file\"/><LoginFile value=\"users\"/></Hub>" + service);
        INFO(errorsOf(d));
        REQUIRE(d.usable());
        CHECK(d.settings.service("NEWS").publisherGroups == std::vector<std::string>{"desk"});
        CHECK(d.settings.service("OTHER").publisherGroups.empty());
    }
    SECTION("a certificate that has expired can be used, and is warned of with its date") {
        const HubConfig c = encrypted("bad/out-of-date.pem", "ec-key.pem");
        CHECK(c.usable());
        CHECK_THAT(warningsOf(c), Catch::Contains("Server [consumers]: ServerCert \"certificates/bad/out-of-date.pem\" "
                                                  "expired on 20") &&
                                      Catch::Contains(" UTC") && Catch::Contains("(tls.xml:4)"));
    }
}

TEST_CASE("a certificate that expires within two weeks is warned of", "[hub][config]") {
    const Folder folder;
    REQUIRE(std::system((test::sourcePath("/dev/make_test_certificates.sh") + " certificates").c_str()) == 0);
    const HubConfig c = encrypted("bad/soon-out-of-date.pem", "ec-key.pem");
    CHECK(c.usable());
    CHECK_THAT(warningsOf(c),
               Catch::Contains("soon-out-of-date.pem\" expires on 20") && Catch::Contains("renew it before"));
}

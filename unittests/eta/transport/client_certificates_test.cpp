// Certificates of clients: which are let in, which are refused and why, and what the server learns from them.
#include "eta/transport/certificates.h"
#include "rows.h"
#include "support/Authority.h"
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>

#include <openssl/ssl.h>

using namespace transport_test;
using emissary::test::Authority;
using emissary::test::Identity;
using emissary::test::Owner;

namespace {

/// A server that asks for certificates, and its authority.
struct Asking {
    std::string folder = (std::filesystem::temp_directory_path() / "emissary-clients-XXXXXX").string();
    std::unique_ptr<Authority> authority;
    BindOptions bind = bindOptions();

    Asking() {
        REQUIRE(::mkdtemp(folder.data()) != nullptr);
        authority = std::make_unique<Authority>(folder, "desk");
        bind.connectionType = ConnectionType::encrypted;
        bind.tls.certificate = certificates() + "/ec.pem";
        bind.tls.privateKey = certificates() + "/ec-key.pem";
        bind.tls.clientCa = authority->file();
    }
    ~Asking() { std::filesystem::remove_all(folder); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    [[nodiscard]] static ConnectOptions client(const Identity& identity = {},
                                               ConnectionType inside = ConnectionType::socket) {
        ConnectOptions o = connectOptions(0);
        o.connectionType = ConnectionType::encrypted;
        o.encryptedProtocol = inside;
        o.webSocket.protocols = "rssl.json.v2";
        o.tls.caStore = certificates() + "/ca.pem";
        o.tls.certificate = identity.certificate;
        o.tls.privateKey = identity.key;
        return o;
    }
};

struct Met {
    bool up = false;                                     ///< both sides
    std::string server, client;                          ///< reasons
    std::shared_ptr<const PeerCertificate> certificate;  ///< as the server has it
    bool resumed = false;
};

Met meet(Server& server, ConnectOptions connect) {
    connect.port = std::to_string(server.port());
    auto client = open(connect);
    std::unique_ptr<Channel> accepted;
    InitStatus here = InitStatus::inProgress, there = InitStatus::inProgress;
    Met met;
    const auto over = [](InitStatus s) { return s == InitStatus::active || s == InitStatus::failed; };
    for (int turn = 0; turn < 5000 && !(over(here) && over(there)); ++turn) {
        if (!over(here)) here = client->init(at(0));
        if (accepted == nullptr) accepted = server.accept(at(0));
        if (accepted != nullptr && !over(there)) {
            there = accepted->init(at(0));
            if (there == InitStatus::failed) {
                met.server = accepted->errorText();
                accepted->close();
            }
        }
        if (!over(here)) static_cast<void>(readable(client->fd(), 1));
    }
    met.client = client->errorText();
    met.up = here == InitStatus::active && there == InitStatus::active;
    if (there == InitStatus::active) met.certificate = accepted->info().certificate;
    if (here == InitStatus::active) met.resumed = client->info().tlsResumed;
    return met;
}

}  // namespace

TEST_CASE("a server takes clients with a certificate of its authorities, and knows what it says",
          "[transport][tls][websocket]") {
    Asking a;
    Owner owner;
    owner.alternatives =
        "email:dana@desk.test,DNS:ws7.desk.test,URI:spiffe://desk/dana,otherName:msUPN;UTF8:dana@ad.test";
    const Identity dana = a.authority->issue("dana", owner);
    a.bind.tls.versions = GENERATE(kTls12, kTls13);
    a.bind.webSocket.protocols = "rssl.json.v2";
    const ConnectionType inside = GENERATE(ConnectionType::socket, ConnectionType::webSocket);
    auto server = listen(a.bind);
    const Met met = meet(*server, Asking::client(dana, inside));
    INFO(met.client << " / " << met.server);
    REQUIRE(met.up);
    REQUIRE(met.certificate != nullptr);
    CHECK(met.certificate->subject == "CN=dana");
    CHECK(met.certificate->commonName == "dana");
    CHECK(met.certificate->names == std::vector<std::string>{"dana@desk.test", "dana@ad.test", "spiffe://desk/dana"});
    // A session that is taken up again would keep a certificate that nobody checks any more.
    CHECK_FALSE(meet(*server, Asking::client(dana, inside)).resumed);
    CHECK_FALSE(meet(*server, Asking::client(dana, inside)).resumed);
    CHECK(server->counters().certificatesMissing == 0);
    CHECK(server->counters().handshakeFailures == 0);
}

TEST_CASE("a server refuses certificates of clients at the handshake, and says why", "[transport][tls][websocket]") {
    Asking a;
    Authority stranger(a.folder, "stranger");
    struct Row {
        const char* what;
        Identity identity;
        std::string reason;
        std::uint64_t (*count)(const ServerCounters&);
    };
    const Owner expired{.from = -7200, .until = -3600}, early{.from = 3600, .until = 7200},
        serving{.purpose = "serverAuth"}, any{.purpose = ""};
    const Identity revoked = a.authority->issue("revoked");
    a.bind.tls.clientCrl = a.authority->revoked({revoked});
    const Row rows[] = {{"none",
                         {},
                         "the client has sent no certificate, and RequireClientCert asks for one",
                         [](const ServerCounters& c) { return c.certificatesMissing.get(); }},
                        {"of another authority", stranger.issue("other"), "unable to get local issuer certificate",
                         [](const ServerCounters& c) { return c.certificatesUntrusted.get(); }},
                        {"expired", a.authority->issue("expired", expired), "certificate has expired",
                         [](const ServerCounters& c) { return c.certificatesExpired.get(); }},
                        {"not valid yet", a.authority->issue("early", early), "certificate is not yet valid",
                         [](const ServerCounters& c) { return c.certificatesNotYetValid.get(); }},
                        {"of a server", a.authority->issue("serving", serving), "unsuitable certificate purpose",
                         [](const ServerCounters& c) { return c.certificatesWrongPurpose.get(); }},
                        {"revoked", revoked, "certificate revoked",
                         [](const ServerCounters& c) { return c.certificatesRevoked.get(); }}};
    a.bind.tls.versions = GENERATE(kTls12, kTls13);
    const ConnectionType inside = GENERATE(ConnectionType::socket, ConnectionType::webSocket);
    auto server = listen(a.bind);
    std::uint64_t failures = 0;
    for (const Row& row : rows) {
        INFO(row.what);
        const Met met = meet(*server, Asking::client(row.identity, inside));
        CHECK_FALSE(met.up);
        CHECK_THAT(met.server, Catch::Contains(row.reason) && Catch::Contains("127.0.0.1:"));
        if (!row.identity.certificate.empty())
            CHECK_THAT(met.server, Catch::Contains("checked against ClientCA \"" + a.authority->file()));
        const ServerCounters counted = server->counters();
        CHECK(row.count(counted) == 1);
        CHECK(counted.handshakeFailures >= ++failures);
    }
    CHECK(server->counters().certificatesBad == 0);
    // One that only has the name of the authority is another one.
    std::filesystem::create_directory(a.folder + "/impostor");
    Authority impostor(a.folder + "/impostor", "desk");
    static_cast<void>(impostor.issue("first"));  // its number is that of the one that was revoked
    CHECK_FALSE(meet(*server, Asking::client(impostor.issue("dana"), inside)).up);
    CHECK(server->counters().certificatesUntrusted == 2);
    CHECK(meet(*server, Asking::client(a.authority->issue("any", any), inside)).up);
    // RequireClientCert 0: without one it is let in, with a bad one it is not.
    a.bind.tls.requireClientCert = false;
    server = listen(a.bind);
    const Met none = meet(*server, Asking::client({}, inside));
    CHECK(none.up);
    CHECK(none.certificate == nullptr);
    CHECK_FALSE(meet(*server, Asking::client(rows[2].identity, inside)).up);
    CHECK(server->counters().certificatesExpired >= 1);
}

TEST_CASE("an authority in between that was revoked vouches for nobody, and each needs its list",
          "[transport][tls][websocket]") {
    Asking a;
    Authority& root = *a.authority;
    Authority sub(a.folder, "sub", root);
    const Identity dana = sub.issue("dana"), gone = sub.issue("gone");
    a.bind.tls.versions = GENERATE(kTls12, kTls13);
    const ConnectionType inside = GENERATE(ConnectionType::socket, ConnectionType::webSocket);
    const auto lists = [&](const std::vector<std::string>& files) {
        const std::string all = a.folder + "/lists.pem";
        std::ofstream to(all, std::ios::trunc);
        for (const std::string& file : files)
            to << std::ifstream(file).rdbuf();
        return all;
    };
    const auto met = [&](const Identity& identity) { return meet(*listen(a.bind), Asking::client(identity, inside)); };
    CHECK(met(dana).up);  // without lists
    a.bind.tls.clientCrl = lists({root.revoked({}), sub.revoked({gone})});
    CHECK(met(dana).up);
    CHECK_THAT(met(gone).server, Catch::Contains("certificate revoked"));

    a.bind.tls.clientCrl = lists({root.revoked({sub.itself()}), sub.revoked({gone})});
    const auto server = listen(a.bind);
    const Met bySub = meet(*server, Asking::client(dana, inside));
    CHECK_FALSE(bySub.up);
    CHECK_THAT(bySub.server, Catch::Contains("certificate revoked"));
    CHECK(server->counters().certificatesRevoked == 1);

    // Which list is missing, or has run out.
    a.bind.tls.clientCrl = lists({root.revoked({})});
    const Met without = met(dana);
    CHECK_FALSE(without.up);
    CHECK_THAT(without.server, Catch::Contains("unable to get certificate CRL") &&
                                   Catch::Contains("ClientCrl \"" + a.bind.tls.clientCrl +
                                                   "\" needs a list that holds, signed by [CN=sub]"));
    a.bind.tls.clientCrl = lists({sub.revoked({})});
    CHECK_THAT(met(dana).server, Catch::Contains("signed by [CN=desk]"));
    a.bind.tls.clientCrl = lists({root.revoked({}, -30), sub.revoked({})});
    CHECK_THAT(met(dana).server, Catch::Contains("CRL has expired") && Catch::Contains("signed by [CN=desk]"));

    // Where the one in between is what the port trusts, the list of the one above is not asked for; but it counts.
    a.bind.tls.clientCa = sub.file();
    a.bind.tls.clientCrl = lists({sub.revoked({gone})});
    CHECK(met(dana).up);
    CHECK_THAT(met(gone).server, Catch::Contains("certificate revoked"));
    a.bind.tls.clientCrl = lists({root.revoked({}), sub.revoked({})});
    CHECK(met(dana).up);
    a.bind.tls.clientCrl = lists({root.revoked({sub.itself()}), sub.revoked({})});
    CHECK_THAT(met(dana).server, Catch::Contains("certificate revoked"));
    // A certificate that is trusted itself needs the list of who has signed it.
    a.bind.tls.clientCa = dana.certificate;
    a.bind.tls.clientCrl = lists({root.revoked({})});
    CHECK_THAT(met(dana).server, Catch::Contains("signed by [CN=sub]"));
}

TEST_CASE("a list of revoked certificates that runs out is reported before", "[transport][tls]") {
    Asking a;
    const auto warning = [&](long until) {
        a.bind.tls.clientCrl = a.authority->revoked({}, until);
        const auto check = emissary::eta::transport::checkCertificate(a.bind.tls);
        CHECK(check.refused.text.empty());
        return check.warning;
    };
    const std::string none = emissary::eta::transport::checkCertificate(a.bind.tls).warning;
    CHECK(warning(25 * 3600) == none);
    const std::string soon = warning(23 * 3600), over = warning(-30);
    CHECK_THAT(soon,
               Catch::Contains("ClientCrl \"" + a.bind.tls.clientCrl + "\": the list of [CN=desk] runs out on ") &&
                   Catch::Contains(" UTC: ") && Catch::Contains("take a newer list before"));
    CHECK_THAT(over, Catch::Contains("the list of [CN=desk] has run out on ") && Catch::Contains("take a newer list"));
}

TEST_CASE("a DNS name of a certificate stands for a user only where there is no other name", "[transport][tls]") {
    Asking a;
    auto server = listen(a.bind);
    const auto names = [&](const char* file, const char* alternatives) {
        const Met met = meet(*server, Asking::client(a.authority->issue(file, {.alternatives = alternatives})));
        REQUIRE(met.certificate != nullptr);
        return met.certificate->names;
    };
    using Names = std::vector<std::string>;
    CHECK(names("d", "DNS:a.test,DNS:b.test") == Names{"a.test", "b.test"});
    CHECK(names("du", "DNS:a.test,URI:spiffe://desk/dana") == Names{"spiffe://desk/dana"});
    CHECK(names("ue", "DNS:a.test,URI:spiffe://desk/dana,otherName:msUPN;UTF8:dana@ad.test,email:dana@desk.test") ==
          Names{"dana@desk.test", "dana@ad.test", "spiffe://desk/dana"});
}

TEST_CASE("the client of a server that does not take its certificate learns what to do", "[transport][tls]") {
    Asking a;
    // With TLS 1.3 the alert may be lost when the server closes on what the client has sent since.
    a.bind.tls.versions = kTls12;
    auto server = listen(a.bind);
    CHECK_THAT(meet(*server, Asking::client()).client, Catch::Contains("ClientCert and ClientKey of the channel"));
    Authority stranger(a.folder, "stranger");
    CHECK_THAT(meet(*server, Asking::client(stranger.issue("other"))).client,
               Catch::Contains("the server does not take the certificate of this program"));
}

TEST_CASE("names that could be taken for others are none", "[transport][tls]") {
    Asking a;
    auto server = listen(a.bind);
    const auto of = [&](const char* file, const Owner& owner) {
        const Met met = meet(*server, Asking::client(a.authority->issue(file, owner)));
        REQUIRE(met.certificate != nullptr);
        return *met.certificate;
    };
    CHECK(of("two", {.commonName = "dana", .secondName = "root"}).commonName.empty());
    CHECK(of("nobody", {.commonName = "", .alternatives = "IP:10.0.0.1"}).commonName.empty());
    const PeerCertificate split = of("split", {.commonName = std::string("dana\0.evil", 10)});
    CHECK(split.commonName.empty());
    CHECK(split.subject == "CN=dana\\00.evil");
    CHECK(of("line", {.commonName = "dana\nlogged in"}).commonName.empty());
    CHECK(of("utf8", {.commonName = "J\u00f6rg"}).commonName == "J\u00f6rg");
    std::string many;
    for (int i = 0; i < 40; ++i)
        many += (i == 0 ? "DNS:n" : ",DNS:n") + std::to_string(i) + ".test";
    CHECK(of("many", {.alternatives = many}).names.size() == 16);
}

TEST_CASE("authorities, lists and own certificates that cannot be used are refused before the start",
          "[transport][tls]") {
    Asking a;
    const Identity dana = a.authority->issue("dana"), eric = a.authority->issue("eric");
    const auto file = [&](const char* name, const char* text) {
        std::ofstream(a.folder + "/" + name) << text;
        return a.folder + "/" + name;
    };
    const auto refused = [](const BindOptions& o) {
        emissary::eta::Refused why;
        CHECK(Server::bind(o, why) == nullptr);
        return why.text;
    };
    BindOptions b = a.bind;
    b.tls.clientCa = a.folder + "/none.pem";
    CHECK_THAT(refused(b), Catch::Contains("ClientCA \"" + b.tls.clientCa) && Catch::Contains("No such file"));
    b.tls.clientCa = file("text.pem", "no certificate\n");
    CHECK_THAT(refused(b), Catch::Contains("ClientCA \"" + b.tls.clientCa) && Catch::Contains("name a PEM file"));
    CHECK_THAT(emissary::eta::transport::checkCertificate(b.tls).refused.text, Catch::Contains("ClientCA"));
    b = a.bind;
    b.tls.clientCrl = file("crl.pem", "no list\n");
    CHECK_THAT(refused(b), Catch::Contains("ClientCrl \"" + b.tls.clientCrl) && Catch::Contains("name a PEM file"));
    b = a.bind;
    b.connectionType = ConnectionType::socket;
    CHECK_THAT(refused(b), Catch::Contains("ClientCA") && Catch::Contains("RSSL_ENCRYPTED"));

    const auto wrong = [&](const Identity& identity) {
        return emissary::eta::transport::checkConnect(Asking::client(identity)).text;
    };
    CHECK(wrong(dana).empty());
    CHECK_THAT(wrong({a.folder + "/none.pem", dana.key}),
               Catch::Contains("ClientCert") && Catch::Contains("No such file"));
    CHECK_THAT(wrong({dana.certificate, eric.key}),
               Catch::Contains("ClientKey") && Catch::Contains("is not the key of ClientCert"));
    CHECK_THAT(wrong({dana.certificate, file("key.pem", "no key\n")}), Catch::Contains("ClientKey"));
    CHECK_THAT(wrong({dana.certificate, ""}), Catch::Contains("ClientCert without ClientKey"));
    CHECK_THAT(wrong({"", dana.key}), Catch::Contains("ClientKey without ClientCert"));
}

TEST_CASE("authorities and lists are read again while the server listens, and a client's own files before it connects",
          "[transport][tls]") {
    Asking a;
    Authority next(a.folder, "next");
    const Identity dana = a.authority->issue("dana"), eric = next.issue("eric");
    const auto copy = [](const std::string& from, const std::string& to) {
        std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
    };
    a.bind.tls.clientCa = a.folder + "/in-use.pem";
    copy(a.authority->file(), a.bind.tls.clientCa);
    auto server = listen(a.bind);
    CHECK(meet(*server, Asking::client(dana)).up);
    CHECK_FALSE(meet(*server, Asking::client(eric)).up);
    copy(next.file(), a.bind.tls.clientCa);
    CHECK(emissary::eta::transport::renewCertificates().empty());
    CHECK_FALSE(meet(*server, Asking::client(dana)).up);
    CHECK(meet(*server, Asking::client(eric)).up);
    std::ofstream(a.bind.tls.clientCa) << "half a file";
    const auto faults = emissary::eta::transport::renewCertificates();
    REQUIRE(faults.size() == 1);
    CHECK_THAT(faults[0].text, Catch::Contains("ClientCA"));
    CHECK(meet(*server, Asking::client(eric)).up);  // what was read before holds

    const Identity renewed{a.folder + "/own.pem", a.folder + "/own-key.pem"};
    copy(dana.certificate, renewed.certificate);
    copy(dana.key, renewed.key);
    CHECK_FALSE(meet(*server, Asking::client(renewed)).up);
    copy(eric.certificate, renewed.certificate);
    copy(eric.key, renewed.key);
    CHECK(meet(*server, Asking::client(renewed)).up);
}

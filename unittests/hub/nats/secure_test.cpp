// Who may use a server: users, tokens, NKeys, credentials, TLS; and what is said to those who may not.
#include "BusEnd.h"
#include "nkeys.h"
#include "support/TestFolder.h"

#include <cstdlib>

using namespace emissary;
using hub::nats::NatsOptions;
using test::BusEnd;
using test::NatsKey;
using test::NatsServer;
using test::optionsFor;
using test::reaches;
using test::TestFolder;

namespace {

/// Fails to connect, with a reason that has this in it and no secret.
void isRefused(const NatsOptions& options, const std::string& reason) {
    BusEnd end(options);
    REQUIRE(end.until([&] { return end.bus->counts().connectFailures >= 1; }));
    INFO(end.bus->lastError());
    CHECK(end.bus->lastError().find(reason) != std::string::npos);
    CHECK(end.bus->lastError().find("secret") == std::string::npos);
    CHECK(end.bus->counts().connects == 0);
}

/// Connects and is heard.
void isTaken(const NatsOptions& options) {
    BusEnd a(options), b(options);
    b.bus->subscribe("s");
    REQUIRE(a.connects());
    REQUIRE(b.connects());
    CHECK(reaches(a, b, "s", "x"));
    CHECK(a.bus->server().find("secret") == std::string::npos);
}

/// Makes NAME.pem and NAME.key for a host, of the authority in AUTHORITY.pem (itself, when that is its name).
void certify(const std::string& name, const std::string& host, const std::string& authority) {
    std::string command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout " +
                          name + ".key -out " + name + ".pem -subj /CN=" + host + " -addext subjectAltName=DNS:" + host;
    if (authority != name) command += " -CA " + authority + ".pem -CAkey " + authority + ".key";
    REQUIRE(std::system((command + " 2>openssl.log").c_str()) == 0);
}

}  // namespace

TEST_CASE("Users with their passwords, and tokens, are taken; others are refused, and tried again", "[nats]") {
    NatsServer users("authorization { user: hub, password: secret1 }\n"), token("authorization { token: secret2 }\n");
    NatsOptions o = optionsFor({users.url()});
    isRefused(o, "uthorization");
    o.user = "hub";
    o.password = "secret0";
    isRefused(o, "uthorization");
    o.password = "secret1";
    isTaken(o);
    isTaken(optionsFor({"nats://hub:secret1@127.0.0.1:" + std::to_string(users.port())}));
    o = optionsFor({token.url()});
    o.token = "secret1";
    isRefused(o, "uthorization");
    o.token = "secret2";
    isTaken(o);

    // A server that learns of the user later is found: no refusal is for ever.
    o = optionsFor({users.url()});
    o.user = "other";
    o.password = "secret3";
    BusEnd later(o);
    REQUIRE(later.until([&] { return later.bus->counts().connectFailures >= 3; }));
    users.kill();
    users.configure("authorization { user: other, password: secret3 }\n");
    users.start();
    CHECK(later.connects());
}

TEST_CASE("A subject that the user may not have is said", "[nats]") {
    NatsServer server("authorization { users = [{ user: hub, password: p, permissions: { publish: \"emh.>\", "
                      "subscribe: \"emh.>\" } }] }\n");
    NatsOptions o = optionsFor({server.url()});
    o.user = "hub";
    o.password = "p";
    BusEnd end(o);
    end.bus->subscribe("other.hb");
    REQUIRE(end.until([&] { return end.bus->counts().errors >= 1; }));
    CHECK(end.bus->lastError().find("other.hb") != std::string::npos);
}

TEST_CASE("An NKey opens the server that knows it", "[nats]") {
    const TestFolder folder;
    const NatsKey mine(NatsKey::user), other(NatsKey::user);
    NatsServer server("authorization { users = [{ nkey: " + mine.publicKey() + " }] }\n");
    TestFolder::write("mine.nk", mine.seed());
    TestFolder::write("other.nk", other.seed());
    NatsOptions o = optionsFor({server.url()});
    o.nkey = other.publicKey();
    o.nkeySeedFile = (folder.path() / "other.nk").string();
    isRefused(o, "uthorization");
    o.nkey = mine.publicKey();
    isRefused(o, "uthorization");  // signed with another one
    o.nkeySeedFile = (folder.path() / "none.nk").string();
    isRefused(o, "cannot connect to " + server.url());
    o.nkeySeedFile = (folder.path() / "mine.nk").string();
    isTaken(o);
}

TEST_CASE("A credentials file opens a server of its operator", "[nats]") {
    const TestFolder folder;
    const NatsKey chief(NatsKey::operatorKey), account(NatsKey::account), user(NatsKey::user), other(NatsKey::user);
    const std::string limits =
        R"("limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1},)";
    NatsServer server("operator: \"" + chief.token(chief, R"("type":"operator")") +
                      "\"\nresolver: MEMORY\nresolver_preload: { " + account.publicKey() + ": \"" +
                      chief.token(account, limits + R"("type":"account")") + "\" }\n");
    const auto write = [&](const std::string& name, const std::string& token, const std::string& seed) {
        TestFolder::write(name, "-----BEGIN NATS USER JWT-----\n" + token +
                                    "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n" + seed +
                                    "\n------END USER NKEY SEED------\n");
        return (folder.path() / name).string();
    };
    const std::string claims = R"("subs":-1,"data":-1,"payload":-1,"type":"user")";
    NatsOptions o = optionsFor({server.url()});
    isRefused(o, "uthorization");
    o.credentialsFile = write("other.creds", account.token(user, claims), other.seed());
    isRefused(o, "uthorization");
    o.credentialsFile = write("user.creds", account.token(user, claims), user.seed());
    INFO(server.log());
    isTaken(o);
}

TEST_CASE("TLS: the authority, the host and the client's certificate count", "[nats]") {
    const TestFolder folder;
    certify("ca", "authority", "ca");
    certify("stranger", "authority", "stranger");
    certify("server", "localhost", "ca");
    certify("client", "client", "ca");
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    const std::string pair = "cert_file: \"" + file("server.pem") + "\", key_file: \"" + file("server.key") + "\"";
    NatsServer server("tls { " + pair + " }\n"),
        checks("tls { " + pair + ", ca_file: \"" + file("ca.pem") + "\", verify: true }\n");
    const std::string host = "tls://localhost:" + std::to_string(server.port());

    NatsOptions o = optionsFor({host});
    isRefused(o, "cannot connect to " + host);  // the system does not know the authority
    o.caFile = file("stranger.pem");
    isRefused(o, "cannot connect to " + host);
    o.caFile = file("none.pem");
    isRefused(o, "cannot use the authorities' file for " + host);
    o.caFile = file("ca.pem");
    isTaken(o);
    o.expectedHost = "elsewhere";
    isRefused(o, "cannot connect to " + host);
    // Without a word of it: the host of the address.
    o.servers = {"tls://127.0.0.1:" + std::to_string(server.port())};
    o.expectedHost.clear();
    isRefused(o, "cannot connect to tls://127.0.0.1");
    o.expectedHost = "localhost";
    isTaken(o);
    // What was secure stays so: no connection in the clear.
    o.servers = {"nats://127.0.0.1:" + std::to_string(server.port())};
    o.tls = true;
    isTaken(o);
    NatsServer clear;
    o.servers = {clear.url()};
    isRefused(o, "cannot connect to " + clear.url());

    o.servers = {"tls://localhost:" + std::to_string(checks.port())};
    isRefused(o, "cannot connect to tls://localhost");
    o.certificateFile = file("client.pem");
    o.keyFile = file("client.key");
    isTaken(o);
}

// Certificates of clients at a whole hub: who is let in, whose login it is, what the records say, for RIPC, RWF and
// JSON over WebSocket.
#include "audited.h"
#include "certificates.h"
#include "fixture.h"
#include "hub/access/hashes.h"
#include "hub/core/Client.h"
#include "hub/ops/Inspector.h"
#include "hub/ops/pages_json.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"
#include "support/Authority.h"
#include "support/Signer.h"

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

/// How a client comes to the encrypted port.
enum class CertWay { ripc, rwf, json };

/// A hub with a plain port and, behind it, an encrypted one that asks for certificates.
struct CertHub {
    perf::test::TempDir dir;
    Authority authority{dir.file("."), "desk"};
    std::unique_ptr<HubFixture> f;

    static const Certificates& server() {
        static const Certificates made;
        return made;
    }
    explicit CertHub(const std::function<void(HubSettings&, ListenerSettings&)>& change) {
        std::filesystem::create_directory(dir.file("audit"));
        f = std::make_unique<HubFixture>([&](HubSettings& s) {
            s.audit.folder = dir.file("audit");
            ListenerSettings port = s.listeners[0];
            port.name = "certified";
            server().encrypt(port);
            port.bind.tls.clientCa = authority.file();
            change(s, port);
            s.listeners.push_back(port);
        });
        f->plainNumbers = true;
    }
    [[nodiscard]] ConnectOptions to(CertWay way, const Identity& identity) const {
        ConnectOptions o =
            server().to(f->hub->port(1), way == CertWay::ripc ? ConnectionType::socket : ConnectionType::webSocket,
                        way == CertWay::json ? "rssl.json.v2" : "rssl.rwf");
        o.tls.certificate = identity.certificate;
        o.tls.privateKey = identity.key;
        return o;
    }
    /// Whether the handshake fails.
    [[nodiscard]] bool turnedAway(const ConnectOptions& to) {
        eta::Refused refused;
        const auto channel = eta::transport::Channel::connect(to, eta::Clock::now(), refused);
        REQUIRE(channel != nullptr);
        auto status = eta::transport::InitStatus::inProgress;
        f->until([&] {
            status = channel->init(eta::Clock::now());
            return status == eta::transport::InitStatus::active || status == eta::transport::InitStatus::failed;
        });
        return status == eta::transport::InitStatus::failed;
    }
    /// A connection and the state that answers its login, as "open", or as "closed 3: text".
    struct Answer {
        std::unique_ptr<RawConsumer> raw;
        std::unique_ptr<TextClient> text;
        std::string state;
    };
    Answer login(CertWay way, const Identity& identity, const std::string& user, const std::string& password = {},
                 const std::string& token = {}) {
        Answer a;
        if (way == CertWay::json) {
            a.text = std::make_unique<TextClient>(to(way, identity), [this] { f->turn(); });
            std::string key = token.empty() ? R"("Name":")" + user + '"' : R"("NameType":"AuthnToken")";
            a.text->send(R"({"ID":1,"Domain":"Login","Key":{)" + key + R"(,"Elements":{"Password":")" + password + '"' +
                         (token.empty() ? "" : R"(,"AuthenticationToken":")" + token + '"') + "}}}");
            const Json answer = a.text->next("Domain", "Login");
            const Json& state = answer.at("State");
            a.state = state.at("Stream").text == "Open" ? "open" : "closed 3: " + state.at("Text").text;
            return a;
        }
        a.raw = std::make_unique<RawConsumer>(to(way, identity), [this] { f->turn(); });
        rdm::LoginAttributes attributes;
        if (!password.empty()) attributes.password = password;
        if (!token.empty()) attributes.authenticationToken = token;
        std::vector<std::byte> room(8192);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        if (token.empty()) rdm::makeLoginRequest(m, user, 1, out.view());
        else rdm::makeLoginRequest(m, std::string_view("\0", 1), rdm::LoginNameType::authnToken, out.view());
        a.raw->send(m);
        const Received got = a.raw->next();
        a.state = got.msg.state.stream == StreamState::open
                      ? "open"
                      : "closed " + std::to_string(got.msg.state.code) + ": " + got.stateText();
        return a;
    }
    [[nodiscard]] bool said(const std::string& part) const {
        return std::ranges::any_of(f->lines, [&](const std::string& line) { return line.find(part) != line.npos; });
    }
    [[nodiscard]] std::uint64_t count(const char* name) const {
        std::uint64_t sum = 0;
        const auto all = f->hub->rooms().reactor.metrics();
        for (const auto& family : all.families())
            if (std::string_view(family.row->name) == name)
                for (const auto& sample : family.samples)
                    sum += sample.value;
        return sum;
    }
    [[nodiscard]] Json audited(const std::string& event, const std::string& user) {
        return auditLineOf(*f, dir.file("audit"), event, user);
    }
    /// Those that are logged in, as user and groups, in no order.
    [[nodiscard]] bool hasUser(const std::string& user, const std::string& group) {
        const std::lock_guard guard(f->hub->rooms().reactor.lock());
        ClientTable& clients = f->hub->rooms().clients;
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (const Client* const c = clients.find(i); c != nullptr && c->loggedIn && c->user == user)
                return (group.empty() ? c->groups.empty() : c->groups == std::vector<std::string>{group}) &&
                       c->certSubject.find("CN=") != std::string::npos;
        return false;
    }
};

constexpr CertWay kCertWays[] = {CertWay::ripc, CertWay::rwf, CertWay::json};
constexpr const char* kNotTheUsers = "closed 3: The certificate of the connection is not the user's.";

}  // namespace

TEST_CASE("a port that asks for certificates turns others away at the handshake, with a line and a count",
          "[hub][node][tls][json][access]") {
    CertHub t([](HubSettings&, ListenerSettings&) {});
    Authority stranger(t.dir.file("."), "stranger");
    const Identity dana = t.authority.issue("dana"), other = stranger.issue("other"),
                   expired = t.authority.issue("expired", {.from = -7200, .until = -3600}),
                   early = t.authority.issue("early", {.from = 3600, .until = 7200}),
                   serving = t.authority.issue("serving", {.purpose = "serverAuth"});
    struct Row {
        Identity identity;
        const char *reason, *count;
    };
    const Row rows[] = {
        {{}, "the client has sent no certificate", "emissary_server_client_certificates_missing_total"},
        {other, "unable to get local issuer certificate", "emissary_server_client_certificates_untrusted_total"},
        {expired, "certificate has expired", "emissary_server_client_certificates_expired_total"},
        {early, "certificate is not yet valid", "emissary_server_client_certificates_not_yet_valid_total"},
        {serving, "unsuitable certificate purpose", "emissary_server_client_certificates_wrong_purpose_total"}};
    for (const CertWay way : kCertWays)
        CHECK(t.login(way, dana, "anybody").state == "open");  // no CertUser: a login says who it is
    for (const Row& row : rows) {
        INFO(row.reason);
        for (std::size_t i = 0; i < std::size(kCertWays); ++i) {
            CHECK(t.turnedAway(t.to(kCertWays[i], row.identity)));
            t.f->until([&] { return t.count(row.count) == i + 1; });
        }
    }
    // Lines about failures come one a second at most.
    t.f->until([&] { return t.said(rows[0].reason); });
    const auto line = std::ranges::find_if(
        t.f->lines, [&](const std::string& l) { return l.find(rows[0].reason) != std::string::npos; });
    CHECK(line->find("connection to certified failed: 127.0.0.1:") != std::string::npos);
}

TEST_CASE("the certificate names the user of a login", "[hub][node][tls][json][access]") {
    CertHub t([&](HubSettings& s, ListenerSettings& port) {
        port.certUser = CertUser::cn;
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile =
            t.dir.write("users", "watcher:::\ndana::desk:\neric::all:\nfar:" + hashOf("secret") + "::\n");
        s.access.permission = t.dir.write("rules", "allow watcher * * *\nallow @desk * IBM *\n");
    });
    t.f->connected();
    t.f->until([&] { return t.f->hub->dictionary() != nullptr; });
    const Identity dana = t.authority.issue("dana"), two = t.authority.issue("two", {.secondName = "eric"}),
                   far = t.authority.issue("far", {.commonName = "far"});
    for (const CertWay way : kCertWays) {
        INFO(static_cast<int>(way));
        // As itself, and without a name; rules see that user.
        const auto named = t.login(way, dana, "dana");
        CHECK(named.state == "open");
        const auto nameless = t.login(way, dana, way == CertWay::json ? "" : std::string());
        CHECK(nameless.state == "open");
        CHECK(t.hasUser("dana", "desk"));
        CHECK_FALSE(t.hasUser("", ""));
        // As somebody else, who needs no password.
        CHECK(t.login(way, dana, "eric").state == kNotTheUsers);
        CHECK(t.login(way, two, "dana").state == kNotTheUsers);
        // The file still asks for a password where it has one.
        CHECK(t.login(way, far, "far").state == "closed 3: The user, the password or the address is not accepted.");
        CHECK(t.login(way, far, "far", "secret").state == "open");
    }
    CHECK(t.said("refused: the client's certificate [CN=dana] does not name user 'eric'"));
    CHECK(t.said("has no common name that could be a user's"));
    CHECK(t.said("with certificate [CN=dana]"));
    const Json in = t.audited("login", "dana"), no = t.audited("login_refused", "eric");
    CHECK(textOf(in, "certificate") == "CN=dana");
    CHECK(textOf(no, "certificate") == "CN=dana");
    CHECK(textOf(no, "code") == "certificate");
    CHECK(textOf(no, "parameter") == "CertUser");

    RawConsumer c = t.f->loggedIn(t.to(CertWay::ripc, dana), "");
    c.send(HubFixture::request(5, "IBM"));
    t.f->refresh(t.f->asked().msg.streamId, 10);
    checkState(c.next(), 5, StreamState::open, ok);
    c.send(HubFixture::request(6, "VOD"));
    checkState(c.next(), 6, StreamState::closed, suspect, 3);
    ops::ClientRows rows;
    rows.rows.emplace_back().certificate = "CN=dana";
    CHECK(ops::clientsAsJson(rows).find(R"("certificate":"CN=dana")") != std::string::npos);
}

TEST_CASE("an alternative name of the certificate names the user, and a token may not name another one",
          "[hub][node][tls][json][access]") {
    const Signer signer = Signer::curve();
    CertHub t([&](HubSettings& s, ListenerSettings& port) {
        port.certUser = CertUser::san;
        s.access.loginCheck = AccessSettings::LoginCheck::jwt;
        s.access.jwtAlgorithm = AccessSettings::Algorithm::es256;
        s.access.jwtAudience = "hub";
        s.access.jwtKeyFile = t.dir.write("keys", signer.pem());
    });
    const Identity dana = t.authority.issue("dana", {.alternatives = "DNS:ws7.desk.test,email:dana@desk.test,otherName:"
                                                                     "msUPN;UTF8:dana@ad.test"}),
                   machine = t.authority.issue("machine", {.alternatives = "DNS:ws7.desk.test"}),
                   none = t.authority.issue("none");
    const auto tokenOf = [&](const std::string& user) {
        const auto now =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
        return signer.token(R"({"sub":")" + user + R"(","aud":"hub","exp":)" + std::to_string(now.count() + 3600) +
                            "}");
    };
    for (const CertWay way : kCertWays) {
        INFO(static_cast<int>(way));
        CHECK(t.login(way, dana, {}, {}, tokenOf("dana@desk.test")).state == "open");
        CHECK(t.login(way, dana, {}, {}, tokenOf("dana@ad.test")).state == "open");
        CHECK(t.login(way, dana, {}, {}, tokenOf("ws7.desk.test")).state == kNotTheUsers);
        CHECK(t.login(way, machine, {}, {}, tokenOf("ws7.desk.test")).state == "open");
        CHECK(t.login(way, dana, {}, {}, tokenOf("dana")).state == kNotTheUsers);
        CHECK(t.login(way, none, {}, {}, tokenOf("dana")).state == kNotTheUsers);
    }
    CHECK(t.said("has no alternative name that could be a user's"));
}

TEST_CASE("a certificate that is only asked for: without one the ordinary check decides",
          "[hub][node][tls][json][access]") {
    CertHub t([&](HubSettings& s, ListenerSettings& port) {
        port.certUser = CertUser::cn;
        port.bind.tls.requireClientCert = false;
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = t.dir.write("users", "eric:" + hashOf("secret") + ":all:\n");
    });
    const Identity expired = t.authority.issue("expired", {.from = -7200, .until = -3600});
    for (const CertWay way : kCertWays) {
        INFO(static_cast<int>(way));
        CHECK(t.login(way, {}, "eric", "secret").state == "open");
        if (way == CertWay::json) CHECK(t.login(way, {}, "").state == "closed 3: login request without a user name");
        CHECK(t.login(way, {}, "eric", "wrong").state ==
              "closed 3: The user, the password or the address is not accepted.");
        CHECK(t.turnedAway(t.to(way, expired)));
    }
}

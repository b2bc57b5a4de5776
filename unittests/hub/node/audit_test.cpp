// The audit log of a whole hub: logins, refusals, ends of connections, files that change, for RIPC and JSON clients.
#include "fixture.h"
#include "hub/access/hashes.h"
#include "hub/audit/lines.h"
#include "hub/flow/ItemFlow.h"
#include "late_reader.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"

#include <sstream>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

struct AuditHub {
    perf::test::TempDir dir;
    std::string folder = dir.file("audit");
    std::unique_ptr<HubFixture> f;

    explicit AuditHub(const std::function<void(HubSettings&)>& change = {}) {
        std::filesystem::create_directory(folder);
        f = std::make_unique<HubFixture>([&](HubSettings& s) {
            s.audit.folder = folder;
            s.services[0].cache.rule = CachePolicy::Rule::all;
            if (change) change(s);
        });
        f->plainNumbers = true;
    }
    void users(HubSettings& s) const {
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile =
            dir.write("users", "watcher:::\ndana:" + hashOf("secret") + ":desk:\ntess:" + hashOf("secret") + ":all:\n");
        s.access.permission = dir.write("rules", "allow watcher * * *\nallow @desk * *.N *\nallow @all * IBM *\n");
    }
    [[nodiscard]] RawConsumer connection() {
        return RawConsumer(RawConsumer::optionsFor(f->hub->port()), [this] { f->turn(); });
    }
    std::unique_ptr<TextClient> text(const std::string& login) {
        auto c = std::make_unique<TextClient>(webSocketTo(f->hub->port()), [this] { f->turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{)" + login + "}}");
        return c;
    }
    Received login(RawConsumer& c, const std::string& user, const std::string& password) {
        rdm::LoginAttributes attributes;
        attributes.password = password;
        attributes.position = "10.1.1.1/net";
        std::vector<std::byte> room(1024);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        rdm::makeLoginRequest(m, user, 1, out.view());
        c.send(m);
        return c.next();
    }
    [[nodiscard]] std::vector<Json> lines() const { return auditLines(folder); }
    /// The lines with this event, of a user where one is given.
    [[nodiscard]] std::vector<Json> lines(const std::string& event, const std::string& user = {}) const {
        std::vector<Json> found = lines();
        std::erase_if(found, [&](const Json& line) {
            return textOf(line, "event") != event || (!user.empty() && textOf(line, "user") != user);
        });
        return found;
    }
    /// The first one, once it is there.
    [[nodiscard]] Json line(const std::string& event, const std::string& user = {}) {
        f->until([&] { return !lines(event, user).empty(); });
        return lines(event, user).front();
    }
    [[nodiscard]] std::string everything() const {
        std::ostringstream all;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            all << std::ifstream(entry.path()).rdbuf();
        return all.str();
    }
};

struct AuditedUsers : AuditHub {
    AuditedUsers() : AuditHub([this](HubSettings& s) { users(s); }) {}
};

}  // namespace

TEST_CASE("logins, refusals and logouts of RIPC and JSON clients are audited, without passwords",
          "[hub][node][json][audit]") {
    AuditedUsers h;
    h.f->connected();
    h.f->until([&] { return h.f->hub->dictionary() != nullptr; });
    {
        RawConsumer c = h.connection();
        REQUIRE(h.login(c, "dana", "secret").msg.state.stream == StreamState::open);
        const Json in = h.line("login", "dana");
        CHECK(textOf(in, "position") == "10.1.1.1/net");
        CHECK(textOf(in, "address").starts_with("127.0.0.1:"));
        CHECK(textOf(in, "listener") == "consumers");
        CHECK(textOf(in, "protocol") == "ripc");
        c.send(HubFixture::request(7, "VOD.L"));
        checkState(c.next(), 7, StreamState::closed, suspect, 3);
        const Json no = h.line("request_refused", "dana");
        CHECK(textOf(no, "service") == "DIRECT_FEED");
        CHECK(textOf(no, "item") == "VOD.L");
        CHECK(textOf(no, "code") == "not_entitled");
        CHECK(textOf(no, "text").find("no rule allows it") != std::string::npos);
        CHECK(textOf(no, "parameter") == "Permission");
        CHECK(textOf(no, "connection") == textOf(in, "connection"));
    }
    const Json out = h.line("logout", "dana");
    CHECK(textOf(out, "code") == "lost");
    CHECK(textOf(out, "text").find("closed by peer") != std::string::npos);

    {
        const auto web = h.text(R"("Name":"tess","Elements":{"Password":"secret","Position":"10.2.2.2/net"})");
        REQUIRE(web->next("Domain", "Login").at("State").at("Stream").text == "Open");
        const Json in = h.line("login", "tess");
        CHECK(textOf(in, "position") == "10.2.2.2/net");
        CHECK(textOf(in, "protocol") == "json");
        web->send(R"({"ID":8,"Key":{"Name":"IBM.N","Service":"DIRECT_FEED"}})");
        CHECK(web->next("ID", "8").at("State").at("Code").text == "NotEntitled");
        CHECK(textOf(h.line("request_refused", "tess"), "item") == "IBM.N");
        web->send(R"({"ID":1,"Domain":"Login","Type":"Close"})");
        CHECK(textOf(h.line("logout", "tess"), "code") == "closed");
    }
    RawConsumer bad = h.connection();
    CHECK(h.login(bad, "dana", "wrong-word").msg.state.stream == StreamState::closed);
    const Json refused = h.line("login_refused", "dana");
    CHECK(textOf(refused, "code") == "not_entitled");
    CHECK(textOf(refused, "text") == "the password is wrong");
    CHECK(textOf(refused, "position") == "10.1.1.1/net");
    CHECK(textOf(refused, "parameter") == "LoginCheck");
    const auto badWeb = h.text(R"("Name":"nobody","Elements":{"Password":"wrong-word"})");
    (void)badWeb->next("Domain", "Login");
    CHECK(textOf(h.line("login_refused", "nobody"), "protocol") == "json");
    h.f->hub.reset();
    CHECK(h.lines("logout", "dana").size() == 1);
    CHECK(h.lines("logout", "tess").size() == 1);
    CHECK(h.lines("disconnected").empty());
    CHECK(textOf(h.lines().front(), "event") == "hub_started");
    CHECK(textOf(h.lines().back(), "event") == "hub_stopped");
    CHECK(h.everything().find("wrong-word") == std::string::npos);
    CHECK(h.everything().find("secret") == std::string::npos);
}

TEST_CASE("hostile names from the wire stay one line each", "[hub][node][audit]") {
    AuditHub t;
    t.f->connected();
    const std::string user = "evil\",\"event\":\"login\"}\n{\"seq\":1,\x01\xFF";
    RawConsumer c = t.f->loggedIn(user);
    const std::string item = "X\n\"}" + std::string(240, '\x02');
    c.send(HubFixture::request(7, item, 200));
    c.send(RawConsumer::request(9, 6, item, std::uint16_t{4711}));
    for (int i = 0; i < 2; ++i)
        (void)c.next();
    t.f->until([&] { return t.lines("request_refused").size() == 2; });
    const Json line = t.line("request_refused");
    CHECK(textOf(line, "user").starts_with("evil\",\"event\":\"login\"}\\x0A"));
    CHECK(textOf(line, "item").starts_with("X\\x0A\"}\\x02\\x02"));
    CHECK(textOf(line, "item").size() == 1 + 4 + 2 + 240 * 4);
    t.f->hub.reset();
    CHECK(textOf(t.lines().back(), "event") == "hub_stopped");
}

TEST_CASE("whom the hub disconnects is audited with the limit", "[hub][node][audit]") {
    AuditHub t([](HubSettings& s) {
        s.requestsPerSecondPerClient = 5;
        s.maxMountsPerClient = 2;
    });
    t.f->connected();
    RawConsumer c = t.f->loggedIn("greedy");
    for (std::int32_t i = 0; i < 300; ++i)
        c.send(HubFixture::request(5 + i, "I" + std::to_string(i)));
    const Json end = t.line("disconnected", "greedy");
    CHECK(textOf(end, "code") == "request_rate");
    CHECK(textOf(end, "parameter") == "RequestsPerSecondPerClient");
    CHECK_FALSE(textOf(end, "text").empty());
    CHECK(t.lines("logout", "greedy").empty());
    t.f->hub.reset();
    CHECK(t.lines("disconnected", "greedy").size() == 1);
}

TEST_CASE("a client that does not read is audited when it is cut off", "[hub][node][json][slow][audit]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    AuditHub t([](HubSettings& s) {
        s.listeners[0].bind.sysSendBufSize = 16'384;
        s.conflateAbove = 60'000;
        s.conflateBelow = 10'000;
        s.conflateBytes = 0;
        s.disconnectAbove = 200'000;
    });
    HubFixture& f = *t.f;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader bad(f, json, 0, "bad");
    for (std::int32_t stream = 5; stream < 55; ++stream)
        bad.open(stream);
    const std::int32_t source = f.asked().msg.streamId;
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 50; });
    f.refresh(source, 1);
    const auto value = [&](std::string_view name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    std::uint64_t updates = 0;
    f.until([&] {
        f.update(source, ++updates);
        f.turn();
        f.until([&] { return value("emissary_hub_front_waiting") == 0; });
        return f.hub->rooms().flow.counts().mounts.get() == 0;
    });
    const Json end = t.line("disconnected", "bad");
    CHECK(textOf(end, "code") == "slow");
    CHECK(textOf(end, "protocol") == (json ? "json" : "ripc"));
    CHECK_FALSE(textOf(end, "text").empty());
    CHECK(t.lines("logout", "bad").empty());
}

TEST_CASE("files that are read again are audited with what has changed, and what is withdrawn for it",
          "[hub][node][audit]") {
    AuditedUsers t;
    t.f->connected();
    RawConsumer c = t.connection();
    REQUIRE(t.login(c, "dana", "secret").msg.state.stream == StreamState::open);
    c.send(HubFixture::request(5, "IBM.N"));
    t.f->refresh(t.f->asked().msg.streamId, 10, "IBM.N");
    checkState(c.next(), 5, StreamState::open, ok);
    const auto replace = [&](const char* name, const std::string& text) {
        std::filesystem::rename(t.dir.write("new", text), t.dir.file(name));
        t.f->hub->readAccessAgain();
    };
    replace("rules", "allow watcher * * *\nalow @all * IBM *\n");
    CHECK(textOf(t.line("files_refused"), "text").find("rules:2: ") != std::string::npos);
    t.f->until([&] { return !t.lines("files_read_again").empty(); });  // the users, which have no errors
    CHECK(textOf(t.lines("files_read_again").back(), "text") == "users: unchanged");
    replace("rules", "# shorter\nallow watcher * * *\nallow @all * IBM *\n");
    checkState(c.next(), 5, StreamState::closed, suspect, 3);
    const Json gone = t.line("item_withdrawn", "dana");
    CHECK(textOf(gone, "item") == "IBM.N");
    CHECK(textOf(gone, "service") == "DIRECT_FEED");
    CHECK(textOf(t.lines("files_read_again").back(), "text") ==
          "users: unchanged; rules: 1 removed, as they stood before (line 2)");
    const std::size_t before = t.lines("files_read_again").size();
    replace("users", "watcher:::\ndana:" + hashOf("another") + ":all:\nnew:::\n");
    t.f->until([&] { return t.lines("files_read_again").size() > before; });
    CHECK(textOf(t.lines("files_read_again").back(), "text") ==
          "users: 1 added (new), 1 removed (tess), 1 changed (dana); rules: unchanged");
}

TEST_CASE("posts that are refused, and calls of operators, are audited", "[hub][node][audit]") {
    AuditHub t([](HubSettings& s) { s.supportOmmPost = false; });
    t.f->connected();
    RawConsumer c = t.f->loggedIn("dana");
    Msg post;
    post.cls = MsgClass::Post;
    post.streamId = 1;
    post.domain = 6;
    post.flags = codec::PostFlag::complete | codec::PostFlag::msgKey;  // nobody is told, but for the log
    post.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    post.key.serviceId = HubFixture::kId;
    post.key.name = eta::asBytes("IBM");
    t.f->fill(post, 55);
    c.send(post);
    const Json no = t.line("post_refused", "dana");
    CHECK(textOf(no, "code") == "access_denied");
    CHECK(textOf(no, "item") == "IBM");
    CHECK(textOf(no, "service") == "DIRECT_FEED");
    CHECK(textOf(no, "parameter") == "SupportOMMPost");
    t.f->hub->noteAdmin("drain", "signal");
    t.f->hub->drain();
    CHECK(textOf(t.line("admin"), "code") == "drain");
    c.disconnect();
    t.f->until([&] { return !t.lines("logout", "dana").empty(); });
}

TEST_CASE("publishers that come and go are audited", "[hub][node][audit]") {
    AuditHub t;
    {
        rdm::LoginAttributes attributes;
        attributes.role = 1;
        RawConsumer p = t.f->loggedIn("feeder", t.f->hub->publisherPort(), attributes);
        CHECK(textOf(t.line("publisher_login"), "user") == "feeder");
        p.disconnect();
    }
    CHECK(textOf(t.line("publisher_logout"), "user") == "feeder");
}

// Files of rules and of logins at work in a whole hub, for RIPC and JSON clients.
#include "fixture.h"
#include "hub/access/hashes.h"
#include "hub/core/Client.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"
#include "support/Signer.h"

#include <iostream>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

struct AccessHub {
    perf::test::TempDir dir;
    std::unique_ptr<HubFixture> f;

    explicit AccessHub(const std::string& rules, const std::function<void(AccessSettings&)>& change = {}) {
        if (!rules.empty()) dir.write("rules", rules);
        f = std::make_unique<HubFixture>([&](HubSettings& s) {
            s.services[0].cache.rule = CachePolicy::Rule::all;
            s.userClasses = {{"team", {}, {"desk"}, {}}};
            if (!rules.empty()) s.access.permission = dir.file("rules");
            if (change) change(s.access);
        });
        f->plainNumbers = true;
    }
    /// A JSON client; what it says of its login.
    std::unique_ptr<TextClient> text(const std::string& login) {
        auto c = std::make_unique<TextClient>(webSocketTo(f->hub->port()), [this] { f->turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{)" + login + "}}");
        return c;
    }
    std::unique_ptr<TextClient> textLoggedIn(const std::string& login) {
        auto c = text(login);
        REQUIRE(c->next("Domain", "Login").at("State").at("Stream").text == "Open");
        return c;
    }
    /// Puts a file in the place of another, as editors do.
    void replace(const std::string& name, const std::string& content) const {
        std::filesystem::rename(dir.write(name + ".new", content), dir.file(name));
    }
    [[nodiscard]] bool said(const std::string& part) const {
        return std::ranges::any_of(f->lines, [&](const std::string& line) { return line.find(part) != line.npos; });
    }
    /// The answer to a login.
    Received login(RawConsumer& c, const std::string& user, const std::string& password) {
        rdm::LoginAttributes attributes;
        attributes.password = password;
        std::vector<std::byte> room(1024);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        rdm::makeLoginRequest(m, user, 1, out.view());
        c.send(m);
        return c.next();
    }
    [[nodiscard]] RawConsumer connection() {
        return RawConsumer(RawConsumer::optionsFor(f->hub->port()), [this] { f->turn(); });
    }
    [[nodiscard]] std::vector<std::string> groupsOf(const std::string& user, std::uint8_t* userClass = nullptr) {
        const std::lock_guard guard(f->hub->rooms().reactor.lock());
        ClientTable& clients = f->hub->rooms().clients;
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (const Client* const c = clients.find(i); c != nullptr && c->user == user) {
                if (userClass != nullptr) *userClass = c->userClass;
                return c->groups;
            }
        return {"no such client"};
    }
    /// An item that the provider has answered.
    void open(RawConsumer& c, std::int32_t stream, const std::string& name) {
        c.send(HubFixture::request(stream, name));
        f->refresh(f->asked().msg.streamId, 10, name);
        checkState(c.next(), stream, StreamState::open, ok);
    }
};

}  // namespace

TEST_CASE("rules grant and refuse requests of RIPC and JSON clients", "[hub][node][json][access]") {
    AccessHub t("allow * DIRECT_FEED IBM *\n"
                "deny dana DIRECT_FEED *.N *\n"
                "allow dana DIRECT_FEED *\tMarketPrice\n");
    t.f->connected();
    t.f->until([&] { return t.f->hub->dictionary() != nullptr; });
    RawConsumer c = t.f->loggedIn("dana");
    t.open(c, 5, "IBM");
    t.open(c, 6, "VOD.L");
    c.send(HubFixture::request(7, "IBM.N"));
    const Received no = c.next();
    checkState(no, 7, StreamState::closed, suspect, 3);
    CHECK(std::string(eta::asText(no.msg.state.text))
              .find("service 'DIRECT_FEED', item 'IBM.N': line 2 of the rules denies it") != std::string::npos);
    c.send(HubFixture::request(8, "VOD.L", 7));
    checkState(c.next(), 8, StreamState::closed, suspect, 3);

    const auto text = t.textLoggedIn(R"("Name":"tess")");
    text->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    CHECK(text->next("ID", "8").at("Type").text == "Refresh");
    text->send(R"({"ID":9,"Key":{"Name":["VOD.L","IBM"]}})");
    const Json refused = text->next("ID", "10");
    INFO(refused.source);
    CHECK(refused.at("State").at("Stream").text == "Closed");
    CHECK(refused.at("State").at("Data").text == "Suspect");
    CHECK(refused.at("State").at("Code").text == "NotEntitled");
    CHECK(refused.at("State").at("Text").text.find("no rule allows it") != std::string::npos);
    CHECK(text->next("ID", "11").at("Type").text == "Refresh");
    CHECK(t.f->wire().size() == 2);  // nobody upstream heard of the others
}

TEST_CASE("a hub does not start with a file of rules that has errors", "[hub][node][access]") {
    const perf::test::TempDir dir;
    HubOptions options;
    ListenerSettings port;
    port.name = "consumers";
    port.bind.port = "0";
    options.settings.listeners.push_back(port);
    options.settings.access.permission = dir.write("rules", "allow * * * *\nalow * * * *\ndeny * * *\n");
    std::vector<std::string> lines;
    options.log = [&](Severity severity, const std::string& line) {
        if (severity == Severity::error) lines.push_back(line);
    };
    Hub hub(std::move(options));
    const eta::Refused refused = hub.start();
    REQUIRE(refused);
    CHECK(refused.text.find("rules:2: a rule begins with allow or deny") != std::string::npos);
    REQUIRE(lines.size() == 2);
    CHECK(lines[1].find("rules:3: ") != std::string::npos);
    CHECK(hub.port() == 0);
}

namespace {

const std::string kUsers = "watcher:::\n"
                           "dana:" +
                           hashOf("secret") +
                           ":desk,all:127.0.0.1\n"
                           "tess:" +
                           hashOf("other") +
                           ":all:\n"
                           "far::all:10.*\n";
constexpr const char* kRules = "allow @desk * *.N *\nallow @all * IBM *\nallow watcher * * *\n";

struct UsersHub : AccessHub {
    explicit UsersHub(const std::string& rules = kRules)
        : AccessHub(rules, [this](AccessSettings& s) {
              s.loginCheck = AccessSettings::LoginCheck::file;
              s.loginFile = dir.write("users", kUsers);
          }) {
        f->connected();
        f->until([this] { return f->hub->dictionary() != nullptr; });
    }
};

constexpr const char* kTess = R"("Name":"tess","Elements":{"Password":"other"})";

}  // namespace

TEST_CASE("a file of users decides who may log in, and its groups what they may have", "[hub][node][json][access]") {
    UsersHub t;
    RawConsumer c = t.connection();
    REQUIRE(t.login(c, "dana", "secret").msg.state.stream == StreamState::open);
    std::uint8_t userClass = 9;
    CHECK(t.groupsOf("dana", &userClass) == std::vector<std::string>{"desk", "all"});
    CHECK(int{userClass} == 1);
    t.open(c, 5, "IBM.N");
    c.send(HubFixture::request(6, "VOD"));
    checkState(c.next(), 6, StreamState::closed, suspect, 3);

    const auto text = t.textLoggedIn(kTess);
    CHECK(t.groupsOf("tess", &userClass) == std::vector<std::string>{"all"});
    CHECK(int{userClass} == 0);
    text->send(R"({"ID":9,"Key":{"Name":"IBM.N"}})");
    CHECK(text->next("ID", "9").at("State").at("Code").text == "NotEntitled");

    struct Row {
        const char *user, *password, *reason;
    };
    for (const Row& row : {Row{"dana", "wrong-word", "the password is wrong"}, Row{"dana", "", "the password is wrong"},
                           Row{"nobody", "secret", "there is no such user"},
                           Row{"far", "", "the user may not log in from this address"}}) {
        INFO(row.user << " " << row.password);
        RawConsumer refused = t.connection();
        const Received no = t.login(refused, row.user, row.password);
        CHECK(int{no.msg.state.stream} == int{StreamState::closed});
        CHECK(int{no.msg.state.code} == 3);
        CHECK(eta::asText(no.msg.state.text) == "The user, the password or the address is not accepted.");
        CHECK(t.said("login of '" + std::string(row.user) + "' from 127.0.0.1:"));
        CHECK(t.said(row.reason));
    }
    const auto bad = t.text(R"("Name":"tess","Elements":{"Password":"wrong-word"})");
    const Json no = bad->next("Domain", "Login");
    CHECK(no.at("State").at("Stream").text == "Closed");
    CHECK(no.at("State").at("Code").text == "NotEntitled");
    CHECK_FALSE(t.said("wrong-word"));
    CHECK_FALSE(t.said("secret"));
}

TEST_CASE("many logins wait for their hashes, and those that leave are forgotten", "[hub][node][access]") {
    UsersHub t;
    for (int round = 0; round < 3; ++round) {
        std::vector<std::unique_ptr<RawConsumer>> some;
        for (int i = 0; i < 20; ++i) {
            some.push_back(std::make_unique<RawConsumer>(t.connection()));
            rdm::LoginAttributes attributes;
            attributes.password = "secret";
            std::vector<std::byte> room(1024);
            eta::BeWriter out(room);
            REQUIRE(rdm::encodeLogin(out, attributes).ok());
            Msg m;
            rdm::makeLoginRequest(m, "dana", 1, out.view());
            some.back()->send(m);
        }
        for (std::size_t i = 0; i < some.size(); i += 2)
            some[i].reset();
        for (std::size_t i = 1; i < some.size(); i += 2)
            CHECK(int{some[i]->next().msg.state.stream} == int{StreamState::open});
    }
    t.f->hub.reset();  // with logins that may still be checked
}

TEST_CASE("rules that are written anew close what is not allowed any more", "[hub][node][json][access]") {
    UsersHub t;
    RawConsumer c = t.connection();
    REQUIRE(t.login(c, "dana", "secret").msg.state.stream == StreamState::open);
    t.open(c, 5, "IBM.N");
    t.open(c, 6, "IBM");
    const auto text = t.textLoggedIn(kTess);
    text->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    CHECK(text->next("ID", "8").at("Type").text == "Refresh");

    t.replace("rules", "allow watcher * * *\nallow @desk * IBM.N *\ndeny * * IBM *\n");
    const Received gone = c.next();
    checkState(gone, 6, StreamState::closed, suspect, 3);
    CHECK(std::string(eta::asText(gone.msg.state.text)).find("line 3 of the rules denies it") != std::string::npos);
    const Json closed = text->next("ID", "8");
    CHECK(closed.at("Type").text == "Status");
    CHECK(closed.at("State").at("Stream").text == "Closed");
    CHECK(closed.at("State").at("Code").text == "NotEntitled");
    CHECK(t.said("read again: 4 users 3 rules"));
    CHECK(HubFixture::silent(c));

    // One with errors changes nothing, and says so; nor does one that has gone.
    t.replace("rules", "deny * * * *\nallow * * * Nonsense\n");
    t.f->until([&] { return t.said("rules:2: DOMAIN [Nonsense] is neither"); });
    CHECK(t.said("what was read before stays in use"));
    CHECK(HubFixture::silent(c));
    std::filesystem::remove(t.dir.file("rules"));
    t.f->until([&] { return t.said("rules: cannot be read: No such file"); });
    c.send(HubFixture::request(7, "IBM.N"));
    checkState(c.next(), 7, StreamState::open, ok);
    CHECK(HubFixture::silent(c));

    t.dir.write("rules", kRules);
    t.f->hub->readAccessAgain();
    t.f->until([&] {
        c.send(HubFixture::request(11, "IBM"));
        return c.next().msg.state.stream == StreamState::open;
    });
}

TEST_CASE("users that lose a group or leave the file lose their items", "[hub][node][json][access]") {
    const bool rules = GENERATE(true, false);
    UsersHub t(rules ? kRules : "");
    RawConsumer c = t.connection();
    REQUIRE(t.login(c, "dana", "secret").msg.state.stream == StreamState::open);
    t.open(c, 5, "IBM.N");
    t.open(c, 6, "IBM");
    const auto text = t.textLoggedIn(kTess);
    text->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    CHECK(text->next("ID", "8").at("Type").text == "Refresh");

    t.replace("users", "watcher:::\ndana::all,new:\n");
    const Json closed = text->next("ID", "8");
    CHECK(closed.at("State").at("Code").text == "NotEntitled");
    CHECK(closed.at("State").at("Text").text.find("the login file has no such user any more") != std::string::npos);
    if (rules) checkState(c.next(), 5, StreamState::closed, suspect, 3);
    CHECK(t.groupsOf("dana") == std::vector<std::string>{"all", "new"});
    CHECK(HubFixture::silent(c));
    // The new file holds for logins, too.
    RawConsumer again = t.connection();
    CHECK(int{t.login(again, "dana", "").msg.state.stream} == int{StreamState::open});
    RawConsumer tess = t.connection();
    CHECK(int{t.login(tess, "tess", "other").msg.state.stream} == int{StreamState::closed});
}

namespace {

/// A claim of a token, and others that are right for an hour.
[[nodiscard]] std::string claimsOf(const std::string& user, const std::string& more = R"(,"groups":["desk"])",
                                   int seconds = 3600) {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    return R"({"sub":")" + user + R"(","aud":"hub","exp":)" + std::to_string(now.count() + seconds) + more + "}";
}

/// A login with a token in its element.
[[nodiscard]] Msg tokenLogin(std::vector<std::byte>& room, const std::string& token) {
    rdm::LoginAttributes attributes;
    attributes.authenticationToken = token;
    room.resize(8192);
    eta::BeWriter out(room);
    REQUIRE(rdm::encodeLogin(out, attributes).ok());
    Msg m;
    rdm::makeLoginRequest(m, std::string_view("\0", 1), rdm::LoginNameType::authnToken, out.view());
    return m;
}

[[nodiscard]] std::string tokenOverJson(const std::string& token) {
    return R"("NameType":"AuthnToken","Elements":{"AuthenticationToken":")" + token + "\"}";
}

}  // namespace

TEST_CASE("tokens decide who may log in, and name user and groups", "[hub][node][json][access]") {
    const Signer signer = Signer::curve(), next = Signer::curve();
    std::optional<AccessHub> made;
    perf::test::TempDir keys;
    made.emplace("allow @desk * * *\n", [&](AccessSettings& s) {
        s.loginCheck = AccessSettings::LoginCheck::jwt;
        s.jwtAlgorithm = AccessSettings::Algorithm::es256;
        s.jwtAudience = "hub";
        s.jwtKeyFile = keys.write("keys", signer.pem());
    });
    AccessHub& t = *made;
    std::vector<std::byte> room;
    const auto answer = [&](RawConsumer& c, const std::string& token) {
        c.send(tokenLogin(room, token));
        return c.next();
    };
    RawConsumer c = t.connection();
    REQUIRE(answer(c, signer.token(claimsOf("dana"))).msg.state.stream == StreamState::open);
    CHECK(t.groupsOf("dana") == std::vector<std::string>{"desk"});
    t.f->until([&] { return t.f->hub->dictionary() != nullptr; });  // that of the source, whose directory is there then
    t.open(c, 5, "IBM");

    const auto text = t.textLoggedIn(tokenOverJson(signer.token(claimsOf("tess", R"(,"groups":"other")"))));
    text->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    CHECK(text->next("ID", "8").at("State").at("Code").text == "NotEntitled");

    struct Row {
        std::string token;
        const char *text, *logged;
    };
    const Row rows[] = {
        {signer.token(claimsOf("dana", "", -1)), "The token has expired.", "The token has expired."},
        {next.token(claimsOf("dana")), "The token is not accepted.", "its signature is not right"},
        {signer.token(claimsOf("dana", R"(,"nbf":99999999999)")), "The token is not accepted.", "it is not valid yet"},
        {"no-token", "The token is not accepted.", "it is no token of three parts"}};
    for (const Row& row : rows) {
        INFO(row.logged);
        RawConsumer refused = t.connection();
        const Received no = answer(refused, row.token);
        CHECK(int{no.msg.state.stream} == int{StreamState::closed});
        CHECK(int{no.msg.state.code} == 3);
        CHECK(eta::asText(no.msg.state.text) == row.text);
        CHECK(t.said(row.logged));
        CHECK_FALSE(t.said(row.token));
        const auto bad = t.text(tokenOverJson(row.token));
        CHECK(bad->next("Domain", "Login").at("State").at("Text").text == row.text);
    }
    RawConsumer named = t.connection();
    CHECK(eta::asText(t.login(named, "dana", "").msg.state.text) == "The login needs a token.");

    // Another token of the user has other groups: what they do not give any more closes. One of another user ends it.
    CHECK(int{answer(c, signer.token(claimsOf("dana"))).msg.state.stream} == int{StreamState::open});
    CHECK(HubFixture::silent(c));
    CHECK(int{answer(c, signer.token(claimsOf("dana", R"(,"groups":[])"))).msg.state.stream} == int{StreamState::open});
    checkState(c.next(), 5, StreamState::closed, suspect, 3);
    CHECK(int{answer(c, signer.token(claimsOf("eric"))).msg.state.stream} == int{StreamState::closed});

    // Keys are exchanged while the hub runs.
    std::filesystem::rename(keys.write("new", R"({"keys":[)" + next.jwk() + "]}"), keys.file("keys"));
    t.f->until([&] { return t.said("read again: 1 keys"); });
    RawConsumer fresh = t.connection();
    CHECK(int{answer(fresh, next.token(claimsOf("dana"))).msg.state.stream} == int{StreamState::open});
    RawConsumer old = t.connection();
    CHECK(int{answer(old, signer.token(claimsOf("dana"))).msg.state.stream} == int{StreamState::closed});
    keys.write("keys", "word");
    t.f->until([&] { return t.said("keys: it is neither a public key (PEM) nor a JWK set (JSON)"); });
    RawConsumer still = t.connection();
    CHECK(int{answer(still, next.token(claimsOf("dana"))).msg.state.stream} == int{StreamState::open});
}

TEST_CASE("a login ends behind its token, unless the token is renewed", "[hub][node][json][access]") {
    const Signer signer = Signer::curve();
    perf::test::TempDir keys;
    AccessHub t("allow * * * *\n", [&](AccessSettings& s) {
        s.loginCheck = AccessSettings::LoginCheck::jwt;
        s.jwtAlgorithm = AccessSettings::Algorithm::es256;
        s.jwtAudience = "hub";
        s.jwtGrace = std::chrono::seconds(1);
        s.jwtKeyFile = keys.write("keys", signer.pem());
    });
    std::vector<std::byte> room;
    RawConsumer renewed = t.connection(), left = t.connection();
    for (RawConsumer* const c : {&renewed, &left}) {
        c->send(tokenLogin(room, signer.token(claimsOf("dana", "", 4))));
        REQUIRE(c->next().msg.state.stream == StreamState::open);
    }
    const auto text = t.textLoggedIn(tokenOverJson(signer.token(claimsOf("tess", "", 4))));
    renewed.send(tokenLogin(room, signer.token(claimsOf("dana"))));
    REQUIRE(renewed.next().msg.state.stream == StreamState::open);
    const Received end = left.next();
    CHECK(int{end.msg.state.stream} == int{StreamState::closed});
    CHECK(int{end.msg.state.code} == 3);
    CHECK(eta::asText(end.msg.state.text) == "The token has expired.");
    CHECK(text->next("Domain", "Login").at("State").at("Text").text == "The token has expired.");
    text->untilClosed();
    CHECK_THAT(text->channel().errorText(), Catch::Contains("(WebSocket 4001 The token has expired.)"));
    CHECK(t.said("has not renewed its token"));
    CHECK(HubFixture::silent(renewed));
}

TEST_CASE("100,000 mounts looked at again after a change of 10,000 rules", "[.measure]") {
    constexpr std::size_t kClients = 10, kEach = 10'000;
    std::string rules;
    for (int i = 0; i < 9'999; ++i)
        rules += "deny @g" + std::to_string(i % 50) + " * N" + std::to_string(i) + "* *\n";
    AccessHub t(rules + "allow * * * *\n");
    t.f->connected();
    std::vector<RawConsumer> clients;
    const auto value = [&](const char* name) {
        return static_cast<std::size_t>(t.f->hub->rooms().reactor.metrics().value(name).value_or(0));
    };
    for (std::size_t c = 0; c < kClients; ++c) {
        clients.push_back(t.f->loggedIn("u" + std::to_string(c)));
        for (std::size_t i = 0; i < kEach; ++i) {
            clients.back().send(HubFixture::request(static_cast<std::int32_t>(i + 5), "I" + std::to_string(i)));
            if (i % 500 == 0) t.f->turn();
        }
        t.f->until([&] { return value("emissary_hub_mounts") >= (c + 1) * kEach; });
    }
    for (int round = 0; round < 3; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        t.f->hub->recheck();
        std::chrono::nanoseconds longest{0};
        while (value("emissary_hub_rights_walks") != 0) {
            const auto turn = std::chrono::steady_clock::now();
            t.f->hub->dispatch(std::chrono::microseconds(0));
            longest = std::max<std::chrono::nanoseconds>(longest, std::chrono::steady_clock::now() - turn);
        }
        const auto took = std::chrono::steady_clock::now() - begin;
        std::cout << "100,000 mounts: " << std::chrono::duration<double, std::milli>(took).count()
                  << " ms, the longest turn " << std::chrono::duration<double, std::milli>(longest).count() << " ms\n";
        CHECK(took < std::chrono::milliseconds(200));
    }
    CHECK(value("emissary_hub_rights_withdrawn_total") == 0);
}

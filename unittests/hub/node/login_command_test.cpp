// Logins and items that a program decides on (LoginCommand), through a whole hub, for RIPC and JSON clients.
#include "fixture.h"

#include "hub/core/Client.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"
#include "support/paths.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

/// Answers as the name of the user or the item says; `$1` is a file that the test writes.
constexpr const char* kScript = R"sh(
while read -r line; do
  id=${line#*:}; id=${id%%,*}
  ok=true; more=
  case "$line" in
  *'"ask":"item"'*'"name":"NEVER'*) continue;;
  *'"ask":"item"'*'"name":"NO'*) ok=false; more=',"text":"not for you"';;
  *'"ask":"item"'*'"permData"'*) ok=false; more=',"text":"it has permission data"';;
  *'"ask":"item"'*'"name":"MAYBE'*) if [ -e "$1" ]; then ok=false; fi;;
  *'"ask":"item"'*'"groups":["guests"'*'"name":"DESK'*) ok=false; more=',"text":"guests may not"';;
  *'"ask":"item"'*'"name":"UNSURE'*) if [ ! -e "$1" ]; then ok=false; more=',"code":"unavailable"'; fi;;
  *'"ask":"item"'*) ;;
  *'"user":"late"'*) continue;;
  *'"user":"killer"'*) kill -9 $$;;
  *'"user":"liar"'*) echo garbage; echo '{"id":999999,"ok":true}'; echo "{\"id\":$id,\"ok\":\"true\"}"; continue;;
  *'"user":"denied"'*) ok=false; more=',"text":"Not today."';;
  *'"user":"down"'*) ok=false; more=',"code":"unavailable"';;
  *'"user":"twice"'*) echo "{\"id\":$id,\"ok\":false}";;
  *'"user":"shift"'*'"password":"night"'*) more=',"groups":["guests"]';;
  *'"user":"brief"'*'"password":"pass-word"'*) more=',"limits":{"seconds":3}';;
  *'"user":"brief"'*) ok=false;;
  *'"user":"ever"'*) more=',"limits":{"seconds":0}';;
  *'"user":"thin"'*) more=',"groups":["guests"]';;
  *'"user":"short"'*) more=',"limits":{"mounts":1,"logins":1}';;
  *'"token":"nameless'*) ;;
  *'"token":"good'*) more=',"user":"tokenuser","groups":["desk"]';;
  *'"user":""'*) ok=false;;
  *) more=',"groups":["desk"]';;
  esac
  echo "{\"id\":$id,\"ok\":$ok$more}"
done
)sh";

struct CommandHub {
    perf::test::TempDir dir;
    std::unique_ptr<HubFixture> f;

    explicit CommandHub(const std::string& rules = {}, std::vector<std::string> command = {},
                        const std::function<void(HubSettings&)>& change = {}) {
        dir.write("script", kScript);
        f = std::make_unique<HubFixture>([&](HubSettings& s) {
            s.services[0].cache.rule = CachePolicy::Rule::all;
            s.access.loginCheck = AccessSettings::LoginCheck::command;
            s.access.loginCommand =
                !command.empty() ? command : std::vector<std::string>{"/bin/sh", dir.file("script"), dir.file("mark")};
            s.loginCheckTimeout = std::chrono::milliseconds(1500);
            s.loginProbeTime = std::chrono::milliseconds(0);
            s.userClasses = {{"guests", {}, {"guests"}, {}, {}, ViewSettings{"quotes", {"1"}}}};
            if (!rules.empty()) s.access.permission = dir.write("rules", rules);
            if (change) change(s);
        });
        f->plainNumbers = true;
    }
    void ready() {
        f->connected();
        f->until([this] { return f->hub->dictionary() != nullptr; });
    }
    [[nodiscard]] RawConsumer connection() {
        return RawConsumer(RawConsumer::optionsFor(f->hub->port()), [this] { f->turn(); });
    }
    void ask(RawConsumer& c, std::string_view user, const std::string& password = "pass-word") {
        rdm::LoginAttributes attributes;
        attributes.password = password;
        std::vector<std::byte> room(4096);
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        rdm::makeLoginRequest(m, user, 1, out.view());
        c.send(m);
    }
    Received login(RawConsumer& c, std::string_view user, const std::string& password = "pass-word") {
        ask(c, user, password);
        return c.next();
    }
    std::unique_ptr<TextClient> text(const std::string& login) {
        auto c = std::make_unique<TextClient>(webSocketTo(f->hub->port()), [this] { f->turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{)" + login + "}}");
        return c;
    }
    [[nodiscard]] bool said(const std::string& part) const {
        return std::ranges::any_of(f->lines, [&](const std::string& line) { return line.find(part) != line.npos; });
    }
    [[nodiscard]] std::uint64_t count(const char* name) const {
        return f->hub->rooms().reactor.metrics().value(name).value_or(0);
    }
    /// An item that the provider has answered.
    void open(RawConsumer& c, std::int32_t stream, const std::string& name) {
        c.send(HubFixture::request(stream, name));
        f->refresh(f->asked().msg.streamId, 10, name);
        checkState(c.next(), stream, StreamState::open, ok);
    }
    [[nodiscard]] const Client* client(const std::string& user) {
        ClientTable& clients = f->hub->rooms().clients;
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (const Client* const c = clients.find(i); c != nullptr && c->user == user) return c;
        return nullptr;
    }
};

void checkText(const Received& got, const std::string& part) {
    const std::string text(eta::asText(got.msg.state.text));
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("a program decides on logins, and its groups on items and fields", "[hub][node][json][access]") {
    CommandHub t("allow @desk * *.N *\nallow @guests * IBM.N *\nallow watcher * * *\n");
    t.ready();
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "dana").msg.state.stream} == int{StreamState::open});
    {
        const std::lock_guard guard(t.f->hub->rooms().reactor.lock());
        REQUIRE(t.client("dana") != nullptr);
        CHECK(t.client("dana")->groups == std::vector<std::string>{"desk"});
    }
    t.open(c, 5, "IBM.N");
    c.send(HubFixture::request(6, "VOD"));
    checkState(c.next(), 6, StreamState::closed, suspect, 3);

    const auto thin = t.text(R"("Name":"thin")");
    REQUIRE(thin->next("Domain", "Login").at("State").at("Stream").text == "Open");
    thin->send(R"({"ID":8,"Key":{"Name":"IBM.N"}})");
    const Json image = thin->next("ID", "8");
    INFO(image.source);
    CHECK(image.at("Type").text == "Refresh");
    {
        const std::lock_guard guard(t.f->hub->rooms().reactor.lock());
        REQUIRE(t.client("thin") != nullptr);
        CHECK(int{t.client("thin")->userClass} == 1);  // that of its view
    }
    thin->send(R"({"ID":9,"Key":{"Name":"VOD.N"}})");
    CHECK(thin->next("ID", "9").at("State").at("Code").text == "NotEntitled");

    for (const char* const hostile : {"a\",\"ok\":true", "line\nfeed", "'; exit; '"}) {
        RawConsumer peer = t.connection();
        CHECK(int{t.login(peer, hostile).msg.state.stream} == int{StreamState::open});
    }
    RawConsumer noText = t.connection();
    CHECK(int{t.login(noText, "d\xFFna").msg.state.code} == 3);
    CHECK(t.said("LoginCommand cannot be asked: user is no UTF-8"));

    RawConsumer denied = t.connection();
    const Received no = t.login(denied, "denied");
    CHECK(int{no.msg.state.stream} == int{StreamState::closed});
    CHECK(int{no.msg.state.code} == 3);
    CHECK(eta::asText(no.msg.state.text) == "Not today.");
    const auto down = t.text(R"("Name":"down")");
    const Json later = down->next("Domain", "Login");
    CHECK(later.at("State").at("Stream").text == "ClosedRecover");
    CHECK(later.at("State").at("Data").text == "Suspect");

    const auto token = t.text(R"("NameType":"AuthnToken","Elements":{"AuthenticationToken":"good-to-ken"})");
    REQUIRE(token->next("Domain", "Login").at("State").at("Stream").text == "Open");
    {
        const std::lock_guard guard(t.f->hub->rooms().reactor.lock());
        CHECK(t.client("tokenuser") != nullptr);
    }
    CHECK_FALSE(t.said("pass-word"));
    CHECK_FALSE(t.said("good-to-ken"));
}

TEST_CASE("limits of a login are those that the program says", "[hub][node][access]") {
    CommandHub t;
    t.ready();
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "short").msg.state.stream} == int{StreamState::open});
    t.open(c, 5, "IBM");
    c.send(HubFixture::request(6, "VOD"));
    const Received no = c.next();
    CHECK(int{no.msg.state.code} == 13);
    checkText(no, "the login check says how many");
    RawConsumer second = t.connection();
    CHECK(int{t.login(second, "short").msg.state.code} == 31);
}

TEST_CASE("a program that is late, lies or dies grants nothing, and takes nothing away", "[hub][node][json][access]") {
    CommandHub t;
    t.ready();
    RawConsumer first = t.connection();
    REQUIRE(int{t.login(first, "dana").msg.state.stream} == int{StreamState::open});
    t.open(first, 5, "IBM");

    RawConsumer late = t.connection(), liar = t.connection();
    t.ask(late, "late");
    t.ask(liar, "liar");
    const auto lateText = t.text(R"("Name":"late")");
    RawConsumer other = t.connection();
    CHECK(int{t.login(other, "tess").msg.state.stream} == int{StreamState::open});  // others do not wait
    for (RawConsumer* const c : {&late, &liar}) {
        const Received no = c->next();
        CHECK(int{no.msg.state.stream} == int{StreamState::closedRecover});
        CHECK(int{no.msg.state.data} == int{suspect});
        CHECK(int{no.msg.state.code} == 3);
    }
    CHECK(lateText->next("Domain", "Login").at("State").at("Stream").text == "ClosedRecover");
    CHECK(t.count("emissary_hub_command_bad_lines_total") == 2);
    CHECK(t.count("emissary_hub_command_unknown_total") == 1);
    RawConsumer twice = t.connection();
    CHECK(int{t.login(twice, "twice").msg.state.stream} == int{StreamState::closed});
    t.f->until([&] { return t.count("emissary_hub_command_unknown_total") == 2; });

    RawConsumer killer = t.connection();
    t.ask(killer, "killer");
    CHECK(int{killer.next().msg.state.stream} == int{StreamState::closedRecover});
    t.f->until([&] { return t.said("signal 9 ended it"); });
    RawConsumer after = t.connection();
    CHECK(int{t.login(after, "tess").msg.state.stream} == int{StreamState::open});
    CHECK(t.count("emissary_hub_command_starts_total") >= 2);
    CHECK(t.count("emissary_hub_command_open") == 0);
    CHECK(HubFixture::silent(first));
}

TEST_CASE("rules may leave an item to the program", "[hub][node][json][access]") {
    CommandHub t("deny * * SECRET *\nask * * *A* *\nask * * N* *\nallow * * * *\n");
    t.ready();
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "dana").msg.state.stream} == int{StreamState::open});
    const std::uint64_t before = t.count("emissary_hub_command_questions_total");
    t.open(c, 5, "IBM");  // no question
    CHECK(t.count("emissary_hub_command_questions_total") == before);
    t.open(c, 6, "MAYBE");
    t.open(c, 7, "AAA");
    CHECK(t.count("emissary_hub_command_questions_total") == before + 2);
    c.send(HubFixture::request(8, "NO"));
    const Received no = c.next();
    checkState(no, 8, StreamState::closed, suspect, 3);
    checkText(no, "item 'NO': not for you");

    // The same user on another connection: the answers are known.
    const auto text = t.text(R"("Name":"dana")");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    const std::uint64_t known = t.count("emissary_hub_command_questions_total");
    text->send(R"({"ID":8,"Key":{"Name":["MAYBE","NO"]}})");
    CHECK(text->next("ID", "9").at("Type").text == "Refresh");
    CHECK(text->next("ID", "10").at("State").at("Code").text == "NotEntitled");
    CHECK(t.count("emissary_hub_command_questions_total") == known);
    CHECK(t.count("emissary_hub_permission_cache_hits_total") == 2);
    // Another user is another question.
    const auto tess = t.text(R"("Name":"tess")");
    REQUIRE(tess->next("Domain", "Login").at("State").at("Stream").text == "Open");
    tess->send(R"({"ID":8,"Key":{"Name":"MAYBE"}})");
    CHECK(tess->next("ID", "8").at("Type").text == "Refresh");
    CHECK(t.count("emissary_hub_command_questions_total") == known + 2);

    // Rights are looked at once more: the program has changed its mind about one item.
    t.dir.write("mark", "");
    t.f->hub->readAccessAgain();
    checkState(c.next(), 6, StreamState::closed, suspect, 3);
    CHECK(text->next("ID", "9").at("State").at("Code").text == "NotEntitled");
    CHECK(tess->next("ID", "8").at("State").at("Code").text == "NotEntitled");
    CHECK(HubFixture::silent(c));

    // Permission data that the hub has are part of the question.
    c.send(HubFixture::request(10, "BAR"));
    const auto asked = [&] {
        for (;;)  // behind the close of an item that nobody has any more
            if (const RawProvider::Got got = t.f->asked(); got.msg.cls == MsgClass::Request) return got.msg.streamId;
    };
    const std::int32_t upstream = asked();
    t.f->refresh(upstream, 10, "BAR");
    checkState(c.next(), 10, StreamState::open, ok);
    const std::vector<std::byte> data{std::byte{3}, std::byte{1}};
    Msg update = RawProvider::update(upstream);
    update.flags |= codec::UpdateFlag::permData;
    update.permData = data;
    t.f->fill(update, 12);
    t.f->provider.send(update);
    CHECK(c.next().msg.cls == MsgClass::Update);
    tess->send(R"({"ID":9,"Key":{"Name":"BAR"}})");
    const Json guarded = tess->next("ID", "9");
    CHECK(guarded.at("State").at("Code").text == "NotEntitled");
    CHECK(guarded.at("State").at("Text").text.find("it has permission data") != std::string::npos);

    c.send(HubFixture::request(9, "NEVER"));
    const Received never = c.next();
    checkState(never, 9, StreamState::closedRecover, suspect, 29);
    checkText(never, "was not answered in time");
    CHECK(t.count("emissary_hub_command_open") == 0);
}

TEST_CASE("what the program says of an item is for the groups that it was asked with", "[hub][node][json][access]") {
    CommandHub t("ask * * DESK* *\nallow * * * *\n");
    t.ready();
    RawConsumer day = t.connection(), night = t.connection();
    REQUIRE(int{t.login(day, "shift").msg.state.stream} == int{StreamState::open});
    REQUIRE(int{t.login(night, "shift", "night").msg.state.stream} == int{StreamState::open});
    t.open(day, 5, "DESK1");
    night.send(HubFixture::request(5, "DESK1"));
    const Received no = night.next();
    checkState(no, 5, StreamState::closed, suspect, 3);
    checkText(no, "guests may not");
    // The other way round, and over JSON.
    const auto guest = t.text(R"("Name":"shift","Elements":{"Password":"night"})");
    REQUIRE(guest->next("Domain", "Login").at("State").at("Stream").text == "Open");
    guest->send(R"({"ID":8,"Key":{"Name":"DESK2"}})");
    CHECK(guest->next("ID", "8").at("State").at("Code").text == "NotEntitled");
    const auto desk = t.text(R"("Name":"shift")");
    REQUIRE(desk->next("Domain", "Login").at("State").at("Stream").text == "Open");
    desk->send(R"({"ID":8,"Key":{"Name":"DESK1"}})");
    CHECK(desk->next("ID", "8").at("Type").text == "Refresh");
    t.open(day, 6, "DESK2");
}

TEST_CASE("a login by password that the program ends is renewed by its password", "[hub][node][json][access]") {
    CommandHub t;
    t.ready();
    RawConsumer renewed = t.connection(), left = t.connection(), ever = t.connection();
    for (RawConsumer* const c : {&renewed, &left})
        REQUIRE(int{t.login(*c, "brief").msg.state.stream} == int{StreamState::open});
    REQUIRE(int{t.login(ever, "ever").msg.state.stream} == int{StreamState::open});
    const auto text = t.text(R"("Name":"brief","Elements":{"Password":"pass-word"})");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    const auto lost = t.text(R"("Name":"brief","Elements":{"Password":"pass-word"})");
    REQUIRE(lost->next("Domain", "Login").at("State").at("Stream").text == "Open");
    const std::uint64_t asked = t.count("emissary_hub_command_questions_total");
    // The first half of the time is over for all of them before two renew theirs.
    const auto half = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
    t.f->until([&] { return std::chrono::steady_clock::now() >= half; });
    REQUIRE(int{t.login(renewed, "brief").msg.state.stream} == int{StreamState::open});
    text->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"brief","Elements":{"Password":"pass-word"}}})");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    CHECK(t.count("emissary_hub_command_questions_total") == asked + 2);
    // Without a password it pauses or resumes, and nothing is asked.
    text->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"brief"}})");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    CHECK(t.count("emissary_hub_command_questions_total") == asked + 2);

    const Received end = left.next();
    CHECK(int{end.msg.state.stream} == int{StreamState::closed});
    CHECK(int{end.msg.state.code} == 3);
    CHECK(eta::asText(end.msg.state.text) == "The login has expired.");
    CHECK(lost->next("Domain", "Login").at("State").at("Text").text == "The login has expired.");
    CHECK(t.said("has not renewed its login"));
    CHECK(HubFixture::silent(renewed));
    CHECK(HubFixture::silent(ever));
    // A wrong password ends it at once, as a wrong token does.
    const Received no = t.login(renewed, "brief", "wrong");
    CHECK(int{no.msg.state.stream} == int{StreamState::closed});
    // Without an end there is nothing to renew.
    const std::uint64_t before = t.count("emissary_hub_command_questions_total");
    REQUIRE(int{t.login(ever, "ever", "wrong").msg.state.stream} == int{StreamState::open});
    CHECK(t.count("emissary_hub_command_questions_total") == before);
}

TEST_CASE("a token that names no user does not renew the login of one", "[hub][node][json][access]") {
    CommandHub t;
    t.ready();
    const auto tokenOf = [](const std::string& token) {
        return R"("NameType":"AuthnToken","Elements":{"AuthenticationToken":")" + token + "\"}";
    };
    const auto again = [&](TextClient& c, const std::string& token) {
        c.send(R"({"ID":1,"Domain":"Login","Key":{)" + tokenOf(token) + "}}");
        return c.next("Domain", "Login");
    };
    const auto user = t.text(tokenOf("good-1"));
    REQUIRE(user->next("Domain", "Login").at("State").at("Stream").text == "Open");
    CHECK(again(*user, "good-2").at("State").at("Stream").text == "Open");
    const Json end = again(*user, "nameless");
    CHECK(end.at("State").at("Stream").text == "Closed");
    CHECK(end.at("State").at("Code").text == "UsageError");
    // Nor does it name a user for a login that has none.
    const auto nobody = t.text(tokenOf("nameless"));
    REQUIRE(nobody->next("Domain", "Login").at("State").at("Stream").text == "Open");
    CHECK(again(*nobody, "nameless").at("State").at("Stream").text == "Open");
    CHECK(again(*nobody, "good-3").at("State").at("Code").text == "UsageError");

    RawConsumer c = t.connection();
    std::vector<std::byte> room(4096);
    const auto send = [&](std::string_view token) {
        rdm::LoginAttributes attributes;
        attributes.authenticationToken = token;
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, attributes).ok());
        Msg m;
        const std::string none(1, '\0');
        rdm::makeLoginRequest(m, none, 5, out.view());
        c.send(m);
        return c.next();
    };
    REQUIRE(int{send("good-4").msg.state.stream} == int{StreamState::open});
    const Received no = send("nameless");
    CHECK(int{no.msg.state.stream} == int{StreamState::closed});
    CHECK(int{no.msg.state.code} == 5);
}

TEST_CASE("not now is no denial: it is not remembered, and closes nothing", "[hub][node][json][access]") {
    CommandHub t("ask * * * *\n");
    t.ready();
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "dana").msg.state.stream} == int{StreamState::open});
    const auto text = t.text(R"("Name":"tess")");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    c.send(HubFixture::request(5, "UNSURE"));
    const Received later = c.next();
    checkState(later, 5, StreamState::closedRecover, suspect, 29);
    checkText(later,
              "cannot be said at the moment: service 'DIRECT_FEED', item 'UNSURE': LoginCommand does not know it");
    text->send(R"({"ID":8,"Key":{"Name":"UNSURE"}})");
    const Json state = text->next("ID", "8").at("State");
    CHECK(state.at("Stream").text == "ClosedRecover");
    CHECK(state.at("Code").text == "DacsDown");
    CHECK(t.count("emissary_hub_permission_cached") == 0);
    // The next time it knows.
    t.dir.write("mark", "");
    t.open(c, 5, "UNSURE");
    text->send(R"({"ID":8,"Key":{"Name":"UNSURE"}})");
    CHECK(text->next("ID", "8").at("Type").text == "Refresh");
    // And then it does not again, while both have the item.
    std::filesystem::remove(t.dir.file("mark"));
    const std::uint64_t answers = t.count("emissary_hub_command_answers_total");
    t.f->hub->readAccessAgain();
    t.f->until([&] { return t.count("emissary_hub_command_answers_total") >= answers + 2; });
    CHECK(HubFixture::silent(c));
    text->send(R"({"ID":9,"Key":{"Name":"NO"}})");
    CHECK(text->next("ID", "9").at("State").at("Code").text == "NotEntitled");  // the first to come is no close
}

TEST_CASE("SIGHUP has the program asked again although the rules have errors", "[hub][node][json][access]") {
    CommandHub t("ask * * MAYBE* *\nallow * * * *\n");
    t.ready();
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "dana").msg.state.stream} == int{StreamState::open});
    t.open(c, 5, "MAYBE");
    t.open(c, 6, "IBM");
    const auto text = t.text(R"("Name":"dana")");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    text->send(R"({"ID":8,"Key":{"Name":"MAYBE"}})");
    CHECK(text->next("ID", "8").at("Type").text == "Refresh");
    t.dir.write("mark", "");
    t.dir.write("rules", "allow everything\n");
    t.f->hub->readAccessAgain();
    checkState(c.next(), 5, StreamState::closed, suspect, 3);
    CHECK(text->next("ID", "8").at("State").at("Code").text == "NotEntitled");
    CHECK(t.said("what was read before stays in use"));
    CHECK(HubFixture::silent(c));
}

TEST_CASE("items whose answer is too old are asked about again while they are open", "[hub][node][json][access]") {
    CommandHub t("ask * * MAYBE* *\nallow * * * *\n", {},
                 [](HubSettings& s) { s.access.permissionLifetime = std::chrono::seconds(1); });
    t.ready();
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "dana").msg.state.stream} == int{StreamState::open});
    t.open(c, 5, "MAYBE");
    t.open(c, 6, "IBM");
    const auto text = t.text(R"("Name":"tess")");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    text->send(R"({"ID":8,"Key":{"Name":"MAYBE"}})");
    CHECK(text->next("ID", "8").at("Type").text == "Refresh");
    t.dir.write("mark", "");
    checkState(c.next(), 5, StreamState::closed, suspect, 3);
    CHECK(text->next("ID", "8").at("State").at("Code").text == "NotEntitled");
    CHECK(HubFixture::silent(c));
}

TEST_CASE("the example of a program does what its text says", "[hub][node][json][access]") {
    perf::test::TempDir files;
    files.write("users", "# users\ndana right-word desk,all\nwatcher watch desk\ntess other-word\n");
    CommandHub t("ask * * * *\n", {sourcePath("/etc/login_command.py"), files.file("users")},
                 [](HubSettings& s) { s.loginCheckTimeout = std::chrono::seconds(30); });  // an interpreter starts
    RawConsumer c = t.connection();
    REQUIRE(int{t.login(c, "dana", "right-word").msg.state.stream} == int{StreamState::open});
    c.send(RawConsumer::directoryRequest(3));
    t.f->until([&] { return t.f->hub->dictionary() != nullptr; });
    RawConsumer bad = t.connection();
    const Received no = t.login(bad, "dana", "wrong-word");
    CHECK(int{no.msg.state.code} == 3);
    CHECK(eta::asText(no.msg.state.text) == "The user or the password is not accepted.");
    RawConsumer nobody = t.connection();
    CHECK(int{t.login(nobody, "nobody", "").msg.state.code} == 3);
    const auto text = t.text(R"("Name":"tess","Elements":{"Password":"other-word"})");
    REQUIRE(text->next("Domain", "Login").at("State").at("Stream").text == "Open");
    text->send(R"({"ID":8,"Key":{"Name":"IBM","Service":"DIRECT_FEED"}})");
    CHECK(text->next("ID", "8").at("State").at("Code").text == "NotEntitled");
    // The file is away: not a no, but later.
    std::filesystem::remove(files.file("users"));
    RawConsumer later = t.connection();
    CHECK(int{t.login(later, "dana", "right-word").msg.state.stream} == int{StreamState::closedRecover});
    t.f->until([&] { return t.said("LoginCommand: says: [Errno 2] No such file or directory"); });
    // The same of an item, and of a file that is no text.
    text->send(R"({"ID":9,"Key":{"Name":"IBM.DLY","Service":"DIRECT_FEED"}})");
    CHECK(text->next("ID", "9").at("State").at("Stream").text == "ClosedRecover");
    files.write("users", "dana \xFF\xFE desk\n");
    RawConsumer broken = t.connection();
    CHECK(int{t.login(broken, "dana", "right-word").msg.state.stream} == int{StreamState::closedRecover});
    files.write("users", "dana\n");
    RawConsumer half = t.connection();
    CHECK(int{t.login(half, "dana", "right-word").msg.state.stream} == int{StreamState::closedRecover});
    CHECK(t.count("emissary_hub_command_starts_total") == 1);
    for (const char* const secret : {"right-word", "wrong-word", "other-word"})
        CHECK_FALSE(t.said(secret));
}

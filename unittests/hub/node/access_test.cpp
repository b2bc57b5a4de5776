// Files of rules and of logins at work in a whole hub, for RIPC and JSON clients.
#include "fixture.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"

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

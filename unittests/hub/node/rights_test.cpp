// Who may have which item, on RIPC and on JSON, through a whole hub.
#include "fixture.h"
#include "hub/client/rights.h"
#include "hub/core/ItemTable.h"
#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

struct RightsHub {
    Rights rights;
    HubFixture f;

    explicit RightsHub(CachePolicy::Rule cache = CachePolicy::Rule::all)
        : f([cache](HubSettings& s) { s.services[0].cache.rule = cache; }, nullptr, &rights) {
        f.plainNumbers = true;
        f.connected();
        f.until([this] { return f.hub->dictionary() != nullptr; });
    }
    std::unique_ptr<TextClient> text() {
        auto c = std::make_unique<TextClient>(webSocketTo(f.hub->port()), [this] { f.turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"tess"}})");
        REQUIRE(c->next("Domain", "Login").at("State").at("Stream").text == "Open");
        return c;
    }
    void answer(const std::string& name, bool granted) {
        const std::lock_guard guard(f.hub->rooms().reactor.lock());
        rights.answer(name, granted);
    }
};

}  // namespace

TEST_CASE("a source is asked when the first request is granted, and not before", "[hub][node][json][rights]") {
    RightsHub t(GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none));
    RawConsumer c = t.f.loggedIn("c");
    const auto texts = t.text();
    const bool textFirst = GENERATE(false, true);
    const auto askText = [&] { texts->send(R"({"ID":8,"Key":{"Name":"IBM"}})"); };
    if (textFirst) {
        askText();
        t.f.until([&] { return t.rights.asked.size() == 1; });
    }
    c.send(HubFixture::request(5));
    t.f.until([&] { return t.rights.asked.size() == (textFirst ? 2u : 1u); });
    if (!textFirst) {
        askText();
        t.f.until([&] { return t.rights.asked.size() == 2; });
    }
    CHECK(HubFixture::silent(c));
    CHECK(t.f.wire().empty());
    t.answer("IBM", false);  // of whoever came first
    if (textFirst) {
        const Json no = texts->next("ID", "8");
        INFO(no.source);
        CHECK(no.at("State").at("Stream").text == "Closed");
        CHECK(no.at("State").at("Code").text == "NotEntitled");
    } else checkState(c.next(), 5, StreamState::closed, suspect, 3);
    CHECK(t.f.wire().empty());
    t.answer("IBM", true);
    t.f.refresh(t.f.asked().msg.streamId, 10);
    if (textFirst) checkState(c.next(), 5, StreamState::open, ok);
    else CHECK(texts->next("ID", "8").at("Type").text == "Refresh");
}

TEST_CASE("rights that change close streams on RIPC and on JSON", "[hub][node][json][rights]") {
    RightsHub t;
    t.rights.later = false;
    RawConsumer c = t.f.loggedIn("c");
    c.send(HubFixture::request(5));
    t.f.refresh(t.f.asked().msg.streamId, 10);
    checkState(c.next(), 5, StreamState::open, ok);
    const auto texts = t.text();
    texts->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    CHECK(texts->next("ID", "8").at("Type").text == "Refresh");
    SECTION("of the JSON client") {
        t.rights.grants = [](const hub::client::RequestAsk& ask) { return ask.user != "tess"; };
        t.f.hub->recheck();
        const Json gone = texts->next("ID", "8");
        INFO(gone.source);
        CHECK(gone.at("Type").text == "Status");
        CHECK(gone.at("State").at("Stream").text == "Closed");
        CHECK(gone.at("State").at("Code").text == "NotEntitled");
        CHECK(HubFixture::silent(c));
    }
    SECTION("of the RIPC client") {
        t.rights.grants = [](const hub::client::RequestAsk& ask) { return ask.user == "tess"; };
        t.f.hub->recheck();
        checkState(c.next(), 5, StreamState::closed, suspect, 3);
    }
    t.f.until([&] { return t.rights.looks == 2; });
    CHECK(t.f.hub->rooms().items.size() == 1);
}

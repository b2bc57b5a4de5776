// Settings that a running hub takes: rates, user classes and limits, for clients that are there, of both protocols.
#include "hub/config/HubConfig.h"
#include "hub/core/Client.h"
#include "hub/flow/ItemFlow.h"
#include "late_reader.h"
#include "perftools/TempDir.h"
#include "reactor/metrics/Snapshot.h"
#include "support/hub_parameters.h"
#include "support/same.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

/// No update that waits for it goes by itself within a test.
constexpr Conflation kForever{Conflation::Mode::interval, std::chrono::hours(1)};

/// A hub with one cached service and two clients that have its item, on stream 5.
struct Changing {
    HubFixture f;
    LateReader quick, rated;
    std::int32_t source = 0;
    std::uint64_t last = 100;

    Changing(bool json, const std::function<void(HubSettings&)>& change = {})
        : f([&](HubSettings& s) {
              s.services[0].cache.rule = CachePolicy::Rule::all;
              if (change) change(s);
          }),
          quick((prepare(), f), json, 0, "quick"), rated(f, json, 0, "rated") {
        quick.open(5);
        rated.open(5);
        f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 2; });
        source = f.asked().msg.streamId;
        f.refresh(source, last);
        seen();
    }
    void prepare() {
        f.plainNumbers = true;
        f.connected();
        f.until([&] { return f.hub->dictionary() != nullptr; });
    }
    void change(const std::function<void(HubSettings&)>& how) {
        HubSettings next = f.hub->settings();
        how(next);
        REQUIRE_FALSE(f.hub->change(next));
    }
    void update() { f.update(source, ++last); }
    [[nodiscard]] std::string latest() const { return "1=" + std::to_string(last); }
    [[nodiscard]] bool has(LateReader& reader) {
        reader.read();
        return reader.values[5] == latest();
    }
    /// Both have what was sent last.
    void seen() {
        f.until([&] {
            const bool first = has(quick);
            return has(rated) && first;
        });
    }
    [[nodiscard]] std::uint64_t value(std::string_view name) {
        return f.hub->rooms().reactor.metrics().value(name).value_or(0);
    }
};

}  // namespace

TEST_CASE("another rate holds at once for clients that are logged in, and nothing that waits is lost",
          "[hub][node][reload][rates][json]") {
    const bool json = GENERATE(false, true);
    const std::string of = GENERATE("service", "port", "users");
    INFO((json ? "JSON" : "RIPC") << ", rule of " << of);
    Changing t(json);
    t.update();
    t.seen();
    t.change([&](HubSettings& s) {
        if (of == "service") s.services[0].conflation = kForever;
        else if (of == "port") s.listeners[0].conflation = kForever;
        else s.userClasses = {{"slow", {"rated"}, {}, kForever}};
    });
    t.update();  // the first of the interval
    t.seen();
    const std::uint64_t before = t.rated.updates;
    for (int i = 0; i < 5; ++i)
        t.update();
    t.f.until([&] {  // an item of each thread that serves one of the clients
        return t.value("emissary_hub_conflating_items") >= 1 && t.value("emissary_hub_front_waiting") == 0;
    });
    if (of == "users") t.f.until([&] { return t.has(t.quick); });
    t.rated.read();
    CHECK(t.rated.updates == before);
    CHECK(t.rated.values[5] != t.latest());
    // A shorter one: what waits goes at once, not at the end of the hour.
    t.change([&](HubSettings& s) {
        const Conflation shorter{Conflation::Mode::interval, 1ms};
        if (of == "service") s.services[0].conflation = shorter;
        else if (of == "port") s.listeners[0].conflation = shorter;
        else s.userClasses[0].conflation = shorter;
    });
    t.seen();
    CHECK(t.rated.updates == before + 1);
    t.change([&](HubSettings& s) {
        s.services[0].conflation = {};
        s.listeners[0].conflation.reset();
        s.userClasses.clear();
    });
    const std::uint64_t joined = t.value("emissary_hub_conflated_updates_total");
    for (int i = 0; i < 20; ++i)
        t.update();
    t.seen();
    CHECK(t.value("emissary_hub_conflated_updates_total") == joined);
    CHECK(t.value("emissary_hub_conflating_items") == 0);
    CHECK(t.value("emissary_hub_conflated_bytes") == 0);
}

TEST_CASE("whoever comes into another user class, by its group or by the classes, has its rate",
          "[hub][node][reload][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    const perf::test::TempDir dir;
    dir.write("users", "quick::desk:\nrated::desk:\nwatcher::desk:\n");
    Changing t(json, [&](HubSettings& s) {
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = dir.file("users");
        s.userClasses = {{"slow", {}, {"retail"}, kForever}};
    });
    const auto classOf = [&](const char* user) {
        const std::lock_guard guard(t.f.hub->rooms().reactor.lock());
        ClientTable& clients = t.f.hub->rooms().clients;
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (const Client* const c = clients.find(i); c != nullptr && c->user == user) return int{c->userClass};
        return -1;
    };
    CHECK(classOf("rated") == 0);
    std::filesystem::rename(dir.write("users.new", "quick::desk:\nrated::retail:\nwatcher::desk:\n"),
                            dir.file("users"));
    t.f.hub->readAccessAgain();
    t.f.until([&] { return classOf("rated") == 1; });
    CHECK(classOf("quick") == 0);
    t.update();
    t.seen();
    t.update();
    t.f.until([&] { return t.has(t.quick) && t.value("emissary_hub_conflating_items") == 1; });
    CHECK_FALSE(t.has(t.rated));
    // The class names another group: the client leaves it, with what waited.
    t.change([](HubSettings& s) { s.userClasses[0].groups = {"desk"}; });
    CHECK(classOf("rated") == 0);
    CHECK(classOf("quick") == 1);
    t.seen();
    t.update();
    t.f.until([&] { return t.has(t.rated); });  // the other one may wait for its interval now
}

TEST_CASE("rates that change in the middle of updates leave everybody with the last values",
          "[hub][node][reload][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Changing t(json);
    std::mt19937 random(5);
    const auto rule = [&]() -> Conflation {
        const auto mode = static_cast<Conflation::Mode>(random() % 4);
        return {mode, std::chrono::milliseconds(1 + random() % 30)};
    };
    for (int step = 0; step < 600; ++step) {
        t.update();
        if (random() % 5 == 0) t.f.turn();
        if (random() % 4 == 0) t.quick.read(), t.rated.read();
        if (random() % 12 == 0)
            t.change([&](HubSettings& s) {
                s.services[0].conflation = rule();
                s.userClasses.clear();
                if (random() % 2 == 0) s.userClasses.push_back({"a", {"rated"}, {}, rule()});
                if (random() % 2 == 0) s.userClasses.push_back({"b", {"quick", "rated"}, {}, rule()});
                if (random() % 2 == 0) s.listeners[0].conflation = rule();
                else s.listeners[0].conflation.reset();
            });
    }
    t.seen();
    CHECK_FALSE(t.quick.closed());
    CHECK_FALSE(t.rated.closed());
    CHECK(t.f.hub->rooms().flow.counts().mounts.get() == 2);
}

TEST_CASE("another limit holds for what clients ask for next", "[hub][node][reload]") {
    Changing t(false);
    RawConsumer c = t.f.loggedIn("dana");
    c.send(HubFixture::request(5));
    CHECK(c.next().msg.state.stream == StreamState::open);
    t.change([](HubSettings& s) { s.maxMountsPerClient = 1; });
    c.send(HubFixture::request(6));
    CHECK(c.next().msg.state.stream != StreamState::open);
    t.change([](HubSettings& s) { s.maxMountsPerClient = 2; });
    c.send(HubFixture::request(7));
    CHECK(c.next().msg.state.stream == StreamState::open);
    t.update();
    CHECK(c.next().msg.streamId == 5);  // opened before, and left alone
    CHECK(c.next().msg.streamId == 7);
}

TEST_CASE("a lower DisconnectAbove ends the connection that is beyond it, and no other",
          "[hub][node][reload][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Changing t(json, [](HubSettings& s) {
        s.listeners[0].bind.sysSendBufSize = 16'384;
        s.listeners[0].slow.conflateBytes = 0;
    });
    for (std::int32_t stream = 6; stream < 56; ++stream)
        t.rated.open(stream);
    t.f.until([&] {
        t.rated.read();
        return t.rated.values.size() == 51;
    });
    for (int i = 0; i < 300; ++i) {  // a megabyte, of which the system takes a little
        t.update();
        t.f.turn();
        t.quick.read();
    }
    t.f.until([&] { return t.has(t.quick) && t.value("emissary_hub_front_waiting") == 0; });
    CHECK(t.value("emissary_hub_slow_disconnects_total") == 0);
    t.change([](HubSettings& s) {
        s.conflateAbove = 100'000;
        s.conflateBelow = 50'000;
        s.disconnectAbove = 200'000;
    });
    t.f.until([&] {
        t.quick.read();
        return t.value("emissary_hub_slow_disconnects_total") == 1;
    });
    t.f.until([&] { return t.f.hub->rooms().flow.counts().mounts.get() == 1; });
    t.update();
    t.f.until([&] { return t.has(t.quick); });
}

TEST_CASE("every parameter that is marked live is another one in the running hub afterwards", "[hub][node][reload]") {
    const perf::test::TempDir dir;
    const auto read = [&](const std::string& document) {
        dir.write("hub.xml", document);
        return readHubConfig(dir.file("hub.xml"), {{}, "0", "0", "0", "tested"});
    };
    std::size_t tried = 0;
    for (const OneParameter& one : allParameters("")) {
        if (one.mark == hub::Reload::restart) continue;
        INFO(one.section << " / " << one.name);
        const HubConfig before = read(one.before), after = read(one.after);
        REQUIRE(before.usable());
        REQUIRE(after.usable());
        HubOptions options;
        options.settings = before.settings;
        Hub hub(std::move(options));
        REQUIRE_FALSE(hub.start());
        std::string where;
        REQUIRE_FALSE(hub.change(after.settings));
        CHECK(same(hub.settings(), after.settings, where, "settings"));
        REQUIRE_FALSE(hub.change(before.settings));
        CHECK(same(hub.settings(), before.settings, where, "settings"));
        INFO("field " << where);
        ++tried;
    }
    CHECK(tried > 50);
}

TEST_CASE("requests that name no service go to another default service", "[hub][node][reload]") {
    const bool json = GENERATE(false, true);
    Changing t(json, [](HubSettings& s) { s.listeners[0].defaultService = "TYPO"; });
    LateReader c(t.f, json, 0, "dana");
    c.openDefault(7, "WAITS");
    t.f.turn();
    t.change([](HubSettings& s) { s.listeners[0].defaultService = "DIRECT_FEED"; });
    const auto asked = t.f.asked();
    CHECK(asked.name() == "WAITS");
    t.f.refresh(asked.msg.streamId, 5, "WAITS");
    t.f.until([&] {
        c.read();
        return c.values[7] == "1=5";
    });
}

TEST_CASE("a shorter ServiceWaitTimeOut holds for what comes next, beside what waits longer", "[hub][node][reload]") {
    Changing t(false, [](HubSettings& s) { s.serviceWait = std::chrono::hours(1); });
    RawConsumer c = t.f.loggedIn("dana");
    const auto waits = [&](std::int32_t stream) {
        Msg m = HubFixture::request(stream, "IBM");
        m.key.flags &= static_cast<std::uint16_t>(~eta::codec::KeyFlag::serviceId);
        c.send(m);
        const auto got = c.next();
        CHECK(got.msg.streamId == stream);
        CHECK(got.msg.state.stream == StreamState::open);
    };
    t.change([](HubSettings& s) { s.listeners[0].defaultService = "LATER"; });
    waits(5);
    t.change([](HubSettings& s) { s.serviceWait = std::chrono::milliseconds(50); });
    waits(6);
    const auto got = c.next();
    CHECK(got.msg.streamId == 6);
    CHECK(got.msg.state.stream == StreamState::closed);
}

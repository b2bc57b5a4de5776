// Updates that other hubs get at most once in an interval (ExportConflation), for clients of both protocols far away.
#include "hub/flow/ItemFlow.h"
#include "hub/nats/NatsServer.h"
#include "late_reader.h"
#include "meshed.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
using Mode = Conflation::Mode;

namespace {

constexpr std::uint8_t kOfQuote = 1, kOfTrade = 2;

/// Two hubs, the one with the source at this rate, and a client of each that has the item on stream 5.
struct RatedMesh : Meshed {
    RatedMesh(bool json, const Conflation& rule, const std::string& server = {})
        : owner((start(rule, server), add("owner", Role::owner))), edge(add("edge", Role::edge)),
          here((connectBoth(), owner), json, 0, "here"), far(edge, json, 0, "far") {
        here.open(5);
        far.open(5);
        source = asked(owner);
        owner.refresh(source, last);
        seen();
    }
    void start(const Conflation& rule, const std::string& server) {
        natsServer = server;
        change = [rule](HubSettings& s) {
            s.services.front().exported = rule;
            ServiceSettings other = s.services.front();  // nobody offers it; its rule is one of the hub's all the same
            other.name = "OTHER_FEED";
            other.serviceId.reset();
            s.services.push_back(other);
            s.mesh.heartbeat = 500ms;  // nothing here is to be suspect since the machine was busy
        };
    }
    void connectBoth() {
        owner.connected();
        edge.connected();
        edge.until([&] { return metric(edge, "emissary_hub_mesh_peers") == 1; });
    }
    void update(std::uint8_t type = kOfQuote) {
        Msg m = RawProvider::update(source);
        m.updateType = type;
        owner.fill(m, ++last);
        owner.provider.send(m);
    }
    [[nodiscard]] static std::string textOf(std::uint64_t bid) { return "1=" + std::to_string(bid); }
    void until(LateReader& reader, std::uint64_t bid) {
        owner.until([&] {
            reader.read();
            return reader.values[5] == textOf(bid);
        });
    }
    void seen() {
        until(here, last);
        until(far, last);
    }
    /// Everything that has gone out has come.
    void settle() {
        until(here, last);
        const std::uint64_t frames = metric(edge, "emissary_hub_mesh_frames_in_total");
        owner.until([&] { return metric(edge, "emissary_hub_mesh_frames_in_total") > frames + 2; });  // heartbeats
        far.read();
    }
    void untilWaiting(std::uint64_t items) {
        owner.until([&] { return metric(owner, "emissary_hub_mesh_conflating_items") == items; });
    }

    HubFixture &owner, &edge;
    LateReader here, far;
    std::int32_t source = 0;
    std::uint64_t last = 100;
};

/// Nothing that waits for it goes by itself within a test.
constexpr auto kWaitsHere = std::chrono::hours(1);

}  // namespace

TEST_CASE("other hubs get quotes once in an interval, and trades at once with what waits ahead of them",
          "[hub][node][mesh][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    RatedMesh t(json, {Mode::tradesafe, kWaitsHere});
    t.update();  // the first goes at once
    t.seen();
    for (int i = 0; i < 10; ++i)
        t.update();
    t.untilWaiting(1);
    t.settle();
    CHECK(t.far.values[5] == RatedMesh::textOf(101));
    CHECK(t.far.itemStates[5].starts_with("Open/Ok"));
    CHECK(t.far.updates == 1);
    CHECK(t.here.updates == 11);  // its own clients have all of them
    t.update(kOfTrade);
    t.seen();
    CHECK(t.far.updates == 3);  // what waited, and the trade
    t.untilWaiting(0);
    CHECK(Meshed::metric(t.owner, "emissary_hub_mesh_conflated_updates_total") == 9);
    for (int i = 0; i < 3; ++i)
        t.update(kOfTrade);
    t.seen();
    CHECK(t.far.updates == 6);
    // A status goes behind what waits, and says nothing of the value.
    t.update();
    t.untilWaiting(1);
    t.owner.sendState(t.source, {StreamState::open, suspect, 0, eta::asBytes(std::string_view("slow"))});
    t.owner.until([&] {
        t.far.read();
        return t.far.itemStates[5] == "Open/Suspect slow";
    });
    CHECK(t.far.values[5] == RatedMesh::textOf(t.last));
    // So does the end of the item.
    t.owner.sendState(t.source, {StreamState::open, ok, 0, eta::asBytes(std::string_view("quick"))});
    t.update();
    t.untilWaiting(1);
    t.owner.sendState(t.source, {StreamState::closed, suspect, 1, eta::asBytes(std::string_view("delisted"))});
    t.owner.until([&] {
        t.far.read();
        return t.far.itemStates[5] == "Closed/Suspect delisted";
    });
    CHECK(t.far.values[5] == RatedMesh::textOf(t.last));
    CHECK(Meshed::metric(t.owner, "emissary_hub_mesh_conflating_items") == 0);
}

TEST_CASE("of all types one update in an interval goes to other hubs, when the interval is over",
          "[hub][node][mesh][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    RatedMesh t(json, {Mode::interval, 100ms});
    for (int i = 0; i < 20; ++i)
        t.update(i % 2 == 0 ? kOfTrade : kOfQuote);
    t.seen();
    t.untilWaiting(0);
    CHECK(t.here.updates == 20);
    CHECK(t.far.updates >= 2);
    CHECK(t.far.updates < 20);
}

TEST_CASE("a hub that comes while updates wait has them in its image, and others get them ahead of it",
          "[hub][node][mesh][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    RatedMesh t(json, {Mode::tradesafe, kWaitsHere});
    t.update();
    t.update();
    t.untilWaiting(1);
    HubFixture& third = t.add("third", Meshed::Role::edge);
    third.connected();
    LateReader late(third, json, 0, "late");
    late.open(5);
    t.until(late, t.last);
    CHECK(late.updates == 0);
    t.until(t.far, t.last);
    t.untilWaiting(0);
    t.update();
    t.untilWaiting(1);
    t.update(kOfTrade);
    t.until(late, t.last);
    t.until(t.far, t.last);
    CHECK(late.updates == 2);
    CHECK(late.early == 0);
    CHECK(late.itemStates[5].starts_with("Open/Ok"));
}

TEST_CASE("another rate towards other hubs holds at once, and what waits is not lost",
          "[hub][node][mesh][rates][reload]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    RatedMesh t(json, {Mode::interval, kWaitsHere});
    const auto change = [&](const Conflation& rule) {
        HubSettings next = t.owner.hub->settings();
        next.services.front().exported = rule;
        REQUIRE_FALSE(t.owner.hub->change(next));
    };
    t.update();
    t.update();
    t.untilWaiting(1);
    change({Mode::none});  // OTHER_FEED keeps the rule, so the rules of the hub are the same ones
    t.seen();
    t.untilWaiting(0);
    t.update();
    t.seen();
    CHECK(t.far.updates == 3);
    CHECK(Meshed::metric(t.owner, "emissary_hub_mesh_conflating_items") == 0);
    change({Mode::tradesafe, kWaitsHere});
    t.update();
    t.seen();
    t.update();
    t.untilWaiting(1);
    change({Mode::tradesafe, 10ms});
    t.seen();
    // Nobody wants the item any more: what waits goes with it.
    change({Mode::interval, kWaitsHere});
    t.update();
    t.update();
    t.untilWaiting(1);
    t.kill(t.edge);
    t.untilWaiting(0);
}

TEST_CASE("items at a rate end with what their source has, whatever is lost on the way",
          "[hub][node][mesh][rates][json][nats]") {
    const bool json = GENERATE(false, true), overNats = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (overNats ? ", NATS" : ""));
    std::optional<NatsServer> server;
    if (overNats) server.emplace();
    RatedMesh t(json, {Mode::tradesafe, 20ms}, server ? server->url() : std::string());
    std::mt19937 random(7);
    std::uint64_t updates = 0;
    for (int step = 0; step < 3000; ++step) {
        t.update(random() % 10 == 0 ? kOfTrade : kOfQuote);
        ++updates;
        if (step % 300 == 299 && !overNats) t.mesh.lose("edge", 2);
        if (step % 500 == 499) t.owner.refresh(t.source, ++t.last);
        t.owner.turn();
        t.here.read();
        t.far.read();
    }
    t.seen();
    t.untilWaiting(0);
    t.settle();
    CHECK(t.here.updates == updates);
    CHECK(t.far.updates < updates);
    CHECK(t.far.early == 0);
    CHECK(t.far.values[5] == RatedMesh::textOf(t.last));
    CHECK(t.far.itemStates[5].starts_with("Open/Ok"));
    CHECK(Meshed::metric(t.owner, "emissary_hub_mesh_conflated_updates_total") > 0);
    CHECK(Meshed::metric(t.owner, "emissary_hub_mesh_conflated_bytes") == 0);
}

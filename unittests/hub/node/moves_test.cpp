// Sources and services that come and go while the hub runs, with clients of both protocols that look on.
#include "hub/core/ItemTable.h"
#include "hub/flow/ItemFlow.h"
#include "moving.h"
#include "perftools/TempDir.h"
#include "publisher.h"
#include "reactor/metrics/Snapshot.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

/// A client of the service that no reload is about.
struct Bystander {
    Bystander(MovingHub& f, bool json) : hub(f), viewer(f, json, "bystander") {
        opened(5, "DIRECT_FEED");
        before = viewer[5].messages;
        directories = viewer.services.size();
    }
    /// It has an image of IBM of that service, on that stream, as soon as the service is up.
    void opened(std::int32_t stream, const std::string& service) {
        hub.until([&] { return viewer.up(service); });
        viewer.open(stream, service);
        hub.until([&] { return viewer[stream].isOk(); });
    }
    /// It has heard updates of its item, and nothing else of it.
    void undisturbed() {
        hub.update(hub.steady, ++hub.steadyValue);
        ++updates;
        hub.until([&] { return viewer[5].value == hub.steadyValue; });
        CHECK(viewer[5].states == 0);
        CHECK(viewer[5].messages == before + updates);
        CHECK(viewer[5].isOk());
        CHECK_FALSE(viewer.gone());
        CHECK_FALSE(viewer.deleted.contains("DIRECT_FEED"));
        CHECK(hub.provider.connections == 1);
    }
    MovingHub& hub;
    Viewer viewer;
    std::uint64_t before = 0, updates = 0;
    std::size_t directories = 0;
};

[[nodiscard]] bool labelled(MovingHub& f, const std::string& label) {
    return f.hub->rooms().reactor.metrics().text().find(label) != std::string::npos;
}

}  // namespace

TEST_CASE("a source that is added offers its services at once, and a service entry comes with it",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f;
    Bystander other(f, json);
    Supplier a(1, {"NEW_FEED"});
    f.suppliers = {&a};
    f.taken([&](HubSettings& s) {
        s.sources.push_back(a.settings("A"));
        s.services.push_back(MovingHub::entry("NEW_FEED", [](ServiceSettings& n) {
            n.serviceId = 4711;
            n.cache.rule = CachePolicy::Rule::all;
        }));
    });
    CHECK(f.sources() == std::set<std::string>{"SRC", "A"});
    f.until([&] { return other.viewer.up("NEW_FEED"); });
    CHECK(f.service("NEW_FEED")->id == 4711);
    other.viewer.open(7, "NEW_FEED");
    f.until([&] { return other.viewer[7].isOk(); });
    a.tick();
    f.until([&] { return other.viewer[7].value == a.last["NEW_FEED/IBM"]; });
    CHECK(labelled(f, "source=\"A\""));
    // Late joiners get the image from the cache: the entry says so.
    Viewer late(f, !json, "late");
    f.until([&] { return late.up("NEW_FEED"); });
    late.open(9, "NEW_FEED");
    f.until([&] { return late[9].isOk(); });
    CHECK(a.requests == 1);
    other.undisturbed();
}

TEST_CASE("a source that is removed leaves: another one goes on with its items, or they are Suspect",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f;
    Bystander other(f, json);
    Supplier a(1, {"BOTH", "ALONE", "UNWATCHED"}), b(2, {"BOTH"});
    f.suppliers = {&a, &b};
    f.source("A", a);
    f.until([&] { return other.viewer.up("ALONE") && other.viewer.up("BOTH") && other.viewer.up("UNWATCHED"); });
    f.source("B", b);
    f.until([&] { return f.service("BOTH")->offers.size() == 2; });
    other.viewer.open(7, "BOTH");
    other.viewer.open(8, "ALONE");
    f.until([&] { return other.viewer[7].isOk() && other.viewer[8].isOk(); });
    CHECK(a.requests == 2);
    f.without("A");
    CHECK(f.sources() == std::set<std::string>{"SRC", "B"});
    CHECK_FALSE(labelled(f, "source=\"A\""));
    f.settled();
    f.until([&] { return !a.provider.connected() && a.goodbyes == 1; });
    f.until([&] { return other.viewer[7].isOk() && other.viewer[7].value / Supplier::kValues == 2; });
    CHECK(b.serves("BOTH", "IBM"));
    CHECK(f.service("BOTH")->offers.size() == 1);
    CHECK(f.service("BOTH")->merged.links.size() == 1);
    f.until([&] { return other.viewer[8].isSuspect(); });
    CHECK(other.viewer[8].text == "the source of this item was lost");
    f.until([&] { return !other.viewer.up("ALONE"); });
    CHECK(other.viewer.knows("ALONE"));  // somebody watches it
    f.until([&] { return !other.viewer.knows("UNWATCHED"); });
    other.undisturbed();

    // The same name again, and another source behind it.
    Supplier c(3, {"ALONE"});
    f.suppliers.push_back(&c);
    f.source("A", c);
    f.until([&] { return other.viewer[8].isOk() && other.viewer[8].value / Supplier::kValues == 3; });
    f.without("B");
    f.settled();
    f.until([&] { return other.viewer[7].isSuspect(); });
    CHECK(other.viewer[8].isOk());
    CHECK(b.provider.connected() == false);
    other.undisturbed();
}

TEST_CASE("a source is removed and added again under its name in one turn, with another server behind it",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f;
    Bystander other(f, json);
    Supplier a(1, {"FEED"}), b(2, {"FEED"}), c(3, {"FEED"});
    f.suppliers = {&a, &b, &c};
    f.source("A", a);
    other.opened(7, "FEED");
    f.without("A");
    f.source("A", b);
    f.without("A");
    f.source("A", c);
    CHECK(f.hub->leaving() >= 1);
    f.settled();
    f.until([&] { return other.viewer[7].isOk() && other.viewer[7].value / Supplier::kValues == 3; });
    f.until([&] { return !a.provider.connected() && !b.provider.connected(); });
    CHECK(b.streams.empty());
    other.undisturbed();
}

TEST_CASE("another port or user of a source makes its connection anew, and no other", "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f;
    Bystander other(f, json);
    Supplier a(1, {"FEED"}), b(2, {"FEED"}), c(3, {"OTHER"});
    f.suppliers = {&a, &b, &c};
    f.source("A", a);
    f.source("C", c);
    f.until([&] { return other.viewer.up("FEED") && other.viewer.up("OTHER"); });
    other.viewer.open(7, "FEED");
    other.viewer.open(8, "OTHER");
    f.until([&] { return other.viewer[7].isOk() && other.viewer[8].isOk(); });
    const std::uint64_t said = other.viewer[8].messages;
    f.source("A", b);
    f.until([&] { return other.viewer[7].isOk() && other.viewer[7].value / Supplier::kValues == 2; });
    f.until([&] { return !a.provider.connected(); });
    CHECK(a.goodbyes == 1);
    CHECK(labelled(f, "source=\"A\""));
    CHECK(f.sources() == std::set<std::string>{"SRC", "A", "C"});
    // Another user: the same server sees another connection.
    f.taken([](HubSettings& s) { s.sources[1].userName = "somebody"; });
    f.until([&] { return b.provider.connections == 2 && b.provider.connected(); });
    f.until([&] { return other.viewer[7].isOk() && b.serves("FEED", "IBM"); });
    // Limits make no other connection.
    f.taken([](HubSettings& s) {
        s.sources[1].requestRate = 17;
        s.sources[1].maxItems = 5;
        s.sources[1].required = false;
    });
    for (int i = 0; i < 50; ++i)
        f.turn();
    CHECK(b.provider.connections == 2);
    // Twice while the first is still under way; the last one counts.
    f.source("A", a);
    f.source("A", b);
    f.source("A", a);
    f.until([&] { return other.viewer[7].isOk() && other.viewer[7].value / Supplier::kValues == 1; });
    f.until([&] { return !b.provider.connected(); });
    // Removed while its connection is being made anew.
    f.source("A", b);
    f.without("A");
    f.settled();
    f.until([&] { return other.viewer[7].isSuspect(); });
    CHECK(other.viewer[8].messages == said);
    CHECK(c.provider.connections == 1);
    other.undisturbed();
}

TEST_CASE("a service without a source comes and goes with its entry: clients get a Delete, streams ClosedRecover",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f([](HubSettings& s) { s.serviceDefaults.unknownItem = UnknownItem::wait; });
    Bystander other(f, json);
    f.taken([](HubSettings& s) {
        s.services.push_back(MovingHub::fixed("FIXED", 200));
        s.services.back().unknownItem = UnknownItem::wait;
    });
    f.until([&] { return other.viewer.up("FIXED"); });
    CHECK(f.service("FIXED")->id == 200);
    for (std::int32_t stream = 10; stream < 40; ++stream)
        other.viewer.open(stream, "FIXED", "ITEM" + std::to_string(stream));
    f.until([&] { return other.viewer[39].isSuspect(); });
    f.taken([](HubSettings& s) { s.services.pop_back(); });
    f.until([&] { return !other.viewer.knows("FIXED"); });
    CHECK(other.viewer.deleted.count("FIXED") == 1);
    f.until([&] {
        other.viewer.read();
        return std::ranges::all_of(other.viewer.streams, [](const auto& s) {
            return s.first < 10 || s.second.stream == StreamState::closedRecover;
        });
    });
    CHECK(other.viewer[20].text == "the service of this item is gone");
    CHECK(f.service("FIXED") == nullptr);
    CHECK_FALSE(labelled(f, "service=\"FIXED\""));
    // Again, with another id; and then its former id for another name.
    f.taken([](HubSettings& s) { s.services.push_back(MovingHub::fixed("FIXED", 201)); });
    CHECK(f.service("FIXED")->id == 201);
    f.taken([](HubSettings& s) { s.services.push_back(MovingHub::fixed("SECOND", 200)); });
    CHECK(f.service("SECOND")->id == 200);
    f.until([&] { return other.viewer.up("FIXED") && other.viewer.up("SECOND"); });
    // An id of a service that is there is nobody else's.
    const HubSettings before = f.hub->settings();
    const eta::Refused refused = f.change([](HubSettings& s) {
        s.services.pop_back();
        s.services.push_back(MovingHub::fixed("THIRD", 200));
        s.maxMountsPerClient = 77;
    });
    CHECK(refused.text.find("ServiceId 200 of Service [THIRD] is that of service 'SECOND'") != std::string::npos);
    CHECK(f.hub->settings().maxMountsPerClient == before.maxMountsPerClient);
    CHECK(f.service("THIRD") == nullptr);
    CHECK(f.service("SECOND") != nullptr);
    other.undisturbed();
}

TEST_CASE("a service goes with its entry and the last of its sources, and comes back with others",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f;
    Bystander other(f, json);
    Supplier a(1, {"FEED"}), b(2, {"FEED"});
    f.suppliers = {&a, &b};
    const auto begin = [&](const Supplier& with, CachePolicy::Rule rule) {
        f.taken([&](HubSettings& s) {
            s.sources.push_back(with.settings("A"));
            s.services.push_back(MovingHub::entry("FEED", [&](ServiceSettings& n) {
                n.sources = {"A"};
                n.cache.rule = rule;
            }));
        });
    };
    const auto end = [](HubSettings& s) {
        s.sources.pop_back();
        s.services.pop_back();
    };
    begin(a, CachePolicy::Rule::all);
    for (int round = 1; round <= 3; ++round) {
        other.opened(7, "FEED");
        CHECK(other.viewer[7].value / Supplier::kValues == (round % 2 == 1 ? 1 : 2));
        CHECK(f.service("FEED")->keeps(6) == (round % 2 == 1));
        f.taken(end);
        f.until([&] { return !other.viewer.knows("FEED"); });
        CHECK(other.viewer.deleted.count("FEED") == std::size_t(round));
        f.until([&] { return other.viewer[7].stream == StreamState::closedRecover; });
        if (round == 2) f.settled();
        begin(round % 2 == 1 ? b : a, round % 2 == 1 ? CachePolicy::Rule::none : CachePolicy::Rule::all);
    }
    f.settled();
    other.undisturbed();
}

TEST_CASE("requests that wait at a source that is removed go to another one, and posts are answered",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f;
    Bystander other(f, json);
    Supplier a(1, {"FEED"}), b(2, {"FEED"});
    f.suppliers = {&a, &b};
    f.source("A", a);
    f.until([&] { return other.viewer.up("FEED"); });
    f.source("B", b);
    f.until([&] { return f.service("FEED")->offers.size() == 2; });
    RawConsumer poster = f.loggedIn("poster");
    poster.send(RawConsumer::request(5, 6, "POSTED", f.service("FEED")->id));
    CHECK(poster.next().msg.cls == MsgClass::Refresh);
    a.answers = false;
    for (std::int32_t stream = 10; stream < 60; ++stream)
        other.viewer.open(stream, "FEED", "ITEM" + std::to_string(stream));
    f.until([&] { return a.requests == 51; });
    poster.send(f.post(5, 9, 1));
    f.until([&] {
        return std::ranges::any_of(a.provider.wire, [](const std::string& line) { return line.starts_with("POST"); });
    });
    f.without("A");
    f.until([&] {
        other.viewer.read();
        return std::ranges::all_of(other.viewer.streams, [](const auto& s) { return s.first < 10 || s.second.isOk(); });
    });
    f.until([&] { return b.requests == 51; });
    for (;;) {
        const Received got = poster.next();
        if (got.msg.cls != MsgClass::Ack) continue;
        CHECK(got.msg.ackId == 9);
        CHECK(got.msg.nakCode != 0);
        break;
    }
    f.settled();
    other.undisturbed();
}

TEST_CASE("a source that was never up, or whose server is away, is removed as well", "[hub][node][moves]") {
    MovingHub f;
    Bystander other(f, false);
    Supplier a(1, {"FEED"}), dead(2, {"NONE"});
    f.suppliers = {&a};
    dead.provider.die();
    f.source("DEAD", dead);
    f.source("A", a);
    other.opened(7, "FEED");
    a.provider.die();
    a.streams.clear();
    f.until([&] { return other.viewer[7].isSuspect(); });
    f.without("DEAD");
    f.without("A");
    f.settled();
    CHECK(f.sources() == std::set<std::string>{"SRC"});
    CHECK(f.service("FEED")->offers.empty());
    CHECK(f.service("FEED")->merged.links.empty());
    other.viewer.close(7);
    other.undisturbed();
    // And the hub ends while others leave.
    a.provider.revive();
    f.source("A", a);
    other.opened(8, "FEED");
    f.without("A");
}

TEST_CASE("a source in hot mode is removed: the other one goes on, and nobody hears of it",
          "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    const bool first = GENERATE(true, false);
    INFO((json ? "JSON" : "RIPC") << (first ? ", the one that serves" : ", the one that stands by"));
    MovingHub f([](HubSettings& s) {
        s.services.push_back(MovingHub::entry("FEED", [](ServiceSettings& n) {
            n.sourceMode = SourceMode::hot;
            n.cache.rule = CachePolicy::Rule::all;
        }));
    });
    Bystander other(f, json);
    Supplier a(1, {"FEED"}), b(2, {"FEED"});
    f.suppliers = {&a, &b};
    f.source("A", a);
    f.until([&] { return other.viewer.up("FEED"); });
    f.source("B", b);
    f.until([&] { return f.service("FEED")->offers.size() == 2; });
    for (std::int32_t stream = 10; stream < 30; ++stream)
        other.viewer.open(stream, "FEED", "ITEM" + std::to_string(stream));
    f.until([&] { return a.streams.size() == 20 && b.streams.size() == 20; });
    for (int i = 0; i < 20; ++i)
        f.turn();
    f.until([&] { return other.viewer[29].isOk(); });
    f.without(first ? "A" : "B");
    f.settled();
    Supplier& left = first ? b : a;
    left.tick();
    f.until([&] {
        other.viewer.read();
        return std::ranges::all_of(other.viewer.streams, [&](const auto& s) {
            return s.first < 10 || s.second.value == left.last["FEED/" + s.second.name];
        });
    });
    for (const auto& [stream, s] : other.viewer.streams)
        if (stream >= 10) CHECK(s.isOk());
    CHECK(f.service("FEED")->offers.size() == 1);
    other.undisturbed();
}

TEST_CASE("Sources and the order of sources hold at once, for what is asked for next", "[hub][node][moves]") {
    MovingHub f;
    Bystander other(f, false);
    Supplier a(1, {"FEED"}), b(2, {"FEED"});
    f.suppliers = {&a, &b};
    f.source("A", a);
    f.until([&] { return other.viewer.up("FEED"); });
    f.source("B", b);
    f.until([&] { return f.service("FEED")->offers.size() == 2; });
    const auto servedBy = [&](std::int32_t stream) {
        other.viewer.open(stream, "FEED", "ITEM" + std::to_string(stream));
        f.until([&] { return other.viewer[stream].isOk(); });
        return other.viewer[stream].value / Supplier::kValues;
    };
    CHECK(servedBy(10) == 1);
    f.taken([](HubSettings& s) { std::swap(s.sources[1], s.sources[2]); });
    CHECK(servedBy(11) == 2);
    CHECK(other.viewer[10].states == 0);  // what is open stays where it is
    f.taken([](HubSettings& s) { s.serviceDefaults.sources = {"A"}; });
    // DIRECT_FEED has an entry of its own; FEED is left to A alone, and its item of B goes there.
    f.until([&] { return other.viewer[11].isOk() && other.viewer[11].value / Supplier::kValues == 1; });
    CHECK(servedBy(12) == 1);
    CHECK(b.provider.connected());
    f.taken([](HubSettings& s) { s.serviceDefaults.sources = {"B", "A"}; });
    f.until([&] { return f.service("FEED")->offers.size() == 2; });
    CHECK(servedBy(13) == 2);
    // A service whose only offer was not taken until now.
    Supplier c(3, {"LOCKED"});
    f.suppliers.push_back(&c);
    f.source("C", c);
    f.until([&] { return c.provider.connected(); });
    for (int i = 0; i < 50; ++i)
        f.turn();
    CHECK(f.service("LOCKED") == nullptr);
    f.taken([](HubSettings& s) { s.serviceDefaults.sources = {"B", "A", "C"}; });
    f.until([&] { return other.viewer.up("LOCKED"); });
    other.undisturbed();
}

TEST_CASE("a delayed service comes and goes with its entry", "[hub][node][moves][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    MovingHub f([](HubSettings& s) { s.services[0].cache.rule = CachePolicy::Rule::all; });
    Bystander other(f, json);
    const perf::test::TempDir folder;
    const auto add = [&](std::uint64_t fileBytes) {
        return f.change([&](HubSettings& s) {
            s.services.push_back(MovingHub::entry("LATER", [&](ServiceSettings& n) {
                n.cache.rule = CachePolicy::Rule::all;
                n.delay.emplace();
                n.delay->of = "DIRECT_FEED";
                n.delay->time = 1s;
                n.delay->items = {"KEPT"};
                n.delay->fileBytes = fileBytes;
                if (fileBytes != 0) n.delay->folder = folder.file(fileBytes == 1 ? "missing" : "");
            }));
        });
    };
    CHECK(add(1).text.find("DelayFolder") != std::string::npos);
    CHECK(f.hub->settings().services.size() == 1);
    for (int round = 1; round <= 3; ++round) {
        REQUIRE_FALSE(add(round == 2 ? 64u << 20 : 0));
        f.until([&] { return other.viewer.up("LATER"); });
        other.viewer.open(7, "LATER");
        f.until([&] { return other.viewer[7].isSuspect(); });
        CHECK(labelled(f, "service=\"LATER\""));
        if (round == 3) f.until([&] { return other.viewer[7].isOk(); });
        f.taken([](HubSettings& s) { s.services.pop_back(); });
        f.until([&] { return !other.viewer.knows("LATER"); });
        f.until([&] { return other.viewer[7].stream == StreamState::closedRecover; });
        f.settled();
        CHECK_FALSE(labelled(f, "service=\"LATER\""));
        CHECK(f.service("LATER") == nullptr);
    }
    // Its feed is gone from the original: a client alone has its item.
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 1; });
    other.undisturbed();
}

TEST_CASE("a service that a publisher offers stays when its entry goes", "[hub][node][moves]") {
    MovingHub f([](HubSettings& s) { s.services.push_back(MovingHub::entry("NI_FEED")); });
    Publisher publisher(f);
    Bystander other(f, false);
    publisher.refresh(-1, "IBM", 5);
    other.opened(7, "NI_FEED");
    f.taken([](HubSettings& s) { s.services.pop_back(); });
    for (int i = 0; i < 50; ++i)
        f.turn();
    CHECK(other.viewer.up("NI_FEED"));
    publisher.update(-1, 6);
    f.until([&] { return other.viewer[7].value == 6; });
    CHECK(other.viewer[7].states == 0);
    other.undisturbed();
}

TEST_CASE("many items of a removed source and of a deleted service are dealt with in slices", "[hub][node][moves]") {
    constexpr std::int32_t kItems = 4000;
    MovingHub f;
    Bystander other(f, false);
    Supplier a(1, {"FEED"});
    f.suppliers = {&a};
    f.source("A", a);
    f.taken([](HubSettings& s) { s.services.push_back(MovingHub::entry("FEED")); });
    f.until([&] { return other.viewer.up("FEED"); });
    for (std::int32_t stream = 100; stream < 100 + kItems; ++stream) {
        other.viewer.open(stream, "FEED", "ITEM" + std::to_string(stream));
        if (stream % 50 == 0) f.turn();
    }
    f.until([&] { return other.viewer[99 + kItems].isOk(); });
    f.taken([](HubSettings& s) {
        s.sources.pop_back();
        s.services.pop_back();
    });
    std::uint64_t turns = 0;
    f.until([&] {
        if (f.hub->leaving() != 0) ++turns;
        return f.hub->leaving() == 0;
    });
    CHECK(turns > 2);
    f.until([&] { return f.hub->rooms().items.size() == 1; });
    f.until([&] {
        other.viewer.read();
        return std::ranges::all_of(other.viewer.streams, [](const auto& s) {
            return s.first < 100 || s.second.stream == StreamState::closedRecover;
        });
    });
    other.undisturbed();
}

TEST_CASE("200 random reloads leave every client with the truth", "[hub][node][moves][json][random]") {
    MovingHub f([](HubSettings& s) { s.services[0].conflation.mode = Conflation::Mode::none; });
    Bystander ripc(f, false), json(f, true);
    Supplier s1(1, {"S0", "S1"}), s2(2, {"S0"}), s3(3, {"S0", "S1", "S2"}), s4(4, {"S2"});
    const std::vector<Supplier*> all{&s1, &s2, &s3, &s4};
    f.suppliers = all;
    const std::vector<std::string> names{"A", "B", "C"}, offered{"S0", "S1", "S2"};
    std::map<std::string, Supplier*> now;  // what the configuration says
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    // Streams 10, 11 ... of both clients: an item of each service and two of the first.
    struct Wanted {
        std::int32_t stream;
        std::string service, name;
    };
    const std::vector<Wanted> wanted{{10, "S0", "X"}, {11, "S0", "Y"},    {12, "S1", "X"},
                                     {13, "S2", "X"}, {14, "LATER", "X"}, {15, "FIX", "X"}};
    const auto supplies = [&](const std::string& service) {
        return std::ranges::any_of(now, [&](const auto& one) {
            return std::ranges::any_of(one.second->provider.services,
                                       [&](const auto& s) { return s.info.name == service; });
        });
    };
    const auto look = [&](Viewer& v) {  // as a consumer does: what has ended is asked for again
        v.read();
        for (const Wanted& w : wanted) {
            const auto at = v.streams.find(w.stream);
            if ((at == v.streams.end() || at->second.closed()) && v.knows(w.service))
                v.open(w.stream, w.service, w.name);
        }
    };
    std::string why;  // the truth has not come yet
    const auto isTrue = [&](Viewer& v) {
        look(v);
        const auto lacks = [&](const Wanted& w, const char* what) {
            // A stream that is not there must not come into being here: look() would take it for one that was opened.
            const auto there = v.streams.find(w.stream);
            const Viewer::Stream s = there == v.streams.end() ? Viewer::Stream{} : there->second;
            why = w.service + "/" + w.name + ": " + what + "; it has " + std::to_string(s.value) + ", state " +
                  std::to_string(s.stream) + "/" + std::to_string(s.data) + " '" + s.text + "'";
            return false;
        };
        for (const Wanted& w : wanted) {
            if (w.service == "LATER" || w.service == "FIX") continue;
            const auto at = v.streams.find(w.stream);
            if (!supplies(w.service)) {
                // Suspect, or over with its service.
                if (at != v.streams.end() && at->second.isOk()) return lacks(w, "nobody offers it");
                if (v.up(w.service)) return lacks(w, "its service is down");
                continue;
            }
            if (at == v.streams.end() || !at->second.isOk()) return lacks(w, "somebody offers it");
            const std::uint64_t number = at->second.value / Supplier::kValues;
            const auto source = std::ranges::find_if(now, [&](const auto& s) { return s.second->number == number; });
            if (source == now.end()) return lacks(w, "that source is gone");
            if (at->second.value != source->second->last[w.service + "/" + w.name])
                return lacks(w, "that is not the last");
            if (!source->second->serves(w.service, w.name)) return lacks(w, "that source serves it no more");
        }
        return true;
    };
    std::size_t refused = 0;
    for (int reload = 1; reload <= 200; ++reload) {
        const auto before = now;
        const eta::Refused said = f.change([&](HubSettings& s) {
            for (std::size_t steps = 1 + below(3); steps > 0; --steps)
                switch (below(8)) {
                case 0:
                case 1:
                case 2: {  // a source comes, goes, or is another server
                    const std::string& name = names[below(names.size())];
                    Supplier* const with = all[below(all.size())];
                    const bool busy = std::ranges::any_of(now, [&](const auto& n) { return n.second == with; });
                    std::erase_if(s.sources, [&](const auto& one) { return one.name == name; });
                    now.erase(name);
                    if (busy && std::ranges::any_of(now, [&](const auto& n) { return n.second == with; })) break;
                    s.sources.insert(s.sources.begin() + static_cast<std::ptrdiff_t>(below(s.sources.size() + 1)),
                                     with->settings(name));
                    now[name] = with;
                    break;
                }
                case 3: {  // a source goes
                    const std::string& name = names[below(names.size())];
                    std::erase_if(s.sources, [&](const auto& one) { return one.name == name; });
                    now.erase(name);
                    break;
                }
                case 4:  // another order
                    std::shuffle(s.sources.begin(), s.sources.end(), random);
                    break;
                case 5:  // limits
                    s.sources[below(s.sources.size())].requestRate = 1000 + static_cast<std::uint32_t>(below(1000));
                    break;
                case 6: {  // a service entry comes or goes
                    const std::string& name = offered[below(offered.size())];
                    if (std::erase_if(s.services, [&](const auto& one) { return one.name == name; }) == 0)
                        s.services.push_back(MovingHub::entry(name, [&](ServiceSettings& n) {
                            if (below(2) == 0) n.cache.rule = CachePolicy::Rule::all;
                            n.itemLinger = std::chrono::milliseconds(below(3));
                        }));
                    break;
                }
                case 7: {  // a service of the hub's own comes or goes
                    const std::string name = below(2) == 0 ? "FIX" : "LATER";
                    if (std::erase_if(s.services, [&](const auto& one) { return one.name == name; }) != 0) break;
                    if (name == "FIX") s.services.push_back(MovingHub::fixed(name, 300));
                    else
                        s.services.push_back(MovingHub::entry(name, [](ServiceSettings& n) {
                            n.cache.rule = CachePolicy::Rule::all;
                            n.delay.emplace();
                            n.delay->of = "S0";
                            n.delay->time = 1s;
                        }));
                    break;
                }
                }
        });
        if (said) {
            ++refused;
            now = before;
        }
        for (std::size_t turns = below(25); turns > 0; --turns) {
            f.turn();
            if (below(3) == 0) all[below(all.size())]->tick();
            if (below(4) == 0) look(ripc.viewer), look(json.viewer);
        }
        if (reload % 10 != 0) continue;
        INFO("reload " << reload);
        const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;
        while (!isTrue(ripc.viewer) || !isTrue(json.viewer)) {
            INFO(why);
            REQUIRE(std::chrono::steady_clock::now() < end);
            f.turn();
        }
        f.settled();
        std::set<std::string> expected{"SRC"};
        for (const auto& [name, supplier] : now)
            expected.insert(name);
        for (const ServiceSettings& s : f.hub->settings().services)
            if (s.delay) expected.insert(s.name);
        CHECK(f.sources() == expected);
        CHECK((f.service("FIX") != nullptr) ==
              (std::ranges::find(f.hub->settings().services, "FIX", &ServiceSettings::name) !=
               f.hub->settings().services.end()));
        for (Supplier* const s : all)
            if (std::ranges::none_of(now, [&](const auto& n) { return n.second == s; }))
                f.until([&] { return !s->provider.connected(); });
        ripc.undisturbed();
        f.until([&] { return json.viewer[5].value == f.steadyValue; });
        CHECK(json.viewer[5].states == 0);
    }
    CHECK(refused == 0);
    CHECK_FALSE(ripc.viewer.gone());
    CHECK_FALSE(json.viewer.gone());
}

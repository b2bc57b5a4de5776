// A hot pair of sources through the hub: the active one is killed under load, and consumers see the truth throughout;
// modes that consumers say, on the pages.
#include "calls.h"
#include "hub/core/Service.h"
#include "hub/ops/Inspector.h"
#include "hub/ops/pages_json.h"
#include "moving.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/consumer_status.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

constexpr int kItems = 20;

struct PairHub : MovingHub {
    PairHub()
        : MovingHub([](HubSettings& s) {
              s.services.push_back(entry("PAIR", [](ServiceSettings& p) {
                  p.sourceMode = SourceMode::hot;
                  p.cache.rule = CachePolicy::Rule::all;
              }));
          }) {
        suppliers = {&a, &b};
    }
    /// The same update of every item that the source has open.
    void tick(Supplier& from, std::uint64_t value) {
        for (const auto& [stream, of] : from.streams) {
            Msg m = RawProvider::update(stream);
            m.domain = 6;
            m.updateType = 1;
            fill(m, value);
            from.provider.send(m);
        }
    }
    [[nodiscard]] std::uint64_t pairs(std::size_t result) {
        const auto& pair = service("PAIR")->counts.pair;
        return pair != nullptr ? (*pair)[result].updates.get() : 0;
    }
    [[nodiscard]] bool bothHaveAll() const { return a.streams.size() == kItems && b.streams.size() == kItems; }
    Supplier a{1, {"PAIR"}}, b{2, {"PAIR"}};
};

}  // namespace

TEST_CASE("the active source of a hot pair is killed under load: no Suspect, no value but the newest",
          "[hub][node][pair][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    PairHub f;
    f.source("A", f.a);
    Viewer viewer(f, json, "viewer");
    f.until([&] { return viewer.up("PAIR"); });
    f.source("B", f.b);
    for (int i = 0; i < kItems; ++i)
        viewer.open(10 + i, "PAIR", "I" + std::to_string(i));
    f.until([&] { return f.bothHaveAll(); });
    f.until([&] {
        viewer.read();
        return std::ranges::all_of(viewer.streams, [](const auto& s) { return s.second.isOk(); });
    });
    // Every item has this value, has always been Ok, and has got no status.
    const auto shown = [&](std::uint64_t value) {
        f.until([&] {
            viewer.read();
            return std::ranges::all_of(viewer.streams, [&](const auto& s) { return s.second.value == value; });
        });
        for (const auto& [stream, s] : viewer.streams) {
            CHECK(s.isOk());
            CHECK(s.states == 0);
        }
    };
    std::uint64_t value = 50'000'000;
    const auto rounds = [&](int n, bool withA, bool withB) {
        for (int i = 0; i < n; ++i) {
            ++value;
            if (withA) f.tick(f.a, value);
            if (withB) f.tick(f.b, value);
            shown(value);
        }
    };
    rounds(30, true, true);
    // The first update of an item may have come before the standby's image.
    f.until([&] { return f.pairs(0) >= 29u * kItems; });
    for (std::size_t differs = 1; differs < kPairResultNames.size(); ++differs)
        CHECK(f.pairs(differs) == 0);
    // It dies with updates on their way that the other one has as well.
    ++value;
    f.tick(f.a, value);
    f.tick(f.b, value);
    f.a.provider.die();
    f.a.streams.clear();
    ++value;
    f.tick(f.b, value);
    shown(value);
    rounds(30, false, true);
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_takeovers_total") == std::uint64_t{kItems});
    // Back again, it stands by, and takes over when the other one dies.
    f.a.provider.revive();
    f.until([&] { return f.bothHaveAll(); });
    // Its images are what it has sent last, not what the pair shows; updates decide.
    const std::uint64_t before = f.pairs(0);
    rounds(10, true, true);
    f.until([&] { return f.pairs(0) >= before + 9u * kItems; });
    f.b.provider.die();
    f.b.streams.clear();
    ++value;
    f.tick(f.a, value);
    shown(value);
    rounds(10, true, false);
    const std::string counts = f.hub->rooms().reactor.metrics().prometheus();
    CHECK(counts.find(R"(service="PAIR",result="missing"} 0)") != std::string::npos);
    CHECK(counts.find(R"(service="DIRECT_FEED",result="same")") == std::string::npos);
}

TEST_CASE("a hot pair of which one source speaks JSON is not compared, and says so; two that speak it are",
          "[hub][node][pair][json]") {
    const bool aJson = GENERATE(false, true), bJson = GENERATE(false, true);
    INFO("A " << (aJson ? "JSON" : "RIPC") << ", B " << (bJson ? "JSON" : "RIPC"));
    PairHub f;
    // A source that speaks JSON: another hub in front of the supplier, over a WebSocket.
    std::vector<std::unique_ptr<HubFixture>> fronts;
    const auto add = [&](const std::string& name, const Supplier& of, bool json) {
        SourceSettings settings = of.settings(name);
        if (json) {
            fronts.push_back(std::make_unique<HubFixture>([&](HubSettings& s) {
                s.name = "front" + name;
                s.sources = {of.settings(name)};
                s.services = {PairHub::entry("PAIR")};
            }));
            settings.channels = {webSocketTo(fronts.back()->hub->port(), "rssl.json.v2")};
        }
        f.taken([&](HubSettings& s) { s.sources.push_back(settings); });
    };
    f.alongside = [&] {
        for (Supplier* const s : f.suppliers)
            s->poll();
        for (const auto& front : fronts)
            front->turn();
    };
    add("A", f.a, aJson);
    Viewer viewer(f, false, "viewer");
    f.until([&] { return viewer.up("PAIR"); });
    add("B", f.b, bJson);
    for (int i = 0; i < kItems; ++i)
        viewer.open(10 + i, "PAIR", "I" + std::to_string(i));
    f.until([&] {
        viewer.read();
        return f.bothHaveAll() && std::ranges::all_of(viewer.streams, [](const auto& s) { return s.second.isOk(); });
    });
    // A price with a zero at its end is two bytes in RWF as this feed writes it, and another two once it was JSON.
    const auto price = [&](Supplier& from, std::uint64_t value) {
        for (const auto& [stream, of] : from.streams) {
            reactor::GrowingBuffer room;
            codec::FieldListEncoder list;
            list.begin(room.start());
            list.addReal(22, codec::Real{static_cast<std::int64_t>(value) * 10, 11});
            list.addUInt(1, value);
            REQUIRE(list.complete().ok());
            Msg m = RawProvider::update(stream);
            m.domain = 6;
            m.updateType = 1;
            m.containerType = codec::DataType::FieldList;
            m.payload = room.view();
            from.provider.send(m);
        }
    };
    std::uint64_t value = 50'000'000;
    const bool mixed = aJson != bJson;
    const auto uncompared = [&] {
        return f.hub->rooms().reactor.metrics().value("emissary_hub_pair_uncompared_total");
    };
    const auto counted = [&] { return mixed ? uncompared() : f.pairs(0); };
    // Through a hub in front the standby's image comes some updates later.
    for (int i = 0; i < 30 || counted() < 29u * kItems; ++i) {
        REQUIRE(i < 100);
        ++value;
        price(f.a, value);
        price(f.b, value);
        f.until([&] {
            viewer.read();
            return std::ranges::all_of(viewer.streams, [&](const auto& s) { return s.second.value == value; });
        });
    }
    CHECK((mixed ? f.pairs(0) : uncompared()) == std::uint64_t{0});
    for (std::size_t differs = 1; differs < kPairResultNames.size(); ++differs) {
        INFO(kPairResultNames[differs]);
        CHECK(f.pairs(differs) == 0);
    }
    const auto said = std::ranges::count_if(f.lines, [](const std::string& line) {
        return line.starts_with("updates of service 'PAIR' are not compared between source 'A' and source 'B'");
    });
    CHECK(said == (mixed ? 1 : 0));
    CHECK(std::ranges::none_of(f.lines, [](const auto& line) { return line.find("differs from") != line.npos; }));
    // The pages say it as long as it is so.
    const auto page = [&] {
        const Hub::Rooms rooms = f.hub->rooms();
        const ops::Inspector pages({rooms.reactor, rooms.items, rooms.clients, rooms.services, rooms.flow,
                                    f.hub->settings(), [&f](const auto& each) { f.hub->eachSource(each); },
                                    [&f] { return f.hub->dictionary(); }, [](const std::string&, std::uint32_t) {},
                                    [] { return false; }});
        return ops::overviewAsJson(pages.overview(), "pair");
    };
    const auto has = [](const std::string& text, const std::string& what) { return text.find(what) != text.npos; };
    std::string shown = page();
    CHECK(has(shown, aJson ? R"("uncompared":{"json":["A"],"rwf":["B"]})"
                           : R"("uncompared":{"json":["B"],"rwf":["A"]})") == mixed);
    CHECK(has(shown, "service 'PAIR' is in SourceMode hot, and updates of its sources are not compared: " +
                         std::string(aJson ? "'A' in JSON, 'B' in RWF" : "'B' in JSON, 'A' in RWF")) == mixed);
    CHECK(has(shown, "compared") == mixed);
    f.without("B");
    f.until([&] {
        shown = page();
        return !has(shown, R"("name":"B")");
    });
    CHECK_FALSE(has(shown, "compared"));
}

TEST_CASE("a warm standby of a service gets nothing of it until it is active: an image, and updates from there on",
          "[hub][node][pair][json]") {
    const bool json = GENERATE(false, true), cached = GENERATE(false, true), conflated = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (cached ? ", cached" : ", not cached") << (conflated ? ", conflated" : ""));
    MovingHub f([&](HubSettings& s) {
        s.services[0].cache.rule = cached ? CachePolicy::Rule::all : CachePolicy::Rule::none;
        if (conflated) s.services[0].conflation = {Conflation::Mode::interval, 20ms};
    });
    Viewer viewer(f, json, "viewer"), other(f, json, "other");
    f.until([&] { return viewer.up("DIRECT_FEED") && other.up("DIRECT_FEED"); });
    viewer.open(10, "DIRECT_FEED");
    other.open(10, "DIRECT_FEED");
    f.until([&] { return viewer[10].isOk() && other[10].isOk(); });
    const auto standby = [&] {
        return f.hub->rooms().reactor.metrics().prometheus().find(R"(mode="warm_standby"} 1)") != std::string::npos;
    };
    for (int round = 0; round < 2; ++round) {
        viewer.standBy("DIRECT_FEED", true);
        f.until(standby);
        const std::uint64_t messages = viewer[10].messages, images = viewer[10].images;
        // Several, so that the image shows that it is the newest.
        for (int i = 0; i < 3; ++i) {
            f.update(f.steady, ++f.steadyValue);
            f.until([&] { return other[10].value == f.steadyValue; });
        }
        // All that was sent to it has arrived with the image of another item.
        viewer.open(20 + round, "DIRECT_FEED", "I" + std::to_string(round));
        f.until([&] { return viewer[20 + round].isOk(); });
        CHECK(viewer[10].messages == messages);
        viewer.standBy("DIRECT_FEED", false);
        f.until([&] { return viewer[10].value == f.steadyValue; });
        CHECK(viewer[10].images == images + 1);
        CHECK(viewer[10].messages == messages + 1);
        f.update(f.steady, ++f.steadyValue);
        f.until([&] { return viewer[10].value == f.steadyValue; });
        CHECK(viewer[10].images == images + 1);
        CHECK(viewer[10].messages == messages + 2);
        CHECK(viewer[10].states == 0);
    }
    // With nothing missed an image comes as well: the client may have lost its active server, and show the item as
    // suspect.
    viewer.standBy("DIRECT_FEED", true);
    f.until(standby);
    const std::uint64_t images = viewer[10].images;
    viewer.standBy("DIRECT_FEED", false);
    f.until([&] { return viewer[10].images == images + 1; });
    CHECK(viewer[10].value == f.steadyValue);
    f.update(f.steady, ++f.steadyValue);
    f.until([&] { return viewer[10].value == f.steadyValue; });
    CHECK(viewer[10].images == images + 1);
    CHECK(viewer[10].states == 0);
}

TEST_CASE("the pages show how clients use services", "[hub][node][pair][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    CallsFixture f(json);
    std::optional<RawConsumer> messages;
    std::unique_ptr<TextClient> texts;
    if (json) {
        texts = std::make_unique<TextClient>(webSocketTo(f.hub->port()), [&f] { f.turn(); });
        texts->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
        REQUIRE(texts->next("ID", "1").at("State").at("Stream").text == "Open");
        texts->send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
        const json_test::Json directory = texts->next("ID", "2");
        const auto& filters = directory.at("Map").at("Entries").items.at(0).at("FilterList").at("Entries").items;
        const auto info = std::ranges::find_if(filters, [](const auto& filter) { return filter.at("ID").text == "1"; });
        CHECK(info->at("Elements").at("AcceptingConsumerStatus").text == "1");
        texts->send(R"({"ID":2,"Type":"Generic","Domain":"Source","Key":{"Name":"ConsumerStatus"},)"
                    R"("Map":{"KeyType":"UInt","Entries":[{"Action":"Add","Key":70,)"
                    R"("Elements":{"SourceMirroringMode":2}}]}})");
    } else {
        messages.emplace(f.loggedIn("dana"));
        messages->send(RawConsumer::directoryRequest(3));
        rdm::Directory directory;
        REQUIRE(directory.apply(messages->next().msg.payload, true).ok());
        CHECK(directory.find(std::string_view("DIRECT_FEED"))->info.consumerStatus == true);
        eta::GrowingBuffer payload;
        Msg m;
        const std::vector<rdm::UsedService> uses{{HubFixture::kId, rdm::ServiceUse::standby}};
        REQUIRE(rdm::makeConsumerStatus(m, uses, payload).ok());
        messages->send(m);
    }
    f.until([&] { return f.value("emissary_hub_consumer_services") == 1; });
    const std::string connections = f.get("/connz"), services = f.get("/servicez");
    INFO(connections << services);
    CHECK(connections.find(R"("serviceModes":{"services":1,"DIRECT_FEED":"standby"})") != std::string::npos);
    CHECK(services.find(R"("consumers":{"active_alone":0,"active_with_standby":0,"standby":1,)") != std::string::npos);
    CHECK(services.find(R"("pair":)") == std::string::npos);
    if (messages) messages->disconnect();
    else texts->send(R"({"ID":1,"Domain":"Login","Type":"Close"})");
    f.until([&] { return f.value("emissary_hub_consumer_services") == 0; });
    CHECK(f.get("/servicez").find(R"("standby":1)") == std::string::npos);
}

// A client with many streams that pauses and resumes all of them, over and over.
#include "hub/core/ItemTable.h"
#include "turns.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("pauses and resumes of all streams, thousands in a row, keep nobody waiting", "[hub][client]") {
    constexpr int kItems = 20'000, kPauses = 4001;
    HubFixture f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.listeners[0].limits.keyBytesPerClient = 0;
    });
    f.connected();
    f.provider.automatic.items = true;
    RawConsumer probe = f.loggedIn("probe");
    RawConsumer c = f.loggedIn("restless");
    for (int i = 0; i < kItems; ++i) {
        c.send(HubFixture::request(10 + i, "ITEM" + std::to_string(i)));
        if (i % 200 != 199) continue;
        for (int n = 0; n < 200; ++n)
            REQUIRE(c.next().msg.cls == MsgClass::Refresh);
    }
    probe.send(HubFixture::request(5, "ITEM7"));
    REQUIRE(probe.next().msg.cls == MsgClass::Refresh);
    Turns turns(f);
    for (int i = 0; i < kPauses; ++i) {
        Msg m = RawConsumer::loginRequest("restless");
        m.flags |= RequestFlag::noRefresh | (i % 2 == 0 ? RequestFlag::pause : 0);
        c.send(m);
    }
    probe.send(HubFixture::request(5, "ITEM7"));
    turns.until([&] { return probe.tryNext(std::chrono::milliseconds(0)).has_value(); });
    CHECK(turns.longest < 40);  // a list of the streams for each takes 100
    // The last word holds: they are all paused, and only the probe gets what comes.
    const auto paused = [&] {
        std::size_t n = 0;
        f.hub->rooms().items.forEach([&](const hub::Item& item) { n += item.liveCount == 0 ? 1 : 0; });
        return n;
    };
    turns.until([&] { return paused() == kItems - 1; });
    CHECK(turns.longest < 40);
}

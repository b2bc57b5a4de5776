// A change of rights that has to be looked at for every stream there is.
#include "hub/client/rights.h"
#include "hub/core/ItemTable.h"
#include "turns.h"

#include <cstdio>

using namespace emissary;
using namespace emissary::test;

namespace {

void walkAll(int clientCount) {
    constexpr int kItems = 20'000, kAtOnce = 200;
    const std::size_t all = static_cast<std::size_t>(kItems) * static_cast<std::size_t>(clientCount);
    Rights rights;
    rights.later = false;
    HubFixture f(
        [](HubSettings& s) {
            s.services[0].cache.rule = CachePolicy::Rule::all;
            s.listeners[0].limits.keyBytesPerClient = 0;
        },
        nullptr, &rights);
    f.connected();
    f.provider.automatic.items = true;
    std::vector<RawConsumer> clients;
    for (int n = 0; n < clientCount; ++n) {
        RawConsumer& c = clients.emplace_back(f.loggedIn("user" + std::to_string(n)));
        for (int i = 0; i < kItems; ++i) {
            c.send(HubFixture::request(10 + i, "ITEM" + std::to_string(i)));
            if (i % kAtOnce != kAtOnce - 1) continue;
            for (int k = 0; k < kAtOnce; ++k)
                REQUIRE(c.next().msg.cls == MsgClass::Refresh);
        }
    }
    RawConsumer probe = f.loggedIn("probe");
    const auto mounts = [&] {
        std::size_t n = 0;
        f.hub->rooms().items.forEach([&](const hub::Item& item) { n += item.mountCount; });
        return n;
    };
    REQUIRE(mounts() == all);
    Turns turns(f);
    const auto tell = [&](const char* what) {
        std::printf("%zu streams, %s: %.1f ms in %zu turns, the longest %.2f ms\n", all, what, turns.all, turns.count,
                    turns.longest);
        CHECK(turns.longest < 40);
        turns.reset();
    };
    const auto walk = [&](std::size_t looks) {
        rights.looks = 0;
        f.hub->recheck();
        probe.send(HubFixture::request(5, "ITEM7"));
        turns.until([&] { return rights.looks >= looks; },
                    [&] {
                        for (RawConsumer& c : clients)
                            while (c.tryNext(std::chrono::milliseconds(0))) {}
                    });
    };
    walk(all);
    tell("nothing changes");
    REQUIRE(probe.next().msg.cls == MsgClass::Refresh);
    CHECK(mounts() == all + 1);

    rights.grants = [](const hub::client::RequestAsk& ask) { return ask.user == "probe" || ask.name.back() != '7'; };
    walk(all + 1);
    tell("one in ten is closed");
    turns.until([&] { return mounts() == all * 9 / 10 + 1; });
}

}  // namespace

TEST_CASE("a change of rights walks all streams and keeps nobody waiting", "[hub][client][rights]") {
    walkAll(1);
}

// test_hub_load "[.measure]"
TEST_CASE("what a change of rights costs with 100,000 streams", "[.measure]") {
    walkAll(5);
}

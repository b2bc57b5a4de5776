// What an update costs on its way to many consumers, with checks of logins and rules on items and without.
#include "perftools/TempDir.h"
#include "turns.h"

#include <cstdio>
#include <memory>

using namespace emissary;
using namespace emissary::test;

namespace {

/// A hub whose consumers all have the same items.
struct Fan {
    static constexpr int kClients = 50, kItems = 10, kRules = 10'000, kAtOnce = 40;
    perf::test::TempDir dir;
    std::unique_ptr<HubFixture> f;
    std::vector<RawConsumer> clients;
    std::vector<std::int32_t> streams;

    explicit Fan(bool entitled) {
        std::string users = "watcher::all:\n", rules;
        for (int n = 0; n < kClients; ++n)
            users += "user" + std::to_string(n) + "::desk,all:\n";
        for (int n = 1; n < kRules; ++n)
            rules += "deny @group" + std::to_string(n) + " SERVICE" + std::to_string(n % 7) + " *." +
                     std::to_string(n) + " MarketPrice\n";
        rules += "allow @all * * *\n";
        f = std::make_unique<HubFixture>([&](HubSettings& s) {
            s.services[0].cache.rule = CachePolicy::Rule::all;
            if (!entitled) return;
            s.access.loginCheck = AccessSettings::LoginCheck::file;
            s.access.loginFile = dir.write("users", users);
            s.access.permission = dir.write("rules", rules);
        });
        f->connected();
        f->until([this] { return f->hub->dictionary() != nullptr; });
        for (int n = 0; n < kClients; ++n) {
            RawConsumer& c = clients.emplace_back(f->loggedIn("user" + std::to_string(n)));
            for (int i = 0; i < kItems; ++i) {
                const std::string name = "ITEM" + std::to_string(i);
                c.send(HubFixture::request(10 + i, name));
                if (n == 0) {  // the others have it from the cache
                    streams.push_back(f->asked().msg.streamId);
                    f->refresh(streams.back(), 1, name);
                }
                REQUIRE(c.next().msg.cls == MsgClass::Refresh);
            }
        }
    }
    /// Nanoseconds of the hub for one delivery.
    double updates(int rounds) {
        Turns turns(*f);
        std::uint64_t value = 0;
        std::size_t got = 0;
        for (int n = 0; n < rounds; ++n) {
            for (int k = 0; k < kAtOnce; ++k)
                f->update(streams[static_cast<std::size_t>(k) % streams.size()], ++value);
            const std::size_t all = got + std::size_t{kAtOnce} * kClients;
            turns.until([&] { return got == all; },
                        [&] {
                            for (RawConsumer& c : clients)
                                while (c.tryNext(std::chrono::milliseconds(0)))
                                    ++got;
                        });
        }
        return turns.all * 1e6 / static_cast<double>(got);
    }
};

/// Two functions, so that callgrind counts the instructions of each (docs/measurements).
[[gnu::noinline]] double unchecked(Fan& fan, int rounds) {
    const double ns = fan.updates(rounds);
    std::printf("without checks: %.1f ns a delivery\n", ns);
    return ns;
}
[[gnu::noinline]] double checked(Fan& fan, int rounds) {
    const double ns = fan.updates(rounds);
    std::printf("with LoginCheck and 10,000 rules: %.1f ns a delivery\n", ns);
    return ns;
}

}  // namespace

// test_hub_load "[.entitled]", with EMISSARY_HUB_TEST_THREADS 1
TEST_CASE("what checks of logins and rules cost an update", "[.entitled]") {
    Fan off(false), on(true);
    std::vector<double> ratios;
    for (int n = 0; n < 9; ++n) {
        const double without = unchecked(off, 50), with = checked(on, 50);
        ratios.push_back(with / without);
    }
    std::ranges::sort(ratios);
    std::printf("with / without: %.3f (%.3f .. %.3f)\n", ratios[4], ratios.front(), ratios.back());
}

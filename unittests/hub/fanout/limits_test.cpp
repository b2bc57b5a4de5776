// Logins over their limit, and clients for which updates have waited too long.
#include "joining.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

/// `slow` belongs to a class of users with a limit; the clock stands unless it is moved.
struct Limited : Joining {
    Limited(bool json, StillClock& still, const OutputLimit& limit, const SlowRules& of = rules())
        : Joining(json, of, timed(still)), clock(still) {
        locked([&] {
            fanout::RateRules made;
            made.users.emplace_back();
            made.userLimits.push_back(limit);
            out->setRates(made, {});
            slow.client->userClass = 1;
            for (Peer* const peer : {&slow, &quick}) {
                peer->client->loggedIn = true;
                out->loggedIn(*peer->client);
            }
        });
        mount(slow, 5, Mount::confInfo);
        mount(quick, 5, Mount::confInfo);
    }
    static reactor::ReactorOptions timed(StillClock& still) {
        reactor::ReactorOptions o;
        o.clock = &still;
        return o;
    }
    /// Milliseconds pass, an update in each; both read at once.
    void pass(int milliseconds, Known& late, std::uint8_t type = kQuote) {
        for (int i = 0; i < milliseconds; ++i) {
            if (type != 0) update(type, {{static_cast<std::int16_t>(i % 3 == 0 ? 25 : 22), ++value}});
            clock.advance(1ms);
            turn();
            readAll(slow, late);
            readAll(quick, fast);
        }
    }
    /// Time passes, and no updates come, until nothing waits for the one with the limit.
    void settle(Known& late) {
        until([&] {
            pass(10, late, 0);
            return slow.client->pending == nullptr && late.joined == value && fast.joined == value;
        });
    }
    StillClock& clock;
};

}  // namespace

TEST_CASE("a login over its limit has its updates joined, at the rate that it may have",
          "[hub][fanout][limits][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 50});
    Known slow;
    f.pass(2000, slow);
    CHECK(slow.updates >= 95);
    CHECK(slow.updates <= 106);  // 50 each second, and the tenth of a second that it had at the start
    CHECK(f.slow.client->overLimit);
    CHECK(f.out->counts().overLimit.get() == 1);
    CHECK(f.out->counts().joining.get() == 0);  // it reads
    f.settle(slow);
    CHECK(slow.fields == f.fast.fields);
    CHECK(slow.joined == f.value);  // it is told of every update that is in another one
    CHECK(slow.updates <= 107);
    CHECK(f.fast.updates == f.value);
    CHECK(slow.states.empty());
    f.pass(200, slow, 0);
    CHECK_FALSE(f.slow.client->overLimit);
    CHECK(f.out->counts().overLimit.get() == 0);
    const std::uint64_t before = slow.updates;
    f.pass(3, slow);  // after a rest, at once
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.updates == before + 3;
    });
}

TEST_CASE("after a rest a login gets a tenth of a second's worth at once, and no more", "[hub][fanout][limits][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 100});
    Known slow;
    for (const std::uint64_t got : {10u, 20u}) {
        clock.advance(5s);
        f.turn();
        for (int i = 0; i < 40; ++i)
            f.update(kQuote, {{std::int16_t{22}, ++f.value}});
        f.until([&] {
            f.readAll(f.quick, f.fast);
            f.readAll(f.slow, slow);
            return f.fast.updates == f.value && slow.updates >= got;
        });
        CHECK(slow.updates == got);
        CHECK(f.slow.client->overLimit);
        f.settle(slow);
        f.pass(200, slow, 0);
        slow.updates = got;  // without those that followed as the limit allows
    }
}

TEST_CASE("a login is held to bytes in the same way", "[hub][fanout][limits]") {
    StillClock clock;
    Limited f(false, clock, {.bytes = 2000});
    Known slow;
    f.pass(3000, slow);
    const std::size_t each = 40;  // about
    CHECK(slow.updates >= 3 * 2000 / (each + 20));
    CHECK(slow.updates <= 4 * 2000 / (each - 15));
    f.settle(slow);
    CHECK(slow.fields == f.fast.fields);
}

TEST_CASE("trades go at once, whatever the limit, and quotes that wait go ahead of them",
          "[hub][fanout][limits][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 20});
    Item& other = f.newItem("OTHER");
    f.mounts.add(other, *f.slow.client, 6, Mount::confInfo, 0);
    Item* const first = f.item;
    Known slow;
    for (int i = 0; i < 500; ++i) {  // more trades than it may have updates
        f.pass(1, slow, kQuote);
        f.pass(1, slow, kTrade);
        f.item = &other;
        f.update(kQuote, {{22, static_cast<std::uint64_t>(i)}});
        f.item = first;
    }
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.order[5].size() >= 1000;
    });
    CHECK(std::ranges::count(slow.order[5], "2") == 500);
    CHECK(slow.fields[5] == f.fast.fields[5]);
    for (std::size_t i = 1; i < slow.order[5].size(); i += 2)
        CHECK(slow.order[5][i] == "2");  // each behind its quote
    CHECK(slow.order[6].size() >= 5);    // trades leave something to others
    f.until([&] {
        f.pass(10, slow, 0);
        return f.slow.client->pending == nullptr && slow.fields[6][22] == 499;
    });
    f.locked([&] {
        while (other.mountCount != 0)
            f.mounts.remove(other, 0);
    });
}

TEST_CASE("what waits for a limit goes when there is no limit any more", "[hub][fanout][limits]") {
    StillClock clock;
    Limited f(false, clock, {.updates = 1});
    Known slow;
    f.pass(100, slow);
    REQUIRE(f.slow.client->pending != nullptr);
    const bool classified = GENERATE(false, true);
    f.locked([&] {
        if (classified) f.out->classify(*f.slow.client, 0);
        else f.out->changeRules({}, {});
    });
    f.update(kQuote, {{22, ++f.value}});  // not ahead of what waits
    f.pass(20, slow, 0);
    CHECK(f.slow.client->pending == nullptr);
    CHECK_FALSE(f.slow.client->overLimit);
    CHECK(slow.fields == f.fast.fields);
    CHECK(slow.joined == f.value);
    const std::uint64_t before = slow.updates;
    f.pass(100, slow);
    CHECK(slow.updates == before + 100);
}

TEST_CASE("a login over its limit that does not read is behind, and has what it may in the end",
          "[hub][fanout][limits][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 2'000});
    Known slow;
    f.until([&] {
        for (int i = 0; i < 4; ++i)
            f.update(kQuote, {{22, ++f.value}});
        clock.advance(1ms);
        f.turn();
        f.readAll(f.quick, f.fast);
        return f.slow.client->behind && f.slow.client->saysJoined;
    });
    for (int i = 0; i < 50; ++i) {
        f.update(kQuote, {{25, ++f.value}});
        clock.advance(1ms);
        f.turn();
        f.readAll(f.quick, f.fast);
    }
    f.settle(slow);
    CHECK(slow.fields == f.fast.fields);
    CHECK(slow.states == std::vector<int>{7, 8});
    CHECK(f.cut.empty());
}

TEST_CASE("an update that has waited for ConflateAge ends the client", "[hub][fanout][slow]") {
    StillClock clock;
    SlowRules rules = Joining::rules();
    rules.mostAge = 5s;
    Limited f(false, clock, {}, rules);
    f.beBehind();
    f.until([&] {
        f.update(kQuote, {{22, ++f.value}});
        f.readAll(f.quick, f.fast);
        return f.slow.client->pending != nullptr;
    });
    for (int i = 0; i < 4; ++i) {
        clock.advance(1s);
        f.turn();
    }
    CHECK(f.cut.empty());
    f.until([&] {
        clock.advance(1s);
        f.turn();
        return !f.cut.empty();
    });
    CHECK_THAT(f.cut[0].second, Catch::Contains("joined for 5 s and longer; ConflateAge is 5 s"));
}

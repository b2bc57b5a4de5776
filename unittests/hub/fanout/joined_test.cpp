// Clients that are behind: their updates wait, joined, and come when they read again.
#include "joining.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

TEST_CASE("updates of a client that is behind are joined, and it is told", "[hub][fanout][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Joining f(json);
    std::vector<std::pair<Severity, std::string>> lines;
    f.out->onNotice([&](Severity severity, const std::string& line) { lines.emplace_back(severity, line); });
    const std::uint16_t info = Mount::confInfo;
    f.mount(f.slow, 5, info);
    f.mount(f.quick, 5, info);
    Known slow;
    Known& quick = f.fast;
    f.beBehind();
    const std::size_t queued = f.slow.link->queuedBytes();
    constexpr int kMore = 2000;
    for (int i = 0; i < kMore; ++i) {
        f.update(kQuote, {{static_cast<std::int16_t>(i % 3 == 0 ? 25 : 22), ++f.value}});
        f.readAll(f.quick, f.fast);
    }
    CHECK(f.slow.link->queuedBytes() <= queued + 500);  // its status
    CHECK(f.out->counts().joined.get() == kMore - 1);
    f.until([&] { return f.out->counts().joinedBytes.get() != 0; });
    CHECK(f.out->counts().joinedBytes.get() < 1000);
    CHECK(f.out->counts().joining.get() == 1);
    f.until([&] {
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr && slow.states.size() == 2;
    });
    CHECK(slow.states == std::vector<int>{7, 8});
    REQUIRE(slow.texts.size() == 2);
    CHECK_THAT(slow.texts[0],
               Catch::Matches(
                   ".*: [1-9][0-9]* bytes waited for it, and ConflateAbove is [0-9]+; its updates are joined; more "
                   "than 50000000 bytes "
                   "\\(DisconnectAbove\\) or 30 s without a byte taken \\(SlowClientTimeout\\) end its connection"));
    CHECK_THAT(slow.texts[1], Catch::Contains("caught up"));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].first == Severity::warning);
    CHECK_THAT(lines[0].second, Catch::Contains("the client 'user0' at an unknown position reads too slowly: "));
    CHECK(lines[1].first == Severity::success);
    CHECK_THAT(lines[1].second,
               Catch::Contains("'user0'") && Catch::Contains("has caught up; updates were joined for "));
    CHECK(quick.states.empty());
    CHECK(slow.fields == quick.fields);
    CHECK(slow.joined == f.value);  // nothing is missing in what it is told
    CHECK(quick.joined == f.value);
    CHECK(quick.updates == f.value);
    CHECK(slow.updates == f.value - kMore + 1);
    CHECK(f.out->counts().joining.get() == 0);
    CHECK(f.out->counts().joinedBytes.get() == 0);
    CHECK_FALSE(f.slow.client->behind);
    f.update(kQuote, {{22, ++f.value}});  // and now each as it comes
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.fields[5][22] == f.value;
    });
    CHECK(slow.joined == f.value);
    CHECK(f.cut.empty());
}

TEST_CASE("what is never joined comes whole and in order, behind what waits", "[hub][fanout][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Joining f(json);
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    Known slow;
    Known& quick = f.fast;
    f.fast.order.clear();
    const std::uint64_t before = f.value;
    for (int i = 0; i < 3; ++i) {
        f.update(kQuote, {{22, ++f.value}});
        f.update(kQuote, {{22, ++f.value}});
        f.update(kTrade, {{25, ++f.value}});
        f.update(kTrade, {{25, ++f.value}});
    }
    f.until([&] {
        f.readAll(f.slow, slow);
        f.readAll(f.quick, f.fast);
        return f.slow.client->pending == nullptr && slow.states.size() == 2;
    });
    CHECK(slow.fields == quick.fields);
    CHECK(quick.order[5].size() == 12);
    std::vector<std::string>& order = slow.order[5];
    REQUIRE(order.size() > before);
    order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(before) - 1);
    // The update that made it wait, and three times a joined quote and two trades.
    CHECK(order == std::vector<std::string>{"1", "1", "2", "2", "1", "2", "2", "1", "2", "2"});
}

TEST_CASE("ConflateTypes says what is joined", "[hub][fanout][slow]") {
    SlowRules rules = Joining::rules();
    rules.joinedTypes = 1ull << kTrade | 1ull << kQuote;
    Joining f(false, rules);
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    for (int i = 0; i < 100; ++i)
        f.update(i % 2 == 0 ? kTrade : kQuote, {{25, ++f.value}});
    CHECK(f.out->counts().joined.get() == 99);
    Known slow;
    f.until([&] {
        f.readAll(f.slow, slow);
        f.readAll(f.quick, f.fast);
        return slow.states.size() == 2 && f.fast.updates == f.value;
    });
    CHECK(slow.order[5].back() == "10");  // several types in one
    CHECK(slow.fields == f.fast.fields);
}

TEST_CASE("updates on streams of their own are not joined", "[hub][fanout][slow]") {
    Joining f(false);
    f.mount(f.slow, 5, Mount::single);
    f.mount(f.quick, 5);
    f.beBehind();
    Known slow;
    for (int i = 0; i < 100; ++i)
        f.update(kQuote, {{22, ++f.value}});
    f.until([&] {
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr && slow.updates == f.value;
    });
    CHECK(slow.states.empty());  // nothing waited
}

TEST_CASE("what waits on a stream ends with the stream", "[hub][fanout][slow]") {
    Joining f(false);
    f.mount(f.slow, 5);
    Item& other = f.newItem("OTHER");
    f.mounts.add(other, *f.slow.client, 6, 0, 0);
    f.beBehind();
    f.update(kQuote, {{25, 777}});
    Known slow;
    const bool changes = GENERATE(false, true);
    INFO((changes ? "the mount changes" : "the mount goes"));
    f.locked([&] {
        f.out->unmounted(*f.item, f.item->mounts[0], changes ? Leaves::changes : Leaves::forGood);
        f.mounts.remove(*f.item, 0);
    });
    CHECK(f.slow.client->pending->empty());
    f.until([&] {
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr && slow.states.size() == 2;
    });
    CHECK(slow.fields[5].contains(25) == changes);
    f.locked([&] {
        while (other.mountCount != 0)
            f.mounts.remove(other, 0);
    });
}

TEST_CASE("joined updates beyond ConflateBytes are sent, and the client is cut off by DisconnectAbove alone",
          "[hub][fanout][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    const bool reads = GENERATE(true, false);
    INFO((reads ? "reads in the end" : "never reads"));
    constexpr std::size_t kMost = 5000;
    SlowRules rules = Joining::rules(kMost);
    if (!reads) rules.disconnectAbove = 400'000;
    Joining f(json, rules);
    std::vector<Item*> items;
    for (std::int32_t i = 0; i < 100; ++i) {
        items.push_back(&f.newItem("I" + std::to_string(i)));
        f.mounts.add(*items.back(), *f.slow.client, 100 + i, 0, 0);
    }
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    Item* const first = f.item;
    Known slow;
    std::uint64_t rounds = 0;
    const auto round = [&] {
        ++rounds;
        for (Item* const item : items) {
            f.item = item;
            f.update(kQuote, {{22, rounds}});
            REQUIRE((f.slow.client->pending == nullptr || f.slow.client->pending->memory() <= kMost));
        }
        f.item = first;
    };
    if (reads) {
        for (int i = 0; i < 20; ++i)
            round();
        f.until([&] {
            f.readAll(f.slow, slow);
            return f.slow.client->pending == nullptr && slow.states.size() == 2;
        });
        CHECK(f.cut.empty());
        for (std::int32_t i = 0; i < 100; ++i)
            CHECK(slow.fields[100 + i][22] == rounds);
        CHECK(slow.fields[5][22] == f.value);
    } else {
        f.until([&] {
            round();
            return !f.cut.empty();
        });
        CHECK(f.cut.size() == 1);
        CHECK_THAT(f.cut[0].second, Catch::Contains("DisconnectAbove is 400000"));
    }
    f.locked([&] {
        for (Item* const item : items)
            while (item->mountCount != 0)
                f.mounts.remove(*item, 0);
    });
}

TEST_CASE("a client that reads again gets what waits at the pace of its reading", "[hub][fanout][slow]") {
    // Two million bytes of updates wait; its buffers hold a few thousand. Looks at it in 5 ms each would take seconds.
    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    Joining f(false, Joining::rules(8u << 20), options);
    constexpr std::int32_t kItems = 5000;
    std::vector<Item*> items;
    for (std::int32_t i = 0; i < kItems; ++i) {
        items.push_back(&f.newItem("I" + std::to_string(i)));
        f.mounts.add(*items.back(), *f.slow.client, 100 + i, 0, 0);
    }
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    Item* const first = f.item;
    for (Item* const item : items) {
        f.item = item;
        f.update(kQuote, {{22, 7}});
    }
    f.item = first;
    REQUIRE(f.slow.client->pending != nullptr);
    const auto start = clock.now();
    Known slow;
    f.until([&] {
        clock.advance(1ms);
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr;
    });
    CHECK(slow.updates + 1 >= f.value);
    CHECK(clock.now() - start < 60ms);
    f.locked([&] {
        for (Item* const item : items)
            while (item->mountCount != 0)
                f.mounts.remove(*item, 0);
    });
}

TEST_CASE("ConflateBytes 0: updates are sent one by one", "[hub][fanout][slow]") {
    Joining f(false, Joining::rules(0));
    f.mount(f.slow, 5);
    f.until([&] {
        f.update(kQuote, {{22, ++f.value}});
        return f.slow.client->behind == true;
    });
    for (int i = 0; i < 100; ++i)
        f.update(kQuote, {{22, ++f.value}});
    Known slow;
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.updates == f.value;
    });
    CHECK(slow.states.empty());
    CHECK(f.out->counts().joined.get() == 0);
}

TEST_CASE("Conflation none of a service: its updates are sent one by one, whatever other services have",
          "[hub][fanout][slow]") {
    const auto joinedOf = [](std::uint8_t rule) {
        Joining f(false);
        f.locked([&] {
            fanout::RateRules rules;  // the first is that of other services: jit
            rules.services.push_back(Conflation{.mode = Conflation::Mode::none});
            f.out->setRates(rules, {}, [rule](std::uint16_t) { return rule; });
            f.out->addListener("consumers", Joining::rules());
        });
        f.mount(f.slow, 5);
        f.until([&] {
            f.update(kQuote, {{22, ++f.value}});
            return f.slow.client->behind == true;
        });
        for (int i = 0; i < 100; ++i)
            f.update(kQuote, {{22, ++f.value}});
        Known slow;
        f.until([&] {
            f.readAll(f.slow, slow);
            return !slow.fields[5].empty() && slow.fields[5][22] == f.value;
        });
        return f.out->counts().joined.get();
    };
    CHECK(joinedOf(0) != 0);
    CHECK(joinedOf(1) == 0);
}

TEST_CASE("clients that fall behind while another one is sent what waits are looked at as well",
          "[hub][fanout][slow]") {
    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    Joining f(false, Joining::rules(), options);
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    constexpr std::size_t kOthers = 9;
    std::vector<FanOutFixture::Peer*> others;
    Item& item = f.newItem("LARGE");
    for (std::size_t i = 0; i < kOthers; ++i) {
        others.push_back(&f.admitted(false));
        f.mounts.add(item, *others.back()->client, 5, 0, 0);
    }
    const auto othersAre = [&](bool behind) {
        return std::ranges::all_of(others, [&](const auto* p) { return p->client->behind == behind; });
    };
    const auto othersRead = [&] {
        f.until([&] {
            clock.advance(5ms);
            for (FanOutFixture::Peer* const p : others)
                while (FanOutFixture::readOne(*p)) {}
            return othersAre(false) && others.front()->link->queuedBytes() == 0;
        });
    };
    const std::vector<std::byte> large(60'000, std::byte{7});
    const auto toOthers = [&](std::size_t bytes) {
        codec::Msg m = update(std::span(large).first(bytes));
        m.containerType = codec::DataType::Opaque;
        f.out->send(item, m, To::live);
    };
    // How many small messages fill what four large ones leave of a turn's log: the next one has it written out.
    const auto fill = [&](int most) {
        for (int i = 0; i < 4; ++i)
            toOthers(large.size());
        toOthers(20'000);
        int small = 0;
        for (; small < most && othersAre(false); ++small)
            toOthers(1);
        return small;
    };
    int small = 0;
    f.locked([&] { small = fill(10'000); });
    REQUIRE(othersAre(true));
    othersRead();

    f.beBehind();
    std::vector<std::pair<std::int16_t, std::uint64_t>> many;
    for (std::int16_t id = 100; id < 116; ++id)
        many.emplace_back(id, ++f.value);
    f.update(kQuote, many);  // larger than what still has room behind the small ones
    REQUIRE(f.slow.client->pending != nullptr);
    Known slow;
    f.until([&] {  // it has read, and no look has seen it yet: the clock stands still
        f.readAll(f.slow, slow);
        return f.slow.link->queuedBytes() < Joining::rules().behindBelow;
    });
    REQUIRE(f.slow.client->pending != nullptr);
    REQUIRE(f.out->counts().slow.get() == 1);
    bool filled = false;
    f.locked([&] {
        f.loop.startTimer(1ms, [&] {  // in the turn of the look, in front of it
            fill(small - 1);
            filled = othersAre(false);
        });
    });
    clock.advance(5ms);
    f.turn();
    REQUIRE(filled);
    CHECK(f.slow.client->pending == nullptr);
    CHECK(othersAre(true));
    CHECK(f.out->counts().slow.get() == kOthers);
    othersRead();
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.states.size() == 2;
    });
    CHECK(slow.states == std::vector<int>{7, 8});
    CHECK(slow.fields[5][115] == f.value);
    CHECK(f.out->counts().slow.get() == 0);
    CHECK(f.cut.empty());
}

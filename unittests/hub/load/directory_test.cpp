// Directories with thousands of services: what one message of a source or publisher, or its loss, costs others.
#include "many_services.h"

#include "reactor/metrics/Snapshot.h"

#include <cstdio>

using namespace emissary;
using namespace emissary::test;

TEST_CASE("a source's long directory is worked off in slices, and what follows it waits", "[hub][directory]") {
    constexpr std::size_t kServices = 6000;
    ManyServices f;
    f.connected();
    RawConsumer probe = f.loggedIn("probe");
    const std::int32_t stream = f.opened(probe, "IBM");
    Watcher watcher(f);
    Turns turns(f);
    bool partly = false, early = false, updated = false;
    const auto look = [&](std::size_t goal) {
        return [&, goal] {
            partly = partly || (f.services() > 1 && f.services() < 1 + kServices);
            if (const auto got = probe.tryNext(std::chrono::milliseconds(0))) {
                updated = updated || got->msg.cls == MsgClass::Update;
                early = early || f.services() != goal;
            }
            watcher.read();
        };
    };
    const auto sent = [&](const std::vector<std::byte>& map, std::size_t goal) {
        partly = updated = false;
        f.provider.send(ManyServices::directoryUpdate(map, 2));
        f.update(stream, 7);  // on the same connection, behind it
        turns.until([&] { return updated && watcher.known.services().size() == goal; }, look(goal));
        CHECK(partly);
        CHECK_FALSE(early);
        CHECK(watcher.up() == goal);
    };
    sent(ManyServices::adds(kServices), 1 + kServices);
    sent(ManyServices::deletes(kServices), 1);
    sent(ManyServices::adds(kServices, 30'000), 1 + kServices);  // the names come back with other ids
    SECTION("and so is the end of its connection, with what clients are told of it") {
        f.provider.disconnect();
        bool some = false;
        turns.until([&] { return watcher.up() == 0; },
                    [&] {
                        watcher.read();
                        some = some || (watcher.up() != 0 && watcher.up() <= kServices / 2);
                    });
        CHECK(some);
        CHECK(watcher.known.services().size() == 1);
        // It comes back, with one service.
        turns.until([&] { return watcher.up() == 1; }, [&] { watcher.read(); });
        probe.send(HubFixture::request(6, "IBM"));
        CHECK(probe.next().msg.hasState());
    }
    SECTION("one that ends in the middle of it is over") {
        f.provider.send(ManyServices::directoryUpdate(ManyServices::deletes(kServices, 30'000), 2));
        turns.until([&] { return f.services() < kServices; });
        f.provider.disconnect();
        turns.until([&] { return watcher.up() == 0; }, [&] { watcher.read(); });
        turns.until([&] { return watcher.up() == 1; }, [&] { watcher.read(); });
        CHECK(watcher.known.find("DIRECT_FEED") != nullptr);
    }
}

TEST_CASE("a publisher's long directory is worked off in slices, and its items wait for it", "[hub][directory]") {
    constexpr std::uint16_t kServices = 6000;
    ManyServices f;
    f.connected();
    Publisher pub(f);
    RawConsumer probe = f.loggedIn("probe");
    const std::uint16_t feed = serviceOf(probe);
    pub.refresh(-1, "IBM", 1);
    Watcher watcher(f);
    Turns turns(f);
    bool partly = false;
    const auto look = [&] {
        partly = partly || (f.services() > 2 && f.services() < 2 + kServices);
        watcher.read();
    };
    const auto send = [&](const std::vector<std::byte>& map) {
        partly = false;
        pub.wire.send(ManyServices::directoryUpdate(map, 0));
    };
    send(ManyServices::adds(kServices));
    // An item of the last of them, at once.
    Msg m = RawProvider::refresh(-2, StreamState::open, false);
    m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = kFirst + kServices - 1;
    m.key.name = eta::asBytes(std::string_view("LAST"));
    f.fill(m, 42);
    pub.wire.send(m);
    turns.until([&] { return watcher.known.services().size() == 2u + kServices; }, look);
    CHECK(partly);
    const rdm::Service* const last = watcher.known.find("S" + std::to_string(kServices - 1));
    REQUIRE(last != nullptr);
    probe.send(RawConsumer::request(7, 6, "LAST", last->id));
    const auto ofItem = [&] {
        for (;;)
            if (Received got = probe.next(); got.msg.domain != 4) return got;
    };
    CHECK(HubFixture::fields(ofItem().msg) == "22=42 25=43");
    SECTION("deleted with their items") {
        send(ManyServices::deletes(kServices));
        turns.until([&] { return watcher.known.services().size() == 2; }, look);
        CHECK(partly);
        Received end = ofItem();
        while (!end.msg.state.isFinal())  // its publisher has lost it first
            end = ofItem();
        checkState(end, 7, StreamState::closedRecover, suspect);
        probe.send(RawConsumer::request(8, 6, "IBM", feed));
        CHECK(ofItem().msg.cls == MsgClass::Refresh);
    }
    SECTION("lost with the publisher") {
        pub.wire.disconnect();
        turns.until([&] { return watcher.up() == 1; }, [&] { watcher.read(); });
        const Received told = ofItem();
        CHECK(told.msg.streamId == 7);
        CHECK(int{told.msg.state.data} == int{suspect});
    }
}

// --- measured --------------------------------------------------------------------------------------------------------

TEST_CASE("how long a probe waits beside long directories", "[.][measure]") {
    using Clock = std::chrono::steady_clock;
    struct Way {
        const char* name;
        bool published;
        std::uint32_t most;
        std::size_t count;
    };
    constexpr Way kWays[] = {
        {"source, 20,000", false, 65'000, 20'000},
        {"source, 65,000", false, 65'000, 65'000},
        {"publisher, 20,000", true, 65'000, 20'000},
        {"publisher, 65,000", true, 65'000, 65'000},
        {"source, 65,000, most refused", false, 1'000, 65'000},
        {"publisher, 65,000, most refused", true, 1'000, 65'000},
    };
    std::optional<Way> way;
    for (const Way& w : kWays)
        SECTION(w.name) way = w;
    REQUIRE(way.has_value());
    const bool published = way->published;
    const std::uint32_t most = way->most;
    const std::size_t count = way->count;
    ManyServices f(most == 1000 ? 10'000 : most, [&way](HubSettings& s) { s.maxServicesPerSource = way->most; });
    f.connected();
    RawConsumer probe = f.loggedIn("probe");
    f.opened(probe, "IBM");
    std::vector<std::unique_ptr<Watcher>> watchers;
    for (int i = 0; i < 10; ++i)
        watchers.push_back(std::make_unique<Watcher>(f));
    std::optional<Publisher> pub;
    if (published) {
        pub.emplace(f);
        RawConsumer other = f.loggedIn("other");
        static_cast<void>(serviceOf(other));  // its own service is there
    }
    Turns turns(f);
    const std::vector<std::byte> map = ManyServices::adds(count), gone = ManyServices::deletes(count);
    const std::size_t base = f.services();
    const auto step = [&](const char* what, const std::function<void()>& send, const std::function<bool()>& done) {
        std::vector<double> all;
        turns.reset();
        send();
        for (bool over = false; !over || all.size() < 300;) {
            over = over || done();
            const auto begin = Clock::now();
            probe.send(HubFixture::request(5, "IBM"));
            std::optional<Received> got;
            turns.until([&] { return (got = probe.tryNext(std::chrono::milliseconds(0))).has_value(); });
            all.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
            for (const auto& w : watchers)
                w->read();
        }
        std::ranges::sort(all);
        std::printf("%-9s of %5zu services (%5u taken), %-28s longest turn %6.2f ms of %7.1f ms in %5zu turns; "
                    "%4zu reissues: p50 %.2f, p99 %.2f, max %.2f ms\n",
                    published ? "publisher" : "source", count, most, what, turns.longest, turns.all, turns.count,
                    all.size(), all[all.size() / 2], all[all.size() * 99 / 100], all.back());
        CHECK(all[all.size() * 99 / 100] < 50);
    };
    const std::size_t taken = std::min<std::size_t>(count, most - 1);
    const auto send = [&](const std::vector<std::byte>& bytes) {
        const Msg m = ManyServices::directoryUpdate(bytes, published ? 0 : 2);
        published ? pub->wire.send(m) : f.provider.send(m);
    };
    step(
        "added", [&] { send(map); }, [&] { return f.services() >= base + taken - 1; });
    step(
        "deleted", [&] { send(gone); }, [&] { return f.services() <= base; });
    step(
        "added again", [&] { send(map); }, [&] { return f.services() >= base + taken - 1; });
    step(
        "lost", [&] { published ? pub->wire.disconnect() : f.provider.disconnect(); },
        [&] { return watchers[0]->up() <= 1; });
}

TEST_CASE("how long a lost source of many items keeps others waiting", "[.][measure]") {
    const int items = GENERATE(20'000, 200'000);
    HubFixture f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.listeners[0].limits.keyBytesPerClient = 0;
    });
    f.connected();
    f.provider.automatic.items = true;
    RawConsumer c = f.loggedIn("probe");
    for (int i = 0; i < items; ++i) {
        c.send(HubFixture::request(10 + i, "ITEM" + std::to_string(i)));
        if (i % 200 == 199)
            for (int n = 0; n < 200; ++n)
                REQUIRE(c.next().msg.cls == MsgClass::Refresh);
    }
    Turns turns(f);
    const auto all = [&](auto&& done) {
        turns.reset();
        std::vector<bool> told(static_cast<std::size_t>(items));
        int left = items;
        turns.until([&] { return left == 0; },
                    [&] {
                        while (const auto got = c.tryNext(std::chrono::milliseconds(0)))
                            if (got->msg.streamId >= 10 && got->msg.hasState() && done(got->msg) &&
                                !told[static_cast<std::size_t>(got->msg.streamId - 10)]) {
                                told[static_cast<std::size_t>(got->msg.streamId - 10)] = true;
                                --left;
                            }
                    });
    };
    f.provider.disconnect();
    all([](const Msg& m) { return m.state.data == suspect; });
    std::printf("%d items, source lost: longest turn %.2f ms of %.1f ms in %zu turns\n", items, turns.longest,
                turns.all, turns.count);
    all([](const Msg& m) { return m.state.data == ok; });
    std::printf("%d items, source back: longest turn %.2f ms of %.1f ms in %zu turns\n", items, turns.longest,
                turns.all, turns.count);
}

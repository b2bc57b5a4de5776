// Many items lose their source and get it back (hub.md 16).
#include "upstream_fixture.h"

#include <chrono>
#include <ctime>
#include <iostream>

using namespace emissary;
using namespace emissary::test;

namespace {

using Clock = std::chrono::steady_clock;

/// Milliseconds of a processor, provider and clients of the test included.
double processorTime() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

struct Took {
    double restart, login, processor;  // milliseconds to the last refresh: since the port was back, since the login
};

Took recover(std::size_t count, bool cached, std::uint32_t requestRate) {
    Upstream h;
    h.settings.pop_back();
    h.settings[0].requestRate = requestRate;
    h.settings[0].reconnect.minDelay = std::chrono::milliseconds(100);
    h.policy.cache.rule = cached ? CachePolicy::Rule::all : CachePolicy::Rule::none;
    h.realTime = h.quiet = true;
    h.a.onMessage = [&h](const RawProvider::Got& got) {
        if (got.msg.cls == codec::MsgClass::Request) h.refresh(h.a, got.msg.streamId, 1);
        h.a.inbox.clear();
        h.a.wire.clear();
    };
    h.ready();
    Client& c = h.client();
    for (std::size_t i = 0; i < count; ++i)
        REQUIRE(h.join(c, static_cast<std::int32_t>(i + 10), "ITEM" + std::to_string(i)));
    const auto all = [&h, count] {
        std::size_t good = 0;
        if (h.messages < count) return false;
        for (const auto& [mount, truth] : h.last)
            if (truth == std::pair<std::uint8_t, std::uint64_t>(ok, 1)) ++good;
        return good == count;
    };
    h.until(all);
    h.a.die();
    h.until([&] { return h.upstreams->supply().counts().parked == count; });
    for (auto& [mount, truth] : h.last)
        REQUIRE(truth.first == suspect);
    h.messages = 0;
    const auto restart = Clock::now();
    h.a.revive();
    h.until([&] { return h.at(0).up(); });
    const auto login = Clock::now();
    const double before = processorTime();
    h.until(all);
    const auto end = Clock::now();
    const double used = processorTime() - before;
    CHECK(h.upstreams->supply().counts().recoveries == count);
    CHECK(h.upstreams->supply().counts().outstanding == 0);
    const auto ms = [&](Clock::time_point from) {
        return std::chrono::duration<double, std::milli>(end - from).count();
    };
    return {ms(restart), ms(login), used};
}

}  // namespace

TEST_CASE("a thousand items are suspect while their source is away, and all of them come back") {
    CHECK(recover(1000, true, 50'000).login > 0);
}

// test_hub_upstream "[.measure]"
TEST_CASE("recovery of 100,000 items", "[.measure]") {
    for (const bool cached : {false, true})
        for (const std::uint32_t rate : {50'000u, 0u}) {
            const auto [restart, login, processor] = recover(100'000, cached, rate);
            std::cout << (cached ? "cached" : "not cached") << ", RequestRate " << rate << ": " << restart
                      << " ms from the restart, " << login << " ms from the login, " << processor
                      << " ms of a processor\n";
        }
}

TEST_CASE("a source that has stopped reading and then goes: what it was asked for, and not yet, comes from another") {
    Upstream h;
    h.settings[0].channels[0].guaranteedOutputBuffers = 8;
    h.settings[0].requestTimeout = std::chrono::milliseconds(0);
    h.ready();
    h.quiet = true;
    h.sleeps = true;
    constexpr int kItems = 30'000;
    Client& c = h.client();
    const std::string tail(200, 'x');  // more than the sockets between them hold
    for (int i = 0; i < kItems; ++i) {
        REQUIRE(h.join(c, 5 + i, "I" + std::to_string(i) + tail));
        if (i % 1000 == 0) h.loop->dispatch(std::chrono::milliseconds(0), 1000);
    }
    const upstream::SupplyCounts& counts = h.upstreams->supply().counts();
    for (int i = 0; i < 50; ++i)
        h.loop->dispatch(std::chrono::milliseconds(1), 1000);
    CHECK(counts.outstanding.get() > 0);
    CHECK(counts.queued.get() > 0);  // it is not asked for more than it reads
    CHECK(counts.outstanding.get() + counts.queued.get() == kItems);
    h.a.die();
    h.b.onMessage = [&](const RawProvider::Got& got) {
        if (got.msg.cls == codec::MsgClass::Request && !got.msg.has(codec::RequestFlag::noRefresh))
            h.refresh(h.b, got.msg.streamId, 7);
    };
    const auto served = [&] {
        h.b.inbox.clear();
        return h.last.size() == kItems && std::ranges::all_of(h.last, [](const auto& l) {
                   return l.second == std::pair{ok, std::uint64_t{7}};
               });
    };
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!served()) {
        REQUIRE(std::chrono::steady_clock::now() < end);
        h.clock.advance(std::chrono::milliseconds(2));
        for (int i = 0; i < 20; ++i)
            h.turn(0);
    }
    CHECK(counts.outstanding.get() == 0);
    CHECK(counts.queued.get() == 0);
    CHECK(counts.streams.get() == kItems);
}

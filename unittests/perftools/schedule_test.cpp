// Ticks, bursts and the messages that carry time stamps.
#include "LateTicks.h"
#include "Slices.h"
#include "TickSchedule.h"
#include "support/catch.hpp"

#include <set>
#include <vector>

using namespace emissary::perf;

TEST_CASE("a tick is late when the next one is due already", "[perftools]") {
    TickSchedule ticks(10, 0);  // one every 100 ms
    LateTickCounter counter;
    const std::int64_t ms = 1'000'000;
    const auto take = [&](std::int64_t now) {
        REQUIRE(ticks.take(now));
        counter.note(ticks, now);
    };
    take(100 * ms);
    CHECK(ticks.due() == 100 * ms);
    take(299 * ms);  // due at 200
    CHECK(counter.take().count == 0);
    take(5400 * ms);  // after a stop: due at 300, 400, ...
    take(5400 * ms);
    const LateTicks late = counter.take();
    CHECK(late.count == 2);
    CHECK(late.latestNanos == 5100 * ms);
    CHECK(counter.take().count == 0);
    CHECK(counter.take().latestNanos == 0);
}

TEST_CASE("the bursts of a second add up to the rate and differ by at most one", "[perftools]") {
    const auto rate = GENERATE(1000U, 1001U, 35000U, 99999U, 123457U, 7U, 0U);
    const auto tickRate = GENERATE(1U, 7U, 100U, 1000U);
    std::uint64_t sum = 0;
    for (std::uint32_t tick = 0; tick < tickRate; ++tick) {
        const std::uint32_t burst = burstSize(rate, tickRate, tick);
        CHECK((burst == rate / tickRate || burst == rate / tickRate + 1));
        sum += burst;
    }
    CHECK(sum == rate);
}

TEST_CASE("ticks lie on a fixed grid and late ones are caught up", "[perftools]") {
    constexpr std::int64_t kMilli = 1'000'000;
    TickSchedule ticks(1000, 0);
    CHECK(ticks.next() == kMilli);
    CHECK_FALSE(ticks.take(kMilli - 1));
    CHECK(ticks.take(kMilli));
    CHECK(ticks.tick() == 0);
    CHECK_FALSE(ticks.take(kMilli));

    SECTION("a stall of ten ticks is made up for, tick by tick") {
        int taken = 0;
        while (ticks.take(11 * kMilli))
            ++taken;
        CHECK(taken == 10);
        CHECK(ticks.next() == 12 * kMilli);
    }
    SECTION("tick numbers start again every second") {
        for (int i = 1; i < 1000; ++i)
            CHECK(ticks.take(1000 * kMilli));
        CHECK(ticks.tick() == 999);
        CHECK(ticks.take(1001 * kMilli));
        CHECK(ticks.tick() == 0);
    }
}

TEST_CASE("latency messages: as many per second as asked for, spread over distinct ticks", "[perftools]") {
    constexpr std::uint32_t kTicks = 100;
    constexpr std::uint32_t kRate = 1050;
    LatencyChooser chooser(10, kRate, kTicks, 1);
    std::set<std::vector<std::uint32_t>> patterns;
    std::set<std::uint32_t> indexes;
    for (int second = 0; second < 10; ++second) {
        std::vector<std::uint32_t> chosenTicks;
        for (std::uint32_t tick = 0; tick < kTicks; ++tick) {
            chooser.nextTick();
            std::uint32_t inTick = 0;
            for (std::uint32_t i = 0; i < burstSize(kRate, kTicks, tick); ++i) {
                if (!chooser.isLatency(i)) continue;
                ++inTick;
                indexes.insert(i);
            }
            CHECK(inTick <= 1);
            if (inTick == 1) chosenTicks.push_back(tick);
        }
        CHECK(chosenTicks.size() == 10);
        patterns.insert(chosenTicks);
    }
    CHECK(patterns.size() > 5);
    CHECK(indexes.size() > 5);
}

TEST_CASE("latency messages: none and all", "[perftools]") {
    LatencyChooser none(0, 100000, 1000, 1);
    LatencyChooser all(kAllMessages, 100000, 1000, 1);
    LatencyChooser full(1000, 100000, 1000, 1);
    std::uint32_t fullCount = 0;
    for (int tick = 0; tick < 1000; ++tick) {
        none.nextTick();
        all.nextTick();
        full.nextTick();
        for (std::uint32_t i = 0; i < 100; ++i) {
            REQUIRE_FALSE(none.isLatency(i));
            REQUIRE(all.isLatency(i));
            if (full.isLatency(i)) ++fullCount;
        }
    }
    CHECK(fullCount == 1000);
}

TEST_CASE("slices go on over bursts", "[perftools]") {
    Slices slices(100);
    std::vector<int> ends;  // after how many steps a slice was over
    int steps = 0;
    for (const int burst : {60, 30, 10, 99, 1, 350})
        for (int i = 0; i < burst; ++i) {
            ++steps;
            if (slices.step()) ends.push_back(steps);
        }
    CHECK(ends == std::vector<int>{100, 200, 300, 400, 500});
    Slices single(1);
    CHECK(single.step());
    CHECK(single.step());
}

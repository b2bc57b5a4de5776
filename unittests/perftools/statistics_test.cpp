// Statistics of values, the process's resources, and the growth of counts.
#include "CounterDelta.h"
#include "ResourceSampler.h"
#include "Statistics.h"
#include "support/catch.hpp"

#include <vector>

using namespace emissary::perf;

TEST_CASE("value statistics follow their definitions", "[perftools]") {
    ValueStatistics stats;
    SECTION("nothing added: all zero") {
        CHECK(stats.count() == 0);
        CHECK(stats.mean() == 0.0);
        CHECK(stats.stdDev() == 0.0);
        CHECK(stats.max() == 0.0);
    }
    SECTION("a single value has no deviation") {
        stats.add(42.0);
        CHECK(stats.variance() == 0.0);
        CHECK(stats.min() == 42.0);
        CHECK(stats.max() == 42.0);
    }
    SECTION("the variance divides by n-1") {
        for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0})
            stats.add(value);
        CHECK(stats.mean() == Approx(5.0));
        CHECK(stats.variance() == Approx(32.0 / 7.0));
        CHECK(stats.min() == 2.0);
        CHECK(stats.max() == 9.0);
    }
    SECTION("merging equals adding everything to one") {
        ValueStatistics left;
        ValueStatistics right;
        for (int i = 0; i < 100; ++i) {
            const double value = i * i % 37 - 5;
            stats.add(value);
            (i < 30 ? left : right).add(value);
        }
        left.merge(right);
        left.merge(ValueStatistics{});
        CHECK(left.count() == 100);
        CHECK(left.mean() == Approx(stats.mean()));
        CHECK(left.variance() == Approx(stats.variance()));
        CHECK(left.min() == stats.min());
        CHECK(left.max() == stats.max());
        ValueStatistics empty;
        empty.merge(stats);
        CHECK(empty.mean() == stats.mean());
    }
}

TEST_CASE("the resource sampler sees this process", "[perftools]") {
    ResourceSampler sampler;
    volatile std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 20'000'000; ++i)
        sum = sum + i;
    const ResourceSample sample = sampler.sample();
    CHECK(sample.cpuPercent > 1.0);
    CHECK(sample.cpuPercent < 1000.0);
    CHECK(sample.memoryMb > 1.0);
}

TEST_CASE("a counter's growth is taken once", "[perftools]") {
    emissary::Counter counter;
    CounterDelta delta;
    counter.add();
    counter.add(4);
    CHECK(delta.take(counter) == 5);
    CHECK(delta.take(counter) == 0);
    counter.add(2);
    CHECK(delta.take(counter) == 2);
    CHECK(counter.get() == 7);
}

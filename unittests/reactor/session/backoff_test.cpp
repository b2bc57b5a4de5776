// How long to wait before the next connection attempt, and how often to try.
#include "reactor/session/Backoff.h"

#include "support/catch.hpp"

#include <set>
#include <vector>

using namespace std::chrono_literals;
using emissary::reactor::session::Backoff;
using emissary::reactor::session::ReconnectOptions;
using std::chrono::milliseconds;

namespace {

ReconnectOptions between(milliseconds shortest, milliseconds longest, std::uint32_t seed = 1) {
    ReconnectOptions o;
    o.minDelay = shortest;
    o.maxDelay = longest;
    o.jitterSeed = seed;
    return o;
}

}  // namespace

TEST_CASE("Waits double and keep to the smallest and the largest delay", "[reactor][client]") {
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        Backoff b(between(200ms, 1000ms, seed));
        const milliseconds first = b.next();
        CHECK(first >= 200ms);
        CHECK(first <= 300ms);
        for (const milliseconds full : {400ms, 800ms, 1000ms, 1000ms}) {
            const milliseconds wait = b.next();
            CHECK(wait >= std::max<milliseconds>(200ms, full / 2));
            CHECK(wait <= full);
        }
        b.reset();
        CHECK(b.next() <= 300ms);
    }
}

TEST_CASE("Clients of one server do not come back in the same instant", "[reactor][client]") {
    std::set<milliseconds::rep> waits;
    for (std::uint32_t seed = 1; seed <= 100; ++seed)
        waits.insert(Backoff(between(1000ms, 5000ms, seed)).next().count());
    CHECK(waits.size() > 80);
    CHECK(*waits.rbegin() - *waits.begin() > 400);
}

TEST_CASE("The rule's bounds", "[reactor][client]") {
    const ReconnectOptions o = between(1ms, 2ms).bounded();
    CHECK(o.minDelay == ReconnectOptions::kLeastDelay);
    CHECK(o.maxDelay == o.minDelay);
    Backoff b(between(0ms, 0ms));
    for (int i = 0; i < 5; ++i)
        CHECK(b.next() >= 100ms);
}

TEST_CASE("Attempts are counted until a login succeeds", "[reactor][client]") {
    ReconnectOptions o = between(100ms, 100ms);
    SECTION("no limit") {
        Backoff b(o);
        for (int i = 0; i < 1000; ++i)
            (void)b.next();
        CHECK_FALSE(b.exhausted());
    }
    SECTION("two") {
        o.attemptLimit = 2;
        Backoff b(o);
        (void)b.next();
        CHECK_FALSE(b.exhausted());
        (void)b.next();
        CHECK(b.exhausted());
        b.reset();
        CHECK_FALSE(b.exhausted());
    }
    SECTION("none") {
        o.attemptLimit = 0;
        CHECK(Backoff(o).exhausted());
    }
}

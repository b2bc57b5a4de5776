// When output leaves that was submitted outside a turn: the rules, without a connection.
#include "loop/Departure.h"
#include "support/catch.hpp"

using namespace std::chrono_literals;
using emissary::eta::Duration;
using emissary::eta::TimePoint;
using emissary::reactor::Departure;

namespace {

constexpr Duration kDelay = 50us;

/// One connection and a clock that goes on when it is told.
struct Connection {
    Departure departure;
    TimePoint now{1h};

    [[nodiscard]] bool leaves() { return departure.leavesAtOnce(now, kDelay); }
    [[nodiscard]] Duration wait() const { return departure.by() - now; }
    void pause() { now += 10ms; }
    /// The first leaves, the others gather until their thread dispatches after `took`.
    void burst(std::uint32_t messages, Duration took) {
        pause();
        REQUIRE(leaves());
        REQUIRE_FALSE(leaves());
        now += took;
        departure.flushed(Departure::By::dispatch, now, messages);
        departure.ended();
    }
    /// They gather until the worker flushes.
    void burstForWorker(std::uint32_t messages) {
        pause();
        REQUIRE(leaves());
        REQUIRE_FALSE(leaves());
        now = departure.by();
        departure.flushed(Departure::By::worker, now, messages);
        REQUIRE_FALSE(departure.steady());
        departure.ended();
    }
};

}  // namespace

TEST_CASE("a message after a pause leaves at once, whatever came before", "[reactor][loop][departure]") {
    Connection c;
    CHECK(c.leaves());
    for (int i = 0; i < 5; ++i)
        c.burst(100, 30us);
    c.pause();
    CHECK(c.leaves());
    for (int i = 0; i < 5; ++i)
        c.burstForWorker(100);
    c.now += kDelay;
    CHECK(c.leaves());
    c.now += kDelay;
    CHECK(c.leaves());
}

TEST_CASE("a message soon after another waits until the flush delay is over", "[reactor][loop][departure]") {
    Connection c;
    CHECK(c.leaves());
    c.now += 20us;
    CHECK_FALSE(c.leaves());
    CHECK(c.wait() == kDelay - 20us);
    CHECK_FALSE(c.departure.brief(kDelay));
    c.now = c.departure.by();
    c.departure.flushed(Departure::By::worker, c.now, 1);
    CHECK_FALSE(c.departure.steady());  // the worker need not look again
    c.departure.ended();
    c.now += kDelay;
    CHECK(c.leaves());
}

TEST_CASE("where bursts are followed by dispatching, the worker waits twice as long as the last one took",
          "[reactor][loop][departure]") {
    Connection c;
    const auto waits = [&c] {
        c.pause();
        REQUIRE(c.leaves());
        REQUIRE_FALSE(c.leaves());
        return c.wait();
    };
    SECTION("after one burst it is not expected yet") {
        c.burst(100, 90us);
        CHECK(waits() == kDelay);
    }
    SECTION("within its bounds") {
        const auto [took, wait, brief] = GENERATE(table<Duration, Duration, bool>({{10us, kDelay, true},
                                                                                   {90us, 180us, true},
                                                                                   {150us, kDelay, false},
                                                                                   {100us, 200us, true},
                                                                                   {900us, kDelay, false}}));
        for (int i = 0; i < 3; ++i)
            c.burst(100, took);
        CHECK(waits() == wait);
        CHECK(c.departure.brief(kDelay) == brief);
    }
    SECTION("a few messages are no burst") {
        c.burst(100, 90us);
        c.burst(100, 90us);
        c.burst(Departure::kBurst - 1, 90us);
        CHECK(waits() == kDelay);
    }
    SECTION("nor are single ones in between") {
        c.burst(100, 90us);
        c.burst(100, 90us);
        for (int i = 0; i < 2; ++i) {
            c.pause();
            CHECK(c.leaves());
        }
        CHECK(waits() == kDelay);
    }
    SECTION("not once the thread did not dispatch after a burst") {
        c.burst(100, 90us);
        c.burst(100, 90us);
        c.burstForWorker(100);
        CHECK(waits() == kDelay);
        CHECK_FALSE(c.departure.brief(kDelay));
    }
}

TEST_CASE("the worker that came before a burst was over waits longer for the next one", "[reactor][loop][departure]") {
    Connection c;
    const auto longBurst = [&c] {
        c.pause();
        REQUIRE(c.leaves());
        REQUIRE_FALSE(c.leaves());
        const Duration waited = c.wait();
        c.now = c.departure.by();
        c.departure.flushed(Departure::By::worker, c.now, 50);
        c.departure.ended();
        c.now += 1us;
        REQUIRE_FALSE(c.leaves());  // it goes on
        CHECK(c.departure.steady());
        CHECK(c.wait() == kDelay - 1us);
        c.now = c.departure.by();
        c.departure.flushed(Departure::By::worker, c.now, 5);
        CHECK(c.departure.steady());
        c.now += kDelay;
        c.departure.ended();  // the worker found nothing; the rest of a burst does not make it less of one
        return waited;
    };
    CHECK(longBurst() == kDelay);
    static_cast<void>(longBurst());
    CHECK(longBurst() == 200us);
    CHECK(longBurst() == Departure::kLongest);
    CHECK(longBurst() == Departure::kLongest);
    // Bursts that are over in time bring it down again.
    for (int i = 0; i <= 4 * Departure::kCalm; ++i)
        c.burstForWorker(50);
    c.pause();
    REQUIRE(c.leaves());
    REQUIRE_FALSE(c.leaves());
    CHECK(c.wait() == kDelay);
}

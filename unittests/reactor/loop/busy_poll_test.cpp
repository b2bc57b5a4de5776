// Looking in the place of sleeping (ReactorOptions::busyPoll).
#include "reactor/Reactor.h"
#include "reactor/metrics/Snapshot.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <atomic>
#include <ctime>
#include <mutex>
#include <thread>

#include <sys/prctl.h>

using namespace emissary;
using namespace std::chrono_literals;
using reactor::Reactor;

namespace {

constexpr const char* kLooks = "emissary_loop_busy_looks_total";

reactor::ReactorOptions lookingFor(std::chrono::microseconds busyPoll) {
    reactor::ReactorOptions o;
    o.busyPoll = busyPoll;
    return o;
}

std::chrono::nanoseconds processorTime() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

}  // namespace

TEST_CASE("A reactor that is not to look sleeps", "[reactor][loop]") {
    Reactor r(lookingFor(0us));
    const auto before = processorTime();
    CHECK(r.dispatch(100ms, 10) == 0);
    CHECK(processorTime() - before < 50ms);
    CHECK(r.metrics().value(kLooks) == 0);
}

TEST_CASE("A wait that is shorter than the timer slack is looked through, not slept", "[reactor][loop]") {
    Reactor r(lookingFor(0us));
    REQUIRE(::prctl(PR_SET_TIMERSLACK, 90'000L) == 0);  // of this thread
    SECTION("by whoever waits for events") {
        const auto begun = eta::Clock::now();
        CHECK(r.dispatch(10us, 10) == 0);
        CHECK(eta::Clock::now() - begun >= 10us);
        CHECK(r.metrics().value(kLooks) > 0);
    }
    SECTION("but a longer one is slept, and 0 is no wait") {
        CHECK(r.dispatch(300ms, 10) == 0);
        CHECK(r.dispatch(0us, 10) == 0);
        CHECK(r.metrics().value(kLooks) == 0);
    }
    SECTION("and by a thread without slack none is") {
        REQUIRE(::prctl(PR_SET_TIMERSLACK, 1L) == 0);
        CHECK(r.dispatch(10us, 10) == 0);
        CHECK(r.metrics().value(kLooks) == 0);
    }
    SECTION("also a wait for a timer of the loop") {
        bool ran = false;
        {
            const std::lock_guard guard(r.lock());
            r.startTimer(40us, [&] { ran = true; });
        }
        while (r.dispatch(1s, 10) == 0) {}
        CHECK(ran);
    }
    SECTION("and by whoever waits for another thread that dispatches") {
        std::atomic<bool> stop{false};
        std::thread other([&] {
            while (!stop)
                r.dispatch(-1us, 10);
        });
        for (int i = 0; i < 100; ++i)
            r.dispatch(10us, 10);  // returns, whether its turn came or not
        stop = true;
        r.wake();
        other.join();
    }
    REQUIRE(::prctl(PR_SET_TIMERSLACK, 0L) == 0);  // as it was
}

TEST_CASE("A reactor looks as long as it is told, then sleeps", "[reactor][loop]") {
    Reactor r(lookingFor(2ms));
    const auto begun = eta::Clock::now();
    const auto before = processorTime();
    CHECK(r.dispatch(200ms, 10) == 0);
    CHECK(eta::Clock::now() - begun >= 200ms);
    CHECK(processorTime() - before < 100ms);
    CHECK(r.metrics().value(kLooks) > 0);
}

TEST_CASE("A reactor that never sleeps still does all it is asked for", "[reactor][loop]") {
    Reactor r(lookingFor(-1us));
    SECTION("returns when its time is over") {
        const auto begun = eta::Clock::now();
        CHECK(r.dispatch(20ms, 10) == 0);
        CHECK(eta::Clock::now() - begun >= 20ms);
        CHECK(r.metrics().value(kLooks) > 1);
    }
    SECTION("does not wait when it is not to wait") {
        CHECK(r.dispatch(0ms, 10) == 0);
        CHECK(r.metrics().value(kLooks) == 0);
    }
    SECTION("runs a timer when it is due") {
        bool ran = false;
        {
            const std::lock_guard guard(r.lock());
            r.startTimer(20ms, [&] { ran = true; });
        }
        CHECK(r.dispatch(-1us, 10) == 1);
        CHECK(ran);
    }
    SECTION("is woken by other threads, again and again, and lets them have the lock meanwhile") {
        std::atomic<int> seen{0};
        std::atomic<bool> stop{false};
        std::thread dispatching([&] {
            while (!stop)
                r.dispatch(-1us, 10);
        });
        for (int i = 1; i <= 1000; ++i) {
            {
                const std::lock_guard guard(r.lock());
                r.post([&] { ++seen; });
            }
            REQUIRE(test::turnUntil([&] { return seen == i; }, [] { std::this_thread::yield(); }));
        }
        stop = true;
        r.wake();
        dispatching.join();
        CHECK(seen == 1000);
    }
}

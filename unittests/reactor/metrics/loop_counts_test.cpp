// Mailboxes between threads, and what a loop counts.
#include "loop/Mailbox.h"
#include "reactor/MetricSource.h"
#include "reactor/Reactor.h"
#include "reactor/metrics/Snapshot.h"
#include "support/StillClock.h"
#include "support/catch.hpp"

#include <memory>
#include <mutex>
#include <new>
#include <thread>

using namespace emissary;
using namespace std::chrono_literals;
using reactor::Mailbox;
using reactor::Reactor;

namespace {

/// Of one queue.
[[nodiscard]] std::uint64_t ofQueue(const reactor::metrics::Snapshot& s, const std::string& queue,
                                    const std::string& name) {
    for (const auto& family : s.families()) {
        if (family.row->name != name) continue;
        for (const auto& sample : family.samples)
            for (const auto& [label, value] : s.labels(sample))
                if (label == "queue" && value == queue) return sample.value;
    }
    FAIL("there is no " << name << " of " << queue);
    return 0;
}

}  // namespace

TEST_CASE("A mailbox", "[reactor][metrics]") {
    Mailbox<std::unique_ptr<int>> box(2);
    const auto post = [&](int n) {
        auto letter = std::make_unique<int>(n);
        const bool in = box.tryPost(letter);
        CHECK((letter == nullptr) == in);  // what is refused stays with the poster
        return in;
    };
    CHECK(box.take().empty());
    CHECK(post(1));
    CHECK(post(2));
    CHECK_FALSE(post(3));
    CHECK(box.counts().full == 1);
    CHECK(box.counts().length == 2);
    CHECK(box.counts().capacity == 2);

    const auto taken = box.take();
    REQUIRE(taken.size() == 2);
    CHECK(*taken[0] == 1);
    CHECK(*taken[1] == 2);
    CHECK(post(3));
    CHECK(box.counts().posted == 3);
    CHECK(box.counts().peak == 2);
    CHECK(box.counts().length == 1);
}

TEST_CASE("A mailbox loses nothing when many threads post", "[reactor][metrics]") {
    Mailbox<int> box(64);
    constexpr int kEach = 2000, kThreads = 3;
    std::vector<std::thread> posters;
    for (int t = 0; t < kThreads; ++t)
        posters.emplace_back([&] {
            for (int i = 1; i <= kEach; ++i)
                for (int letter = i; !box.tryPost(letter);)
                    std::this_thread::yield();
        });
    std::uint64_t sum = 0, letters = 0;
    while (letters < kEach * kThreads) {
        for (const int n : box.take()) {
            sum += static_cast<std::uint64_t>(n);
            ++letters;
        }
    }
    for (auto& p : posters)
        p.join();
    CHECK(sum == std::uint64_t{kThreads} * kEach * (kEach + 1) / 2);
    CHECK(box.counts().posted == letters);
    CHECK(box.counts().peak <= 64);
}

TEST_CASE("A loop counts", "[reactor][metrics]") {
    test::StillClock clock;
    reactor::ReactorOptions options;
    options.name = "loop";
    options.clock = &clock;
    Reactor r(options);

    SECTION("turns by their length, and those that stall") {
        {
            const std::lock_guard guard(r.lock());
            r.post([&] { clock.advance(20ms); });
        }
        CHECK(r.dispatch(0us, 10) == 1);
        {
            const std::lock_guard guard(r.lock());
            r.post([&] { clock.advance(150ms); });
            r.startTimer(0ms, [] {});
        }
        CHECK(r.dispatch(0us, 10) == 2);
        const auto s = r.metrics();
        CHECK(s.value("emissary_loop_turn_seconds") == 2u);
        CHECK(s.value("emissary_loop_stalls_total") == 1u);
        CHECK(s.value("emissary_loop_events_total") == 3u);
        CHECK(s.value("emissary_loop_timers_run_total") == 1u);
        CHECK(s.value("emissary_loop_timers") == 0u);
        CHECK(s.value("emissary_loop_clock_reads_total") == 5u);  // when a turn begins and ends, and when timers ran
        CHECK(s.prometheus().find("emissary_loop_turn_seconds_bucket{instance=\"loop\",le=\"0.03\"} 1\n") !=
              std::string::npos);
        CHECK(s.prometheus().find("emissary_loop_turn_seconds_bucket{instance=\"loop\",le=\"0.3\"} 2\n") !=
              std::string::npos);
    }
    SECTION("waits, and wake-ups by other threads") {
        r.wake();
        CHECK(r.dispatch(-1us, 10) == 0);
        const auto s = r.metrics();
        CHECK(s.value("emissary_loop_waits_total") == 1u);
        CHECK(s.value("emissary_loop_wakeups_total") == 1u);
    }
    SECTION("every time that it reads the clock") {
        Reactor steady{reactor::ReactorOptions{}};
        for (int i = 0; i < 3; ++i)
            steady.dispatch(1ms, 10);
        // The beginning; before and behind each wait. The time that is left of a timeout needs none.
        const auto s = steady.metrics();
        CHECK(*s.value("emissary_loop_waits_total") >= 3u);
        CHECK(*s.value("emissary_loop_clock_reads_total") == 3 + 2 * *s.value("emissary_loop_waits_total"));
    }
    SECTION("posted calls, of which there is a bound") {
        int ran = 0;
        std::uint64_t taken = 0;
        {
            const std::lock_guard guard(r.lock());
            const std::uint64_t room = ofQueue(r.metrics(), "posted", "emissary_queue_capacity");
            REQUIRE(room == 262144);
            for (; taken < room; ++taken)
                r.post([&] { ++ran; });
            CHECK_THROWS_AS(r.post([&] { ++ran; }), std::bad_alloc);
        }
        const auto full = r.metrics();
        CHECK(ofQueue(full, "posted", "emissary_queue_full_total") == 1);
        CHECK(ofQueue(full, "posted", "emissary_queue_length") == taken);
        r.dispatch(0us, 10);
        CHECK(ran == 262144);
        const auto s = r.metrics();
        CHECK(ofQueue(s, "posted", "emissary_queue_length") == 0);
        CHECK(ofQueue(s, "posted", "emissary_queue_length_peak") == taken);
        CHECK(ofQueue(s, "posted", "emissary_queue_posted_total") == taken);
    }
    SECTION("what sources add, as long as they live") {
        struct Own {
            eta::Total<"test_own_total", "things", "Things."> things;
        } own;
        {
            const std::lock_guard guard(r.lock());
            const reactor::MetricSource source(r, [&](reactor::metrics::Snapshot& s) { s.add(own, {{"role", "x"}}); });
            ++own.things;
            CHECK(r.metrics().value("test_own_total") == 1u);
        }
        CHECK_FALSE(r.metrics().value("test_own_total").has_value());
    }
}

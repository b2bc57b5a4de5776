// Messages that are submitted outside a turn: all of them leave, whoever dispatches or does not, and what becomes of
// the link meanwhile.
#include "far_end.h"
#include "reactor/metrics/Snapshot.h"
#include "support/until.h"

#include <array>
#include <thread>

using namespace emissary;
using namespace std::chrono_literals;
using eta::transport::Channel;
using reactor::Link;
using reactor::Reactor;
using test::FarEnd;
using test::IdHandler;
using test::updateOf;
using transport_test::Ability;

namespace {

reactor::ReactorOptions optionsWith(std::chrono::microseconds flushDelay) {
    reactor::ReactorOptions o = FarEnd::options();
    o.flushDelay = flushDelay;
    return o;
}

constexpr std::chrono::microseconds kNever = 1h;  ///< the worker does not come in the time of a test

/// A link whose far end the test reads.
struct Submitted {
    explicit Submitted(std::chrono::microseconds flushDelay, const std::string& row = "tcp")
        : far(transport_test::row(row)), loop(optionsWith(flushDelay)) {
        {
            const std::lock_guard guard(loop.lock());
            link = loop.adopt(std::move(far.accepted), told);
        }
        REQUIRE(test::turnUntil([&] { return link->active(); }, [&] { loop.dispatch(0us, 10); }));
    }
    ~Submitted() {
        const std::lock_guard guard(loop.lock());
        link.reset();
    }
    void send(std::int32_t count = 1) {
        const std::lock_guard guard(loop.lock());
        for (; count > 0; --count)
            if (!link->send(message(++sent)).ok()) ++refused;  // no assertion: other threads call this too
    }
    [[nodiscard]] bool begin() {
        const std::lock_guard guard(loop.lock());
        return loop.beginBurst();
    }
    void end() {
        const std::lock_guard guard(loop.lock());
        loop.endBurst();
    }
    [[nodiscard]] eta::Bytes message(std::size_t id) {
        eta::storeBe(bytes.data() + 4, static_cast<std::uint32_t>(id));
        return bytes;
    }
    [[nodiscard]] std::size_t queued() {
        const std::lock_guard guard(loop.lock());
        return link->queuedBytes();
    }
    [[nodiscard]] std::uint64_t writes() { return link->channel()->counters().writeCalls; }
    [[nodiscard]] std::uint64_t count(const char* name) { return loop.metrics().value(name).value_or(0); }
    /// The far end has what was sent, in order; nobody dispatches.
    [[nodiscard]] bool arrives() {
        if (!test::turnUntil([&] { return far.heard.size() >= sent; }, [&] { far.read(); })) return false;
        for (std::size_t i = 0; i < far.heard.size(); ++i)
            if (far.heard[i] != i + 1) return false;
        return far.heard.size() == sent && refused == 0;
    }

    FarEnd far;
    IdHandler told;
    Reactor loop;
    std::unique_ptr<Link> link;
    std::size_t sent = 0, refused = 0;  ///< session lock
    test::ByteVector bytes = updateOf(1);
};

/// A thread that dispatches all the time.
class Dispatching {
public:
    explicit Dispatching(Reactor& loop)
        : thread_([this, &loop] {
              while (!stop_.load())
                  loop.dispatch(100us, 10);
          }) {}
    ~Dispatching() {
        stop_ = true;
        thread_.join();
    }
    Dispatching(const Dispatching&) = delete;
    Dispatching& operator=(const Dispatching&) = delete;

private:
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace

TEST_CASE("the thread that submitted flushes when it dispatches", "[reactor][loop][waiting]") {
    Submitted s(kNever);
    const auto asked = [&s] { return s.count("emissary_queue_length"); };  // of the worker
    REQUIRE(test::eventually([&] { return asked() == 0; }));
    s.send();
    CHECK(s.queued() == 0);  // the first one left at once
    const std::uint64_t writes = s.writes();
    s.send(20);
    CHECK(s.queued() != 0);
    CHECK(s.writes() == writes);
    CHECK(asked() == 1);
    s.loop.dispatch(0us, 10);
    CHECK(s.queued() == 0);
    CHECK(s.writes() == writes + 1);
    CHECK(asked() == 0);
    s.send(2);
    CHECK(s.queued() != 0);
    CHECK(asked() == 1);
    s.loop.dispatch(0us, 10);
    CHECK(s.queued() == 0);
    CHECK(asked() == 0);
    CHECK(s.arrives());
}

TEST_CASE("a thread that only dispatches leaves to the worker what others submit", "[reactor][loop][waiting]") {
    Submitted s(kNever);
    std::thread([&] { s.send(20); }).join();
    CHECK(s.queued() != 0);
    s.loop.dispatch(0us, 10);
    CHECK(s.queued() != 0);
    {
        const std::lock_guard guard(s.loop.lock());
        s.link->flush();
    }
    CHECK(s.arrives());
}

TEST_CASE("bursts whose thread dispatches do not wake the worker", "[reactor][loop][waiting]") {
    Submitted s(kNever);
    REQUIRE(test::eventually([&] { return s.count("emissary_worker_connections") == 1; }));
    const std::uint64_t wakeups = s.count("emissary_worker_wakeups_total");
    for (int i = 0; i < 100; ++i) {
        s.send(20);
        s.loop.dispatch(0us, 10);
        REQUIRE(s.queued() == 0);
    }
    CHECK(s.count("emissary_worker_wakeups_total") == wakeups);
    CHECK(s.arrives());
}

TEST_CASE("single messages leave without the worker", "[reactor][loop][waiting]") {
    Submitted s(0us);  // every message comes after a pause
    REQUIRE(test::eventually([&] { return s.count("emissary_worker_connections") == 1; }));
    const std::uint64_t wakeups = s.count("emissary_worker_wakeups_total");
    for (int i = 0; i < 50; ++i) {
        s.send();
        REQUIRE(s.queued() == 0);
    }
    CHECK(s.count("emissary_worker_wakeups_total") == wakeups);
    CHECK(s.arrives());
}

TEST_CASE("what nobody dispatches for leaves by itself", "[reactor][loop][waiting]") {
    // far_end.h tells ids apart; the order is checked for RWF.
    const transport_test::Row& row =
        transport_test::row(GENERATE(from_range(transport_test::rowNames({Ability::bytes}))));
    INFO(row.name);
    Submitted s(GENERATE(50us, 2000us), row.name);
    for (int burst = 0; burst < 5; ++burst) {
        s.send(30);
        CHECK(s.arrives());
    }
    // Also after a habit of dispatching.
    for (int burst = 0; burst < 5; ++burst) {
        s.send(30);
        s.loop.dispatch(0us, 10);
    }
    s.send(30);
    CHECK(s.arrives());
}

TEST_CASE("a burst leaves at its end, in one system call and without the worker", "[reactor][loop][waiting]") {
    Submitted s(0us);  // by themselves, all messages would leave at once
    REQUIRE(test::eventually([&] { return s.count("emissary_worker_connections") == 1; }));
    const std::uint64_t wakeups = s.count("emissary_worker_wakeups_total");
    for (int burst = 0; burst < 50; ++burst) {
        const std::uint64_t writes = s.writes();
        REQUIRE(s.begin());
        s.send(100);
        REQUIRE(s.writes() == writes);
        s.end();
        REQUIRE(s.writes() == writes + 1);
        REQUIRE(s.queued() == 0);
    }
    CHECK(s.count("emissary_worker_wakeups_total") == wakeups);
    CHECK(s.arrives());
}

TEST_CASE("a long burst leaves whenever 64 KiB wait", "[reactor][loop][waiting]") {
    Submitted s(kNever);
    const std::uint64_t writes = s.writes();
    REQUIRE(s.begin());
    std::size_t most = 0;
    while (s.writes() < writes + 3) {
        s.send();
        most = std::max(most, s.queued());
    }
    CHECK(most > 60'000);
    CHECK(most <= 64u << 10);
    s.send(2);
    s.end();
    CHECK(s.queued() == 0);
    // Outside a burst the mark is the old one: the first message leaves, others wait for the worker.
    s.send();
    CHECK(s.queued() == 0);
    CHECK(s.arrives());
}

TEST_CASE("one thread has a burst; what others submit leaves as always", "[reactor][loop][waiting]") {
    Submitted s(0us);
    REQUIRE(s.begin());
    CHECK_FALSE(s.begin());
    const std::uint64_t writes = s.writes();
    std::thread([&] {
        CHECK_FALSE(s.begin());
        s.send();
        CHECK(s.writes() == writes + 1);
    }).join();
    s.send();
    CHECK(s.writes() == writes + 1);
    s.end();
    CHECK(s.writes() == writes + 2);
    CHECK(s.arrives());
}

TEST_CASE("a burst of what the kernel does not take, and of a link that ends", "[reactor][loop][waiting]") {
    Submitted s(50us);
    REQUIRE(s.begin());
    SECTION("it waits for the kernel, although nobody dispatches") {
        {
            const std::lock_guard guard(s.loop.lock());
            while (s.link->send(s.message(s.sent + 1)).ok())
                ++s.sent;
        }
        s.end();
        CHECK(s.queued() != 0);
        CHECK(s.arrives());
    }
    SECTION("closed") {
        s.send(20);
        {
            const std::lock_guard guard(s.loop.lock());
            s.link->close();
        }
        s.end();
    }
    SECTION("destroyed") {
        s.send(20);
        {
            const std::lock_guard guard(s.loop.lock());
            s.link.reset();
        }
        s.end();
    }
    SECTION("its thread dispatches meanwhile") {
        s.send(20);
        s.loop.dispatch(0us, 10);
        CHECK(s.queued() == 0);
        s.send(20);
        s.end();
        CHECK(s.arrives());
    }
}

TEST_CASE("threads submit in bursts and one by one while another dispatches", "[reactor][loop][waiting]") {
    Submitted s(50us);
    const Dispatching dispatching(s.loop);
    std::array<std::thread, 3> threads;
    for (std::size_t t = 0; t < threads.size(); ++t)
        threads[t] = std::thread([&s, t] {
            for (int i = 0; i < 300; ++i) {
                const bool burst = t != 0 && s.begin();
                s.send(burst ? 40 : 1);
                if (burst) s.end();
            }
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(s.arrives());
}

TEST_CASE("threads submit while nobody dispatches", "[reactor][loop][waiting]") {
    Submitted s(50us);
    std::array<std::thread, 4> threads;
    for (std::thread& t : threads)
        t = std::thread([&] {
            for (int i = 0; i < 500; ++i)
                s.send(i % 7 == 0 ? 5 : 1);
        });
    CHECK(test::turnUntil([&] { return s.far.heard.size() >= 1000; }, [&] { s.far.read(); }));
    for (std::thread& t : threads)
        t.join();
    CHECK(s.arrives());
}

TEST_CASE("threads submit while another dispatches", "[reactor][loop][waiting]") {
    Submitted s(50us);
    const Dispatching dispatching(s.loop);
    std::array<std::thread, 2> threads;
    for (std::thread& t : threads)
        t = std::thread([&] {
            for (int i = 0; i < 500; ++i) {
                s.send(i % 7 == 0 ? 5 : 1);
                if (i % 11 == 0) s.loop.dispatch(0us, 10);
            }
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(s.arrives());
}

TEST_CASE("what the kernel does not take waits for it, although nobody dispatches", "[reactor][loop][waiting]") {
    Submitted s(50us);
    const bool dispatched = GENERATE(false, true);
    {
        const std::lock_guard guard(s.loop.lock());
        while (s.link->send(eta::Bytes(updateOf(static_cast<std::int32_t>(s.sent + 1)))).ok())
            ++s.sent;
    }
    CHECK(s.queued() != 0);
    if (dispatched) s.loop.dispatch(0us, 10);
    CHECK(s.arrives());
}

TEST_CASE("a link ends while its output waits", "[reactor][loop][waiting]") {
    Submitted s(GENERATE(std::chrono::microseconds(50us), kNever));
    SECTION("closed") {
        s.send(20);
        const std::lock_guard guard(s.loop.lock());
        s.link->close();
    }
    SECTION("destroyed, and the reactor goes on with another") {
        s.send(20);
        {
            const std::lock_guard guard(s.loop.lock());
            s.link.reset();
        }
        FarEnd other(transport_test::row("tcp"));
        IdHandler told;
        std::unique_ptr<Link> link;
        {
            const std::lock_guard guard(s.loop.lock());
            link = s.loop.adopt(std::move(other.accepted), told);
        }
        REQUIRE(test::turnUntil([&] { return link->active(); }, [&] { s.loop.dispatch(0us, 10); }));
        {
            const std::lock_guard guard(s.loop.lock());
            for (std::int32_t id = 1; id <= 3; ++id)
                REQUIRE(link->send(eta::Bytes(updateOf(id))).ok());
        }
        s.loop.dispatch(0us, 10);
        CHECK(test::turnUntil([&] { return other.heard.size() == 3; }, [&] { other.read(); }));
        const std::lock_guard guard(s.loop.lock());
        link.reset();
    }
    SECTION("given to another reactor") {
        s.send(20);
        Reactor next(optionsWith(50us));
        std::shared_ptr<Channel> channel;
        {
            const std::lock_guard guard(s.loop.lock());
            channel = s.link->release();
        }
        std::unique_ptr<Link> link;
        {
            const std::lock_guard guard(next.lock());
            link = next.resume(std::move(channel), s.told);
            for (int i = 0; i < 20; ++i)
                REQUIRE(link->send(eta::Bytes(updateOf(static_cast<std::int32_t>(++s.sent)))).ok());
        }
        CHECK(s.arrives());
        const std::lock_guard guard(next.lock());
        link.reset();
    }
    s.loop.dispatch(0us, 10);
    CHECK(s.arrives());
}

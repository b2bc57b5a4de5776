// The session lock, dispatching, and binding of threads.
#include "reactor/Reactor.h"

#include "reactor/consumer/consumer_types.h"
#include "reactor/threads.h"
#include "support/catch.hpp"

#include <thread>
#include <vector>

#include <sys/epoll.h>
#include <unistd.h>

using namespace emissary;
using namespace std::chrono_literals;
using reactor::Reactor;

TEST_CASE("Session lock", "[reactor][loop]") {
    reactor::SessionLock lock;
    SECTION("is recursive for its holder and refuses others meanwhile") {
        lock.lock();
        lock.lock();
        CHECK(lock.heldByThisThread());
        bool got = true;
        std::thread([&] { got = lock.try_lock(); }).join();
        CHECK_FALSE(got);
        lock.unlock();
        lock.unlock();
        std::thread([&] {
            got = lock.try_lock();
            lock.unlock();
        }).join();
        CHECK(got);
    }
    SECTION("excludes, under contention, also while one holder keeps giving way") {
        int shared = 0;
        constexpr int kRounds = 20000;
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < kRounds; ++i) {
                    const std::lock_guard guard(lock);
                    ++shared;
                }
            });
        }
        lock.lock();
        for (int i = 0; i < kRounds; ++i) {
            ++shared;
            if (lock.wanted()) lock.giveWay();
        }
        lock.unlock();
        for (auto& t : threads)
            t.join();
        CHECK(shared == 5 * kRounds);
    }
}

TEST_CASE("Dispatching", "[reactor][loop]") {
    Reactor r({});
    std::vector<int> order;

    SECTION("an idle wait lasts as long as asked for") {
        const auto begin = reactor::Clock::now();
        CHECK(r.dispatch(300ms, 100) == 0);
        const auto took = reactor::Clock::now() - begin;
        CHECK(took >= 300ms);
        CHECK(took < 2s);
        CHECK(r.dispatch(0us, 100) == 0);
    }
    SECTION("timers run in order of their deadlines; cancelled ones do not") {
        {
            const std::lock_guard guard(r.lock());
            r.startTimer(3ms, [&] { order.push_back(3); });
            r.startTimer(1ms, [&] { order.push_back(1); });
            const auto id = r.startTimer(2ms, [&] { order.push_back(2); });
            r.cancelTimer(id);
            r.cancelTimer(id);
            r.cancelTimer(4711);
        }
        while (order.size() < 2)
            CHECK(r.dispatch(5s, 100) >= 1);
        CHECK(order == std::vector<int>{1, 3});
    }
    SECTION("a timer may start and cancel others") {
        const std::lock_guard guard(r.lock());
        reactor::TimerId other = 0;
        r.startTimer(1ms, [&] {
            r.cancelTimer(other);
            r.startTimer(0ms, [&] { order.push_back(2); });
            order.push_back(1);
        });
        other = r.startTimer(2ms, [&] { order.push_back(99); });
        r.lock().unlock();
        while (order.size() < 2)
            r.dispatch(5s, 100);
        r.lock().lock();
        CHECK(order == std::vector<int>{1, 2});
    }
    SECTION("what other threads post ends the wait and runs in order") {
        std::thread other([&] {
            for (int i = 0; i < 100; ++i) {
                const std::lock_guard guard(r.lock());
                r.post([&order, i] { order.push_back(i); });
            }
        });
        while (order.size() < 100)
            r.dispatch(-1us, 10);
        other.join();
        CHECK(std::is_sorted(order.begin(), order.end()));
    }
    SECTION("a timer that another thread starts shortens a wait that has begun") {
        std::thread other([&] {
            const std::lock_guard guard(r.lock());
            r.startTimer(1ms, [&] { order.push_back(1); });
        });
        CHECK(r.dispatch(60s, 10) == 1);
        other.join();
    }
    SECTION("wake() ends a wait, also one that is about to begin") {
        r.wake();
        CHECK(r.dispatch(60s, 10) == 0);
        std::thread other([&] { r.wake(); });
        CHECK(r.dispatch(60s, 10) == 0);
        other.join();
    }
    SECTION("other descriptors are watched") {
        int fds[2];
        REQUIRE(pipe(fds) == 0);
        struct Source final : reactor::EventSource {
            Reactor& r;
            int fd, seen = 0;
            Source(Reactor& reactor, int f) : r(reactor), fd(f) {}
            void onReady(std::uint32_t) noexcept override {
                char c = 0;
                if (read(fd, &c, 1) == 1) ++seen;
                r.wake();
            }
        } source(r, fds[0]);
        {
            const std::lock_guard guard(r.lock());
            r.watch(fds[0], EPOLLIN, source);
        }
        REQUIRE(write(fds[1], "x", 1) == 1);
        CHECK(r.dispatch(60s, 10) == 0);
        CHECK(source.seen == 1);
        {
            const std::lock_guard guard(r.lock());
            r.unwatch(fds[0]);
        }
        REQUIRE(write(fds[1], "x", 1) == 1);
        CHECK(r.dispatch(0us, 10) == 0);
        ::close(fds[0]);
        ::close(fds[1]);
    }
    SECTION("from inside a callback it does nothing") {
        int inner = -1;
        {
            const std::lock_guard guard(r.lock());
            r.post([&] { inner = r.dispatch(60s, 10); });
        }
        CHECK(r.dispatch(60s, 10) == 1);
        CHECK(inner == 0);
    }
}

TEST_CASE("CPU bindings", "[reactor][loop]") {
    CHECK(reactor::cpusOf("3") == std::vector<int>{3});
    CHECK(reactor::cpusOf("0,2-4") == std::vector<int>{0, 2, 3, 4});
    for (const char* bad : {"", "x", "1-", "4-2", "1,,2", "-1", "99999", "P:x", "C:0", "Q:1"})
        CHECK(reactor::cpusOf(bad).empty());
    CHECK(reactor::bindThisThread(""));
    CHECK_FALSE(reactor::bindThisThread("nonsense"));
}

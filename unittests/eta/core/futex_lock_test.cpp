// The futex lock: exclusion, waking, and handing over between threads.
#include "eta/core/FutexLock.h"

#include "support/catch.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

using emissary::eta::FutexLock;

namespace {

/// So many threads take the lock so often; each holds it for `hold(round)` turns of other threads.
template <class Hold>
long counted(int threads, int rounds, Hold hold) {
    FutexLock lock;
    long counter = 0;
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
        running.emplace_back([&] {
            for (int i = 0; i < rounds; ++i) {
                const std::lock_guard guard(lock);
                const long before = counter;
                for (int turns = hold(i); turns > 0; --turns)
                    std::this_thread::yield();
                counter = before + 1;
            }
        });
    for (std::thread& t : running)
        t.join();
    return counter;
}

}  // namespace

TEST_CASE("a lock is taken once", "[core][lock]") {
    FutexLock lock;
    CHECK(lock.try_lock());
    CHECK_FALSE(lock.try_lock());
    lock.unlock();
    CHECK(lock.try_lock());
    lock.unlock();
}

TEST_CASE("a lock excludes other threads", "[core][lock][threads]") {
    CHECK(counted(4, 50'000, [](int) { return 0; }) == 200'000);
}

TEST_CASE("whoever sleeps on a lock is woken, however many sleep", "[core][lock][threads]") {
    // Held for longer than anybody spins, now and then: all others go to sleep, and each must get its turns.
    CHECK(counted(8, 300, [](int round) { return round % 3 == 0 ? 50 : 0; }) == 2'400);
    CHECK(counted(2, 3'000, [](int round) { return round % 2 * 20; }) == 6'000);
}

TEST_CASE("a lock hands over between one that comes by often and one that sleeps", "[core][lock][threads]") {
    FutexLock lock;
    std::atomic<bool> done = false;
    long mine = 0, shared = 0;
    std::thread often([&] {
        while (!done.load(std::memory_order_relaxed)) {
            {
                const std::lock_guard guard(lock);
                ++shared;
            }
            ++mine;
        }
    });
    // Without a spin: each time it is held, this thread sleeps and has to be woken.
    for (int i = 0; i < 5'000; ++i) {
        if (!lock.try_lock()) lock.wait(0);
        ++shared;
        lock.unlock();
    }
    done = true;
    often.join();
    CHECK(shared == mine + 5'000);
}

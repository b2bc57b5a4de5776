// The slow path of the session lock: waiting for it, and giving way to a thread that waits.
#include "reactor/SessionLock.h"

#include <thread>

#include <sched.h>

namespace emissary::reactor {
namespace {

// A holder that dispatches gives way between two messages, so a waiter usually needs less than this (a few us).
constexpr int kSpins = 300;

}  // namespace

constinit thread_local char detail::threadMark = 0;

bool SessionLock::try_lock() noexcept {
    if (heldByThisThread()) {
        ++depth_;
        return true;
    }
    if (!lock_.try_lock()) return false;
    own();
    return true;
}

bool SessionLock::lockWithin(std::chrono::milliseconds patience) noexcept {
    if (try_lock()) return true;
    constexpr std::chrono::microseconds kStep{100};
    waiters_.fetch_add(1, std::memory_order_relaxed);
    bool got = false;
    for (auto steps = patience / kStep; !got && steps > 0; --steps) {
        for (int i = 0; i < kSpins && !got; ++i) {
            eta::pauseBriefly();
            got = lock_.try_lock();
        }
        if (!got) std::this_thread::sleep_for(kStep);
    }
    if (got) turns_.fetch_add(1, std::memory_order_relaxed);
    waiters_.fetch_sub(1, std::memory_order_relaxed);
    if (got) own();
    return got;
}

/// Those that wait are counted, since who holds the lock for long looks whether somebody does and lets them go first.
void SessionLock::lockSlow() noexcept {
    waiters_.fetch_add(1, std::memory_order_relaxed);
    lock_.wait(kSpins);
    turns_.fetch_add(1, std::memory_order_relaxed);
    waiters_.fetch_sub(1, std::memory_order_relaxed);
}

void SessionLock::giveWay() noexcept {
    if (depth_ != 1 || !wanted()) return;
    const std::uint32_t before = turns_.load(std::memory_order_relaxed);
    unlock();
    // Without this pause the releasing thread, whose cache holds the word, would win it back every time. Bounded: a
    // waiter that is not scheduled must not hold up the loop for long.
    const auto pending = [&] { return wanted() && turns_.load(std::memory_order_relaxed) == before; };
    for (int i = 0; i < 1000 && pending(); ++i)
        eta::pauseBriefly();
    for (int i = 0; i < 20 && pending(); ++i)
        sched_yield();
    lock();
}

}  // namespace emissary::reactor

// The lock of a session object (a consumer or provider instance).
#pragma once

#include "eta/core/FutexLock.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace emissary::reactor {

namespace detail {
extern constinit thread_local char threadMark;
}

/// A number that no other running thread has; never 0. Costs an addition.
[[nodiscard]] inline std::uintptr_t thisThread() noexcept {
    return reinterpret_cast<std::uintptr_t>(&detail::threadMark);
}

/// Serialises all work of one session: held while the reactor dispatches (not while it waits) and by every API call.
/// Recursive for its holder; cheap when uncontended. A dispatching holder lets waiters in between two messages.
class SessionLock {
public:
    /// Waits until the lock is free; at once when this thread holds it.
    void lock() noexcept {
        if (heldByThisThread()) {
            ++depth_;
            return;
        }
        if (!lock_.try_lock()) [[unlikely]]
            lockSlow();
        own();
    }
    /// Waits about as long as `patience`, in steps of 0.1 ms and more, and lets the holder know as lock() does. False:
    /// it is still held.
    [[nodiscard]] bool lockWithin(std::chrono::milliseconds patience) noexcept;
    /// Once for each lock().
    void unlock() noexcept {
        if (--depth_ != 0) return;
        owner_.store(0, std::memory_order_relaxed);
        lock_.unlock();
    }
    /// False, at once, when another thread holds it.
    [[nodiscard]] bool try_lock() noexcept;
    /// For checks.
    [[nodiscard]] bool heldByThisThread() const noexcept {
        return owner_.load(std::memory_order_relaxed) == thisThread();
    }
    /// Another thread is waiting.
    [[nodiscard]] bool wanted() const noexcept { return waiters_.load(std::memory_order_relaxed) != 0; }
    /// Lets one waiter have its turn, then takes the lock again; nothing when nobody waits or the lock is held twice.
    void giveWay() noexcept;

private:
    void lockSlow() noexcept;
    void own() noexcept {
        owner_.store(thisThread(), std::memory_order_relaxed);
        depth_ = 1;
    }

    std::atomic<std::uintptr_t> owner_{0};  // thisThread() of the holder
    eta::FutexLock lock_;
    std::atomic<std::uint32_t> waiters_{0};  // threads that are trying and did not get it at once
    std::atomic<std::uint32_t> turns_{0};    // how often a waiter got it
    std::uint32_t depth_ = 0;                // guarded by the lock itself
};

}  // namespace emissary::reactor

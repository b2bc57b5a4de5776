// The one lock that a submitting thread may meet.
#pragma once

#include <atomic>
#include <cstdint>

namespace emissary::eta::transport {

/// A small futex mutex: one atomic operation each way when uncontended. Meets Lockable; not recursive.
class OutputLock {
public:
    OutputLock() = default;
    OutputLock(const OutputLock&) = delete;
    OutputLock& operator=(const OutputLock&) = delete;

    /// Waits, after a short spin, until the lock is free.
    void lock() noexcept {
        std::uint32_t free = 0;
        // acquire pairs with the release in unlock()
        if (!word_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed)) [[unlikely]]
            lockSlow();
    }
    /// Only by the thread that holds it; wakes one waiter.
    void unlock() noexcept {
        if (word_.exchange(0, std::memory_order_release) == 2) [[unlikely]]
            wakeOne();
    }
    /// False, at once, when another thread holds it.
    [[nodiscard]] bool try_lock() noexcept {
        std::uint32_t free = 0;
        return word_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
    }

private:
    void lockSlow() noexcept;
    void wakeOne() noexcept;

    std::atomic<std::uint32_t> word_{0};  // 0 free, 1 held, 2 held with waiters
    static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace emissary::eta::transport

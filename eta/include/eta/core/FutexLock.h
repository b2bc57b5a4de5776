// The lock of paths that are run millions of times a second and seldom met by two threads at once.
#pragma once

#include <atomic>
#include <cstdint>

namespace emissary::eta {

/// For loops that look again at once: the other thread of the core gets its turn meanwhile.
inline void pauseBriefly() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// A small mutex. Free for the taking it costs one atomic operation, and giving it back costs none: the order between
/// "it is free" and "does anybody sleep?" is paid by those who go to sleep (membarrier(2)), not by those who come by.
/// Such an operation waits until all that was stored before has reached the cache, which after the copy of a message
/// is more than the lock itself. Meets Lockable; not recursive; fair to nobody.
///
/// Where the kernel has no membarrier, or forbids it, giving back costs an atomic operation too.
class FutexLock {
public:
    FutexLock() = default;
    FutexLock(const FutexLock&) = delete;
    FutexLock& operator=(const FutexLock&) = delete;

    /// Waits, after a short spin, until the lock is free.
    void lock() noexcept {
        if (!try_lock()) [[unlikely]]
            wait(kSpins);
    }
    /// Only by the thread that holds it.
    void unlock() noexcept {
        // What is stored here pairs with the acquire in try_lock(), and is in order with the load behind it.
        if (asymmetric) [[likely]] {
            free_.store(true, std::memory_order_release);
            std::atomic_signal_fence(std::memory_order_seq_cst);
        } else free_.exchange(true, std::memory_order_seq_cst);
        if (asleep_.load(std::memory_order_seq_cst)) [[unlikely]]
            wake();
    }
    /// False, at once, when it is held.
    [[nodiscard]] bool try_lock() noexcept {
        bool free = true;
        return free_.compare_exchange_strong(free, false, std::memory_order_acquire, std::memory_order_relaxed);
    }
    /// The slow part of lock(): looks `spins` times before it sleeps.
    void wait(int spins) noexcept;

private:
    /// A holder keeps the lock for well under a microsecond unless it calls the system; a short spin saves the sleep.
    static constexpr int kSpins = 64;
    static const bool asymmetric;  ///< the thread that goes to sleep enforces the memory order

    void wake() noexcept;

    std::atomic<bool> free_{true};
    std::atomic<bool> asleep_{false};      ///< somebody sleeps, or is about to
    std::atomic<std::uint32_t> wakes_{0};  ///< what they sleep on
    static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace emissary::eta

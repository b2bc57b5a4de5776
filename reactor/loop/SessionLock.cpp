#include "reactor/Reactor.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace emissary::reactor {
namespace {

thread_local char threadMark;  // its address names the thread

std::uintptr_t self() noexcept {
    return reinterpret_cast<std::uintptr_t>(&threadMark);
}
void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}
long futex(std::atomic<std::uint32_t>& word, int op, std::uint32_t value) noexcept {
    return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), op | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr,
                   0);
}

// A holder that dispatches gives way between two messages, so a waiter usually needs less than this (a few us).
constexpr int kSpins = 300;

}  // namespace

bool SessionLock::heldByThisThread() const noexcept {
    return owner_.load(std::memory_order_relaxed) == self();
}

void SessionLock::lock() noexcept {
    if (heldByThisThread()) {
        ++depth_;
        return;
    }
    std::uint32_t free = 0;
    if (!word_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed)) lockSlow();
    owner_.store(self(), std::memory_order_relaxed);
    depth_ = 1;
}

bool SessionLock::try_lock() noexcept {
    if (heldByThisThread()) {
        ++depth_;
        return true;
    }
    std::uint32_t free = 0;
    if (!word_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed)) return false;
    owner_.store(self(), std::memory_order_relaxed);
    depth_ = 1;
    return true;
}

void SessionLock::lockSlow() noexcept {
    waiters_.fetch_add(1, std::memory_order_relaxed);
    bool got = false;
    for (int i = 0; i < kSpins && !got; ++i) {
        std::uint32_t free = 0;
        got = word_.load(std::memory_order_relaxed) == 0 &&
              word_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
        if (!got) pause();
    }
    // From here on the word stays 2 while held, which makes every unlock wake a sleeper.
    while (!got) {
        got = word_.exchange(2, std::memory_order_acquire) == 0;
        if (!got) futex(word_, FUTEX_WAIT, 2);
    }
    turns_.fetch_add(1, std::memory_order_relaxed);
    waiters_.fetch_sub(1, std::memory_order_relaxed);
}

void SessionLock::unlock() noexcept {
    if (--depth_ != 0) return;
    owner_.store(0, std::memory_order_relaxed);
    if (word_.exchange(0, std::memory_order_release) == 2) futex(word_, FUTEX_WAKE, 1);
}

void SessionLock::giveWay() noexcept {
    if (depth_ != 1 || !wanted()) return;
    const std::uint32_t before = turns_.load(std::memory_order_relaxed);
    unlock();
    // Without this pause the releasing thread, whose cache holds the word, would win it back every time. Bounded: a
    // waiter that is not scheduled must not hold up the loop for long.
    const auto pending = [&] { return wanted() && turns_.load(std::memory_order_relaxed) == before; };
    for (int i = 0; i < 1000 && pending(); ++i)
        pause();
    for (int i = 0; i < 20 && pending(); ++i)
        sched_yield();
    lock();
}

}  // namespace emissary::reactor

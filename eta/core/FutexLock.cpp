// The slow paths of the lock: futex calls for threads that wait, and the process-wide barrier that saves unlock() one
// of its own.
#include "eta/core/FutexLock.h"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace emissary::eta {
namespace {

bool membarrier(int command) noexcept {
    return ::syscall(SYS_membarrier, command, 0U, 0) == 0;
}
/// Null: without end.
void sleepWhile(std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* longest) noexcept {
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, longest, nullptr, 0);
}

}  // namespace

// Before main() this is false, and every unlock() orders memory itself.
const bool FutexLock::asymmetric = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);

void FutexLock::wait(int spins) noexcept {
    for (int i = 0; i < spins; ++i) {
        pauseBriefly();
        if (free_.load(std::memory_order_relaxed) && try_lock()) return;
    }
    for (;;) {
        const std::uint32_t seen = wakes_.load(std::memory_order_relaxed);
        asleep_.store(true, std::memory_order_seq_cst);
        // After this every other thread has made visible what it stored, or will see asleep_. Without the kernel's help
        // that is for unlock() to do; it is looked at again soon then.
        const bool ordered = asymmetric && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
        bool free = true;
        if (free_.compare_exchange_strong(free, false, std::memory_order_seq_cst, std::memory_order_seq_cst)) return;
        constexpr timespec kSoon{.tv_sec = 0, .tv_nsec = 1'000'000};
        sleepWhile(wakes_, seen, ordered ? nullptr : &kSoon);
    }
}

void FutexLock::wake() noexcept {
    // In this order: one that has set asleep_ in between does not sleep, as wakes_ is another.
    asleep_.store(false, std::memory_order_relaxed);
    wakes_.fetch_add(1, std::memory_order_seq_cst);
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&wakes_), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace emissary::eta

#include "eta/transport/OutputLock.h"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

// A holder keeps the lock for well under a microsecond unless it flushes; a short spin usually saves the system call.
constexpr int kSpins = 64;

void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

void OutputLock::lockSlow() noexcept {
    for (int i = 0; i < kSpins; ++i) {
        pause();
        std::uint32_t seen = word_.load(std::memory_order_relaxed);
        if (seen == 2) break;
        if (seen == 0 && word_.compare_exchange_weak(seen, 1, std::memory_order_acquire, std::memory_order_relaxed))
            return;
    }
    // Taking it as 2 although perhaps no other thread waits costs one spurious wake-up, and loses none.
    while (word_.exchange(2, std::memory_order_acquire) != 0)
        ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), FUTEX_WAIT_PRIVATE, 2, nullptr, nullptr, 0);
}

void OutputLock::wakeOne() noexcept {
    ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word_), FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace emissary::eta::transport

// Counts the forks that led to this process.
#include "session/engine/forks.h"

#include <atomic>

#include <pthread.h>

namespace emissary::ema {

namespace {

std::atomic<std::uint32_t> count{0};

/// Runs in the child before fork() returns there, so that nothing of an instance can be used uncounted.
void inChild() noexcept {
    count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::uint32_t forks() noexcept {
    static const int registered = ::pthread_atfork(nullptr, nullptr, &inChild);
    static_cast<void>(registered);  // out of memory: forks are not noticed
    return count.load(std::memory_order_relaxed);
}

}  // namespace emissary::ema

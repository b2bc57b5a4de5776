// Spins or sleeps, and looks at the clock.
#include "Stalls.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <utility>

namespace emissary::wsload {

using eta::Clock;
using std::chrono::milliseconds;

namespace {

unsigned processors() {
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

}  // namespace

// Spinning needs a processor that no loading thread wants. Otherwise the stall that is measured would be its own.
Stalls::Stalls(unsigned threads) : spins_(processors() >= threads + 3), thread_([this] { run(); }) {}

Stalls::~Stalls() {
    over_.store(true, std::memory_order_relaxed);
    thread_.join();
}

void Stalls::run() {
    for (eta::TimePoint last = Clock::now(); !over_.load(std::memory_order_relaxed);) {
        if (!spins_) {
            const timespec millisecond{.tv_sec = 0, .tv_nsec = 1'000'000};
            ::nanosleep(&millisecond, nullptr);
        }
        const eta::TimePoint now = Clock::now();
        // Without spinning the sleep itself is no stall.
        const eta::Duration pause = now - last - (spins_ ? milliseconds(0) : milliseconds(1));
        last = now;
        if (pause <= milliseconds(1)) continue;
        const std::lock_guard guard(lock_);
        ++found_.count;
        found_.sum += pause;
        found_.longest = std::max(found_.longest, pause);
    }
}

Stalls::Found Stalls::take() {
    const std::lock_guard guard(lock_);
    return std::exchange(found_, {});
}

}  // namespace emissary::wsload

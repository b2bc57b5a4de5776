// Ticks that a provider came to late: what was due then left later than it says.
#pragma once
#include "CounterDelta.h"
#include "TickSchedule.h"

#include <atomic>
#include <cstdint>

namespace emissary::perf {

/// The number of late ticks, and the largest delay between a tick's due time and its begin.
struct LateTicks {
    std::uint64_t count = 0;
    std::int64_t latestNanos = 0;

    LateTicks& operator+=(const LateTicks& o) noexcept {
        count += o.count;
        latestNanos = o.latestNanos > latestNanos ? o.latestNanos : latestNanos;
        return *this;
    }
};

/// Counts them. The publishing thread notes, one other thread takes.
class LateTickCounter {
public:
    /// The tick was just taken, at `now` (nowNanos()). It is late when the next one is due already.
    void note(const TickSchedule& ticks, std::int64_t now) noexcept {
        const std::int64_t late = now - ticks.due();
        if (late < ticks.period()) return;
        if (late > latest_.load(std::memory_order_relaxed)) latest_.store(late, std::memory_order_relaxed);
        count_.add();
    }
    /// Those since the last call.
    [[nodiscard]] LateTicks take() noexcept {
        return {delta_.take(count_), latest_.exchange(0, std::memory_order_relaxed)};
    }

private:
    Counter count_;
    std::atomic<std::int64_t> latest_{0};  // since it was taken
    CounterDelta delta_;                   // of the thread that takes
};

}  // namespace emissary::perf

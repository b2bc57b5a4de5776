// Where startup ends and steady state begins, for latencies and updates.
#pragma once
#include "Clock.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace emissary::perf {

/// The dispatching thread tells and asks; the main thread reads the count.
class StartupCount {
public:
    /// All images are there; steady state begins so much later.
    void onImages(std::int64_t now, std::int64_t delayNanos) noexcept {
        steadyFrom_.store(now + delayNanos, std::memory_order_relaxed);
    }
    [[nodiscard]] bool isSteady(std::int64_t now) const noexcept {
        return now > steadyFrom_.load(std::memory_order_relaxed);
    }
    /// Called before an update is counted: once startup is over, the updates so far belong to it.
    void beforeUpdate(std::uint64_t updates) noexcept {
        if (counted_) return;
        const std::int64_t from = steadyFrom_.load(std::memory_order_relaxed);
        if (from == kNever || nowNanos() < from) return;
        updates_.store(updates, std::memory_order_release);
        counted_ = true;
    }
    /// Updates of startup, when `all` updates have come.
    [[nodiscard]] std::uint64_t updates(std::uint64_t all) const noexcept {
        return std::min(updates_.load(std::memory_order_acquire), all);
    }

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    bool counted_ = false;
    std::atomic<std::int64_t> steadyFrom_{kNever};
    std::atomic<std::uint64_t> updates_{std::numeric_limits<std::uint64_t>::max()};
};

}  // namespace emissary::perf

// Items that ended and are to be requested again (-recover).
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace emissary::perf {

/// The dispatching thread adds, the worker thread takes.
class ClosedItems {
public:
    void add(std::uint32_t item) {
        const std::lock_guard lock(mutex_);
        items_.push_back(item);
        any_.store(true, std::memory_order_release);
    }
    /// Cheap: asked for every tick.
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_acquire); }
    /// Appends them.
    void take(std::vector<std::uint32_t>& into) {
        const std::lock_guard lock(mutex_);
        into.insert(into.end(), items_.begin(), items_.end());
        items_.clear();
        any_.store(false, std::memory_order_relaxed);
    }

private:
    std::mutex mutex_;
    std::vector<std::uint32_t> items_;  // guarded by mutex_
    std::atomic<bool> any_{false};
};

}  // namespace emissary::perf

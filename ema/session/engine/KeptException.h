// ema/session/engine: keeps the exception of an application callback until the dispatching call that ran it ends.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace emissary::ema {

/// An exception must not unwind through the reactor: a callback's is kept, and comes out of the dispatching call.
/// Several threads may dispatch one object in turn; each gets what its own callbacks threw, the first of one call.
class KeptException {
public:
    /// Of the thread that calls this.
    void keep(std::exception_ptr thrown) noexcept {
        const std::lock_guard guard(mutex_);
        const auto self = std::this_thread::get_id();
        if (std::any_of(kept_.begin(), kept_.end(), [&](const auto& k) { return k.first == self; })) return;
        try {
            kept_.emplace_back(self, std::move(thrown));
            any_.store(true, std::memory_order_release);
        } catch (...) {}  // no room to keep it: lost with the memory
    }
    /// What this thread kept, or null.
    [[nodiscard]] std::exception_ptr take() noexcept {
        if (!any_.load(std::memory_order_acquire)) [[likely]]
            return nullptr;
        const std::lock_guard guard(mutex_);
        const auto at = std::find_if(kept_.begin(), kept_.end(),
                                     [&](const auto& k) { return k.first == std::this_thread::get_id(); });
        if (at == kept_.end()) return nullptr;
        std::exception_ptr thrown = std::move(at->second);
        kept_.erase(at);
        any_.store(!kept_.empty(), std::memory_order_release);
        return thrown;
    }
    void rethrow() {
        if (const std::exception_ptr thrown = take()) std::rethrow_exception(thrown);
    }

private:
    std::mutex mutex_;
    std::vector<std::pair<std::thread::id, std::exception_ptr>> kept_;  // guarded by mutex_
    std::atomic<bool> any_{false};                                      // kept_ is not empty: spares the lock
};

}  // namespace emissary::ema

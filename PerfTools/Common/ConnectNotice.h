// PerfTools/Common: tells the user that a thread waits for its connection, and what becomes of it; the waiting thread
// cannot do so itself.
#pragma once
#include "Clock.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace emissary::perf {

/// The waiting thread begins and ends, any thread tells; the main thread asks for what to print.
class ConnectNotice {
public:
    /// `target`: "the provider at localhost:14002".
    void begin(std::string target) {
        const std::lock_guard lock(mutex_);
        target_ = std::move(target);
        since_ = nowNanos();
    }
    void end() {
        const std::lock_guard lock(mutex_);
        target_.clear();
    }
    /// Something to print, in the place of what was not printed yet.
    void tell(std::string news) {
        const std::lock_guard lock(mutex_);
        news_ = std::move(news);
    }
    /// What the thread waits for from now on, for the report of a run that ends before it comes; empty: for nothing.
    void waitFor(std::string what) {
        const std::lock_guard lock(mutex_);
        waitsFor_ = std::move(what);
    }
    [[nodiscard]] std::string waitsFor() const {
        const std::lock_guard lock(mutex_);
        return waitsFor_;
    }
    /// The last status text; or, once the wait has lasted for a moment, a sentence; otherwise, and after that, empty.
    [[nodiscard]] std::string take() {
        static constexpr std::int64_t kTellAfter = 2 * kNanosPerSecond;
        const std::lock_guard lock(mutex_);
        if (!news_.empty()) return std::exchange(news_, {});
        if (target_.empty() || nowNanos() - since_ < kTellAfter) return {};
        return "waiting for " + std::exchange(target_, {}) + ".";
    }

private:
    mutable std::mutex mutex_;
    std::string waitsFor_;    // guarded by mutex_
    std::string news_;        // guarded by mutex_
    std::string target_;      // guarded by mutex_; empty: no thread waits
    std::int64_t since_ = 0;  // guarded by mutex_
};

}  // namespace emissary::perf

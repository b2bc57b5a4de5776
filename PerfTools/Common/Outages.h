// Losses of a connection in a run that goes on nevertheless (-recover).
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

namespace emissary::perf {

/// The outages of one run.
struct OutageTotals {
    std::uint64_t losses = 0;
    std::uint64_t recoveries = 0;  ///< losses that ended with data
    double seconds = 0.0;          ///< without data, from each loss on

    OutageTotals& operator+=(const OutageTotals& o) noexcept {
        losses += o.losses;
        recoveries += o.recoveries;
        seconds += o.seconds;
        return *this;
    }
};

/// Any thread. Moments are of nowNanos().
class Outages {
public:
    /// The connection is lost; false when it was already.
    bool begin(std::int64_t now) {
        const std::lock_guard lock(mutex_);
        if (lostAt_.load(std::memory_order_relaxed) != 0) return false;
        ++totals_.losses;
        lostAt_.store(now, std::memory_order_relaxed);
        return true;
    }
    /// Data came; false when there is no loss to end.
    bool end(std::int64_t now) {
        const std::lock_guard lock(mutex_);
        const std::int64_t lostAt = lostAt_.load(std::memory_order_relaxed);
        if (lostAt == 0) return false;
        ++totals_.recoveries;
        totals_.seconds += static_cast<double>(now - lostAt) / 1e9;
        lostAt_.store(0, std::memory_order_relaxed);
        return true;
    }
    /// Cheap: asked for every message.
    [[nodiscard]] bool lasting() const noexcept { return lostAt_.load(std::memory_order_relaxed) != 0; }
    [[nodiscard]] OutageTotals totals(std::int64_t until) const {
        const std::lock_guard lock(mutex_);
        OutageTotals totals = totals_;
        const std::int64_t lostAt = lostAt_.load(std::memory_order_relaxed);
        if (lostAt != 0 && until > lostAt) totals.seconds += static_cast<double>(until - lostAt) / 1e9;
        return totals;
    }

private:
    mutable std::mutex mutex_;
    std::atomic<std::int64_t> lostAt_{0};  // written under mutex_; 0: connected
    OutageTotals totals_;                  // guarded by mutex_
};

}  // namespace emissary::perf

// Counts how many connections become WebSockets in a second.
#pragma once

#include "eta/core/Clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace emissary::eta::transport {

/// So many a second on average. What was left over may come at once, up to ten seconds' worth: the clients of a server
/// that was started again all come back in the same moment. Any thread; takes its mutex.
class UpgradeRate {
public:
    static constexpr std::uint32_t kBurstSeconds = 10;
    /// 0: no limit.
    explicit UpgradeRate(std::uint32_t perSecond) noexcept : perSecond_(perSecond), left_(most()) {}
    /// One more wants to. False: not now.
    [[nodiscard]] bool take(TimePoint now) noexcept {
        if (perSecond_ == 0) return true;
        const std::lock_guard guard(mutex_);
        if (now > since_) {
            const double gone = since_ == TimePoint{} ? 0 : std::chrono::duration<double>(now - since_).count();
            left_ = std::min(most(), left_ + gone * perSecond_);
            since_ = now;
        }
        if (left_ < 1) return false;
        left_ -= 1;
        return true;
    }

private:
    [[nodiscard]] double most() const noexcept { return static_cast<double>(perSecond_) * kBurstSeconds; }

    const std::uint32_t perSecond_;
    std::mutex mutex_;
    double left_;        // under mutex_
    TimePoint since_{};  // under mutex_
};

}  // namespace emissary::eta::transport

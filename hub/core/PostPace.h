// hub/core: how many posts a second are taken from one client.
#pragma once

#include "eta/core/Clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace emissary::hub {

/// A second's worth may come at once. What is refused beyond is counted too, and a client of which ten seconds' worth
/// was refused goes on as if nobody answered it. Stage thread only.
class PostPace {
public:
    /// 0: no limit.
    void limit(std::uint32_t perSecond) noexcept { left_ = perSecond_ = perSecond; }
    [[nodiscard]] std::uint32_t perSecond() const noexcept { return perSecond_; }
    /// One more has come: from now on inTime() says whether it is taken. Those that wait behind other messages of their
    /// client have come in time although all are handled at once, so their handler recalls what was said then.
    void arrive(eta::TimePoint now) noexcept { inTime_ = take(now); }
    void recall(bool inTime) noexcept { inTime_ = inTime; }
    [[nodiscard]] bool inTime() const noexcept { return inTime_; }
    [[nodiscard]] bool floods() const noexcept { return perSecond_ != 0 && refused_ > 10.0 * perSecond_; }

private:
    [[nodiscard]] bool take(eta::TimePoint now) noexcept {
        if (perSecond_ == 0) return true;
        if (since_ != eta::TimePoint{}) {
            const double more = std::chrono::duration<double>(now - since_).count() * perSecond_;
            left_ = std::min<double>(perSecond_, left_ + more);
            refused_ = std::max(0.0, refused_ - more);
        }
        since_ = now;
        if (left_ >= 1) {
            left_ -= 1;
            return true;
        }
        refused_ += 1;
        return false;
    }

    std::uint32_t perSecond_ = 0;
    bool inTime_ = true;
    double left_ = 0, refused_ = 0;
    eta::TimePoint since_{};
};

}  // namespace emissary::hub

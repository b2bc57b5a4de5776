// Notices silence by looking at a counter now and then.
#pragma once

#include "eta/core/Clock.h"

#include <cstdint>

namespace emissary::eta::transport {

/// How long a count has stood still between looks of its owner. With a count that never moves it is a stop watch.
class IdleWatch {
public:
    /// The time starts now, with this count.
    void restart(std::uint64_t count, TimePoint now) noexcept {
        seen_ = count;
        since_ = now;
    }
    /// Nothing is due: the time starts anew.
    void hold(TimePoint now) noexcept { since_ = now; }
    /// True when the count has not moved for `limit`; one that moved starts the time anew.
    [[nodiscard]] bool idleFor(Duration limit, std::uint64_t count, TimePoint now) noexcept {
        if (count == seen_) return now - since_ >= limit;
        restart(count, now);
        return false;
    }

private:
    std::uint64_t seen_ = 0;
    TimePoint since_{};
};

}  // namespace emissary::eta::transport

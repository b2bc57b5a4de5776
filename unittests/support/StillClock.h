// A clock that moves only when told to.
#pragma once

#include "reactor/Reactor.h"

#include <atomic>
#include <chrono>

namespace emissary::test {

class StillClock final : public reactor::TimeSource {
public:
    [[nodiscard]] reactor::TimePoint now() const noexcept override {
        return reactor::TimePoint(reactor::Duration(ticks_.load(std::memory_order_relaxed)));
    }
    void advance(std::chrono::milliseconds by) {
        ticks_.fetch_add(reactor::Duration(by).count(), std::memory_order_relaxed);
    }

private:
    std::atomic<reactor::Duration::rep> ticks_{std::chrono::steady_clock::now().time_since_epoch().count()};
};

}  // namespace emissary::test

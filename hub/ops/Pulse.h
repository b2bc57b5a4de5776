// Whether the hub's loop turns, for threads that must not wait for its lock.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/TurnEnd.h"

#include <atomic>
#include <chrono>
#include <cstdint>

#include <poll.h>

namespace emissary::hub::ops {

/// Made and destroyed with the session lock held.
class Pulse final : reactor::TurnEnd {
public:
    using Clock = reactor::Clock;

    explicit Pulse(reactor::Reactor& reactor) : TurnEnd(reactor), reactor_(reactor) {}

    /// Since the last turn ended. Any thread, without a lock.
    [[nodiscard]] std::chrono::milliseconds age() const noexcept {
        const Clock::duration last(last_.load(std::memory_order_relaxed));
        return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch() - last);
    }
    /// Wakes the loop and waits until a turn ends; false when none does in time. Any thread but the loop's.
    [[nodiscard]] bool beats(std::chrono::milliseconds patience) noexcept {
        const std::uint32_t before = turns_.load(std::memory_order_acquire);
        const Clock::time_point end = Clock::now() + patience;
        reactor_.wake();
        for (int wait = 0; turns_.load(std::memory_order_acquire) == before; wait = wait < 10 ? wait + 1 : wait) {
            if (Clock::now() >= end) return false;
            (void)::poll(nullptr, 0, wait);
        }
        return true;
    }

private:
    void onTurnEnd() noexcept override {
        last_.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
        turns_.fetch_add(1, std::memory_order_release);
    }
    reactor::Reactor& reactor_;
    std::atomic<Clock::rep> last_{Clock::now().time_since_epoch().count()};
    std::atomic<std::uint32_t> turns_{0};
};

}  // namespace emissary::hub::ops

// Wakes the loop, and waits until a turn has passed or the time is over.
#include "hub/ops/Pulse.h"

#include <poll.h>

namespace emissary::hub::ops {

bool Pulse::beats(std::chrono::milliseconds patience) noexcept {
    const std::uint32_t before = turns_.load(std::memory_order_acquire);
    const Clock::time_point end = Clock::now() + patience;
    reactor_.wake();
    for (int wait = 0; turns_.load(std::memory_order_acquire) == before; wait = wait < 10 ? wait + 1 : wait) {
        if (Clock::now() >= end) return false;
        (void)::poll(nullptr, 0, wait);
    }
    return true;
}

}  // namespace emissary::hub::ops

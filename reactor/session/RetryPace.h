// When to ask again for what has ended and may come back.
#pragma once

#include "reactor/Reactor.h"

#include <algorithm>

namespace emissary::reactor::session {

/// At once after the first end, then later each time until it has lasted for a while. A provider that always ends what
/// it is asked for gets a request now and then, not a tight loop.
class RetryPace {
public:
    struct Limits {
        Duration shortest, longest;  ///< of the waits from the second end on; 0 = no waits
    };
    /// It has ended; how long to wait before the next request.
    [[nodiscard]] Duration next(TimePoint now, Duration shortest, Duration longest) noexcept {
        longest = std::max(longest, shortest);
        // It has lasted when the request, made after the wait, was good for longer than the longest wait.
        if (now - last_ > wait_ + longest) ended_ = false;
        wait_ = !ended_ ? Duration::zero() : wait_ == Duration::zero() ? shortest : std::min(2 * wait_, longest);
        ended_ = true;
        last_ = now;
        return wait_;
    }
    void reset() noexcept { ended_ = false; }

private:
    bool ended_ = false;  // and has not lasted since
    TimePoint last_{};    // when it ended
    Duration wait_{};     // after that
};

}  // namespace emissary::reactor::session

// Whether a peer reads what waits for it.
#pragma once

#include "reactor/Reactor.h"

#include <cstddef>
#include <cstdint>

namespace emissary::reactor {

/// What waits at one moment must have left within a time; more than that is not asked of a peer that is kept busy.
/// Output of less than a MiB (and half of what the connection may hold) may wait without limit: a peer that sleeps for
/// a while costs next to nothing. Session lock held.
class Backlog {
public:
    /// A few times within the limit. True: the oldest output waits for so long.
    [[nodiscard]] bool stalled(Link& link, TimePoint now, Duration limit) noexcept;

private:
    std::uint64_t end_ = 0;  ///< bytes written when all that waited at `since` has left
    TimePoint since_{};
    bool watched_ = false;
};

}  // namespace emissary::reactor

// Notices that a client's queue has not moved for too long.
#include "provider/Backlog.h"

#include "eta/transport/Channel.h"
#include "provider/Outbox.h"

#include <algorithm>

namespace emissary::reactor {

namespace {
constexpr std::size_t kHarmlessBytes = 1u << 20;
}

bool Backlog::stalled(Link& link, TimePoint now, Duration limit) noexcept {
    const eta::transport::Channel& channel = *link.channel();
    const std::size_t queued = channel.queuedBytes();
    // Below 1 MiB, or half of the bound, what waits is no sign of a client that does not read.
    if (queued < std::min(kHarmlessBytes, outputBound(link) / 2)) {
        watched_ = false;
        return false;
    }
    // Counted before compression: both numbers then speak of the same bytes.
    const std::uint64_t written = channel.counters().uncompressedBytesWritten;
    // The queue at the time of the first look has left, so the client reads; the next look begins with what waits now.
    if (!watched_ || written >= end_) {
        end_ = written + queued;
        since_ = now;
        watched_ = true;
        return false;
    }
    return now - since_ >= limit;
}

}  // namespace emissary::reactor

// Decides whether output leaves at once or waits for more, and flushes what has waited long enough.
#include "loop/Output.h"

#include "loop/Worker.h"

#include <mutex>
#include <utility>

namespace emissary::reactor {

/// What stands in the queue leaves now, or waits a moment for more. True: the worker is to be told of this link, since
/// it flushes it later. Any thread that has written; output lock held.
bool Output::leaveOrWait(bool directWrite) noexcept {
    const Duration flushDelay = owner.flushDelay;
    const std::size_t queued = channel->queuedBytes();
    if (directWrite && queued == 0) return false;
    ++owner.loop.clockReads;  // how long the pause was: there is no turn whose time would do
    const TimePoint now = eta::Clock::now();
    if (queued == 0) {  // the high-water mark flushed it
        departure.leftNow(now);
    } else if (!departure.leavesAtOnce(now, flushDelay)) {
        if (departure.brief(flushDelay)) static_cast<void>(channel->setOption(eta::transport::ioctl_code::burst, 1));
        return armed = true;
    } else if (!channel->flush()) {
        departure.helpAt(now + flushDelay);
        return armed = true;
    }
    commits = 0;
    return false;
}

bool Output::flushWaiting(Worker& worker, TimePoint now) noexcept {
    const std::lock_guard guard(channel->outputLock());
    if (!armed || closed) return true;
    if (channel->wantsWrite() || !channel->flush()) return false;
    if (const std::uint32_t messages = std::exchange(commits, 0); messages != 0)
        departure.flushed(Departure::By::dispatch, now, messages);
    if (!worker.disarm(*this)) return false;
    departure.ended();
    armed = false;
    return true;
}

}  // namespace emissary::reactor

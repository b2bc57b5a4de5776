// Visits the links that are ready, dirty, waiting or starved, and gives each its turn.
#include "loop/LinkTable.h"

#include "loop/ReactorImpl.h"

#include <algorithm>

namespace emissary::reactor {

namespace {

constexpr Duration kDrainTime = std::chrono::seconds(5);     // after a failed write, for the end of what was received
constexpr Duration kPause = std::chrono::milliseconds(100);  // what could not be done for want of memory is tried again

}  // namespace

void LinkTable::look() {
    if (loop_.turnTime >= starvedAt_) dropStarved();
    if (anyFailed_.load(std::memory_order_relaxed)) drainFailed();
    if (loop_.turnTime >= housekeepingAt_) housekeeping();
}

void LinkTable::readReady(int maxEvents) {
    readyNow_.swap(ready_);
    for (const std::uint64_t id : readyNow_) {
        const auto it = links_.find(id);
        if (it == links_.end()) continue;
        it->second->input.inReady = false;
        if (!it->second->held) read(*it->second, maxEvents);
    }
    readyNow_.clear();
}

void LinkTable::read(Link::Impl& link, int maxEvents) {
    forLink(link.id, [&] { loop_.events += link.input.readMessages(maxEvents); });
}

void LinkTable::markReady(Link::Impl& link) {
    if (!std::exchange(link.input.inReady, true)) ready_.push_back(link.id);
}
void LinkTable::mark(Link::Impl& link, bool& marked, std::vector<std::uint64_t>& list) noexcept {
    if (marked) return;
    try {
        list.push_back(link.id);
        marked = true;
    } catch (const std::bad_alloc&) {
        // Without memory for the worker's list, queued output would never be flushed.
        link.starved = true;
        starvedAt_ = TimePoint::min();
    }
}

void LinkTable::flushDirty() noexcept {
    flushAll(dirty_, &Link::Impl::dirty);
}
void LinkTable::flushGathering() noexcept {
    flushAll(gathering_, &Link::Impl::gathers);
}
void LinkTable::flushAll(std::vector<std::uint64_t>& list, bool Link::Impl::*marked) noexcept {
    if (list.empty()) return;
    flushing_.swap(list);
    for (const std::uint64_t id : flushing_) {
        const auto it = links_.find(id);
        if (it == links_.end()) continue;
        it->second->*marked = false;
        it->second->flushNow();
    }
    flushing_.clear();
}

void LinkTable::markWaiting(Link::Impl& link) noexcept {
    submitter_ = thisThread();
    if (link.waits) return;
    try {
        waiting_.push_back(link.id);
        link.waits = true;
    } catch (const std::bad_alloc&) {}  // then the worker flushes it
}

/// Where one thread submits and another dispatches, the burst may go on: it is left to the worker.
void LinkTable::flushWaiting() noexcept {
    if (waiting_.empty() || submitter_ != thisThread()) return;
    const TimePoint now = loop_.realTurnTime();
    std::erase_if(waiting_, [&](std::uint64_t id) {
        const auto it = links_.find(id);
        if (it == links_.end()) return true;
        Link::Impl& link = *it->second;
        link.waits = link.phase == Link::Impl::Phase::active && !link.output->flushWaiting(*loop_.worker, now);
        return !link.waits;
    });
}

/// Links that cannot write any more. What the peer sent before it went away has been received or is on its way: it is
/// delivered first, then read() finds the end and tells why. Only where that end does not come, time ends the link.
void LinkTable::drainFailed() {
    anyFailed_.store(false, std::memory_order_relaxed);
    for (const auto& [id, link] : links_) {
        if (link->phase != Link::Impl::Phase::active || link->input.drainUntil != TimePoint::max()) continue;
        if (!link->output->failed.load(std::memory_order_acquire)) continue;
        link->hold(false);
        link->input.drainUntil = loop_.turnTime + kDrainTime;
        housekeepingAt_ = std::min(housekeepingAt_, link->input.drainUntil);
        markReady(*link);
    }
}

/// Initialization deadlines, lost pings, broken links whose end does not come.
void LinkTable::housekeeping() {
    looked_.clear();
    for (const auto& [id, link] : links_)
        looked_.push_back(id);  // a handler of one link may close others
    for (const std::uint64_t id : looked_) {
        const auto it = links_.find(id);
        if (it == links_.end()) continue;
        Link::Impl& link = *it->second;
        if (link.phase == Link::Impl::Phase::initializing) {
            if (link.channel->initDeadline() <= loop_.turnTime) link.initialize();
        } else if (link.phase == Link::Impl::Phase::active && link.channel->pingExpired(loop_.turnTime, link.held)) {
            link.down("nothing received for " + std::to_string(link.channel->info().pingTimeoutSeconds) +
                          " seconds (ping timeout)",
                      false);
        } else if (link.phase == Link::Impl::Phase::active && link.input.drainUntil <= loop_.turnTime) {
            markReady(link);  // a last look at what there is to read
        }
    }
    housekeepingAt_ = TimePoint::max();
    for (const auto& [id, link] : links_) {
        if (link->phase == Link::Impl::Phase::initializing)
            housekeepingAt_ = std::min(housekeepingAt_, std::max(link->channel->initDeadline(), loop_.turnTime));
        else if (link->phase == Link::Impl::Phase::active)
            housekeepingAt_ =
                std::min(housekeepingAt_, loop_.turnTime + std::chrono::milliseconds(std::max<int>(
                                                               link->channel->info().pingTimeoutSeconds * 250, 100)));
        if (link->input.drainUntil > loop_.turnTime)
            housekeepingAt_ = std::min(housekeepingAt_, link->input.drainUntil);
    }
}

// --- out of memory: a session ends, the process goes on
// ---------------------------------------------------------------

/// Whatever was being done for this link was left half done: the link ends, and with it what it was done for.
void LinkTable::starved(std::uint64_t linkId) {
    if (const auto at = links_.find(linkId); at != links_.end()) at->second->starved = true;
    dropStarved();
}

/// Work of no particular link was left half done.
void LinkTable::allStarved() {
    for (const auto& [id, link] : links_)
        link->starved = link->starved || link->phase != Link::Impl::Phase::closed;
    dropStarved();
}

void LinkTable::dropStarved() {
    starvedAt_ = TimePoint::max();
    for (;;) {
        const auto at = std::find_if(links_.begin(), links_.end(), [](const auto& l) { return l.second->starved; });
        if (at == links_.end()) return;
        const std::uint64_t id = at->first;
        Link::Impl& link = *at->second;
        link.starved = false;
        link.input.gone = nullptr;  // of a call that is no more
        try {
            link.down("out of memory", false);  // short enough to need none
        } catch (const std::bad_alloc&) {
            // Its handler needs memory itself: tried again later, if the link is still there.
            if (const auto still = links_.find(id); still != links_.end()) still->second->starved = true;
            starvedAt_ = loop_.turnTime + kPause;
            return;
        }
    }
}

}  // namespace emissary::reactor

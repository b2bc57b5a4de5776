// The links of a reactor, and what has to be done for them.
#pragma once

#include "loop/LinkImpl.h"
#include "reactor/memory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

namespace emissary::reactor {

/// Which links there are, which have something to read or to flush, which have failed, and which went without memory.
/// Guarded by the session lock but for noteFailure().
class LinkTable {
public:
    explicit LinkTable(Reactor::Impl& loop) noexcept : loop_(loop) {}
    LinkTable(const LinkTable&) = delete;
    LinkTable& operator=(const LinkTable&) = delete;

    void add(Link::Impl& link) { links_.emplace(link.id, &link); }
    void erase(std::uint64_t id) noexcept { links_.erase(id); }
    /// Null when it is gone.
    [[nodiscard]] Link::Impl* find(std::uint64_t id) const noexcept {
        const auto it = links_.find(id);
        return it == links_.end() ? nullptr : it->second;
    }
    [[nodiscard]] std::size_t size() const noexcept { return links_.size(); }
    template <class Work>
    void forEach(Work&& work) const {
        for (const auto& [id, link] : links_)
            work(*link);
    }
    void trim() {
        trimTable(links_);
        if (looked_.capacity() > 2 * links_.size()) std::vector<std::uint64_t>().swap(looked_);
    }

    // --- a turn
    [[nodiscard]] bool anyReady() const noexcept { return !ready_.empty(); }
    void readReady(int maxEvents);
    void read(Link::Impl& link, int maxEvents);
    /// It has messages that were received and not read yet.
    void markReady(Link::Impl& link);
    /// It has output that shall leave at the end of the turn.
    void markDirty(Link::Impl& link) noexcept { mark(link, link.dirty, dirty_); }
    void flushDirty() noexcept;
    /// It has output that shall leave at the end of the burst (Reactor::endBurst()). It is on a list of its own:
    /// turns of another thread may end while the burst goes on.
    void markGathering(Link::Impl& link) noexcept { mark(link, link.gathers, gathering_); }
    void flushGathering() noexcept;
    /// Output that this thread submitted outside a turn waits; once it dispatches, it has no more to add.
    void markWaiting(Link::Impl& link) noexcept;
    void flushWaiting() noexcept;

    // --- upkeep
    /// Output of some link cannot be written any more. Any thread.
    void noteFailure() noexcept { anyFailed_.store(true, std::memory_order_release); }
    /// Looks after initialization deadlines, pings and broken links at that time at the latest.
    void lookBy(TimePoint when) noexcept { housekeepingAt_ = std::min(housekeepingAt_, when); }
    [[nodiscard]] TimePoint nextLook() const noexcept { return std::min(housekeepingAt_, starvedAt_); }
    /// Does what is due.
    void look();

    // --- out of memory
    /// Does something for a link, which goes down when there is no memory for it.
    template <class Work>
    void forLink(std::uint64_t linkId, Work&& work) {
        try {
            work();
        } catch (const std::bad_alloc&) { starved(linkId); }
    }
    void starved(std::uint64_t linkId);
    void allStarved();

private:
    void mark(Link::Impl& link, bool& marked, std::vector<std::uint64_t>& list) noexcept;
    void flushAll(std::vector<std::uint64_t>& list, bool Link::Impl::*marked) noexcept;
    void drainFailed();
    void housekeeping();
    void dropStarved();

    Reactor::Impl& loop_;
    ItemMap<std::uint64_t, Link::Impl*> links_;
    std::vector<std::uint64_t> ready_, readyNow_, dirty_, gathering_, flushing_, waiting_;
    std::vector<std::uint64_t>
        looked_;                    ///< the links of one round of housekeeping(); kept, so that a round needs no memory
    std::uintptr_t submitter_ = 0;  ///< thisThread() of the last that added to waiting_
    std::atomic<bool> anyFailed_{false};
    TimePoint housekeepingAt_ = TimePoint::max();
    TimePoint starvedAt_ = TimePoint::max();  ///< when links that could not be taken down for want of memory are again
};

}  // namespace emissary::reactor

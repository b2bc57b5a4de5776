// Giving memory back when a load is over.
#include "reactor/memory.h"

#include "loop/ReactorImpl.h"

namespace emissary::reactor {

MemoryOwner::MemoryOwner(Reactor& reactor) : reactor_(reactor) {
    reactor_.impl_->memoryOwners.push_back(this);
}
MemoryOwner::~MemoryOwner() {
    std::erase(reactor_.impl_->memoryOwners, this);
}

void Reactor::noteFreed(std::size_t bytes) noexcept {
    noteHeapFreed(bytes);
    impl_->trimLater();
}

std::size_t Reactor::places() const noexcept {
    std::size_t sum = 0;
    for (const MemoryOwner* owner : impl_->memoryOwners)
        sum += owner->places();
    return sum;
}

void Reactor::Impl::armTrim() noexcept {
    if (options.trimPeriod.count() == 0) return;
    trimAt = (dispatchingHere() ? turnTime : clock->now()) + options.trimPeriod;
    noticeBy(trimAt);
}

/// Everything here belongs to the dispatching thread; output buffers are the worker's business.
void Reactor::Impl::trimMemory() noexcept {
    trimAt = TimePoint::max();
    ++counts.trims;
    for (const auto& [id, link] : links)
        if (link->phase == Link::Impl::Phase::active) link->channel->trimInput();
    for (MemoryOwner* owner : memoryOwners)
        owner->trimMemory();
    if (scratch.size() > eta::kOwnPages) std::vector<std::byte>().swap(scratch);
    timers.trim();
    trimTable(links);
    trimVector(posted);
    trimVector(running);
    if (heapReturnDue()) worker->returnHeapSoon();
    if (--trimsLeft > 0) armTrim();
}

}  // namespace emissary::reactor

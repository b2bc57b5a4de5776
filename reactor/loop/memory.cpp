// Giving memory back when a load is over.
#include "reactor/memory.h"

#include "loop/ReactorImpl.h"
#include "loop/heap.h"

namespace emissary::reactor {

MemoryOwner::MemoryOwner(Reactor& reactor) : reactor_(reactor) {
    reactor_.impl_->memory.add(*this);
}
MemoryOwner::~MemoryOwner() {
    reactor_.impl_->memory.remove(*this);
}

void Reactor::noteFreed(std::size_t bytes) noexcept {
    noteHeapFreed(bytes);
    impl_->memory.later();
}

std::size_t Reactor::places() const noexcept {
    return impl_->memory.places();
}

void MemoryReturn::remove(MemoryOwner& owner) noexcept {
    std::erase(owners_, &owner);
}

std::size_t MemoryReturn::places() const noexcept {
    std::size_t sum = 0;
    for (const MemoryOwner* owner : owners_)
        sum += owner->places();
    return sum;
}

void MemoryReturn::arm() noexcept {
    const Duration period = loop_.options.trimPeriod;
    if (period.count() == 0) return;
    due_ = (loop_.dispatchingHere() ? loop_.turnTime : loop_.clock->now()) + period;
    loop_.noticeBy(due_);
}

/// Everything here belongs to the dispatching thread; output buffers are the worker's business.
void MemoryReturn::trim() noexcept {
    due_ = TimePoint::max();
    ++loop_.counts.trims;
    loop_.links.forEach([](Link::Impl& link) {
        // What is left of a long text stands in the buffer.
        if (link.phase == Link::Impl::Phase::active && !link.input.text.left()) link.channel->trimInput();
    });
    for (MemoryOwner* owner : owners_)
        owner->trimMemory();
    loop_.trim();
    if (heapReturnDue()) loop_.worker->returnHeapSoon();
    if (--left_ > 0) arm();
}

}  // namespace emissary::reactor

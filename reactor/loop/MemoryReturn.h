// When memory that a load has left behind goes back.
#pragma once

#include "reactor/Reactor.h"

#include <vector>

namespace emissary::reactor {

class MemoryOwner;

/// Looks at what is in use a few times after the last activity, and gives back what is not. Guarded by the session
/// lock.
class MemoryReturn {
public:
    explicit MemoryReturn(Reactor::Impl& loop) noexcept : loop_(loop) {}
    MemoryReturn(const MemoryReturn&) = delete;
    MemoryReturn& operator=(const MemoryReturn&) = delete;

    void add(MemoryOwner& owner) { owners_.push_back(&owner); }
    void remove(MemoryOwner& owner) noexcept;
    /// Records and table places of all owners.
    [[nodiscard]] std::size_t places() const noexcept;
    /// Something happened that needs memory for a while.
    void later() noexcept {
        left_ = kTrims;
        if (due_ == TimePoint::max()) arm();
    }
    /// When trim() is to be called.
    [[nodiscard]] TimePoint due() const noexcept { return due_; }
    void trim() noexcept;

private:
    /// A look that notes what is in use, one that gives back the rest, and one for what the second one freed.
    static constexpr int kTrims = 3;
    void arm() noexcept;

    Reactor::Impl& loop_;
    std::vector<MemoryOwner*> owners_;
    TimePoint due_ = TimePoint::max();
    int left_ = 0;  ///< until everything idle has gone back
};

}  // namespace emissary::reactor

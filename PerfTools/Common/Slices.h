// PerfTools/Common: cuts work that comes in bursts into slices.
#pragma once

#include <cstdint>

namespace emissary::perf {

/// Counts steps of work, over all its bursts, so that something else has its turn between two slices of it.
class Slices {
public:
    /// `steps`: of one slice, at least 1.
    explicit Slices(std::uint32_t steps) noexcept : steps_(steps), left_(steps) {}
    /// To be called after each step. True: the slice is complete, and whatever else there is has its turn.
    [[nodiscard]] bool step() noexcept {
        if (--left_ != 0) return false;
        left_ = steps_;
        return true;
    }

private:
    const std::uint32_t steps_;
    std::uint32_t left_;
};

}  // namespace emissary::perf

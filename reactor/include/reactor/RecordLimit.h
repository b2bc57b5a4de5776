// Keeps peers from filling the log with records.
#pragma once

#include "reactor/Reactor.h"

#include <cstdint>
#include <string>
#include <utility>

namespace emissary::reactor {

/// Lets a burst of records through, then one in a while, and counts those it kept back. For records that a peer can
/// cause as often as it likes. Not locked.
class RecordLimit {
public:
    /// `burst` records at once, then one in every `every`.
    explicit RecordLimit(std::uint32_t burst = 20, Duration every = std::chrono::seconds(1)) noexcept
        : every_(every), lead_(every * burst) {}

    /// False: this one is only counted.
    [[nodiscard]] bool pass(TimePoint now) noexcept {
        if (full_ < now) full_ = now;
        if (full_ - now >= lead_) return ++suppressed_, false;
        full_ += every_;
        return true;
    }
    /// How many were kept back since the last call; for the record that goes out.
    [[nodiscard]] std::uint64_t takeSuppressed() noexcept { return std::exchange(suppressed_, 0); }

private:
    Duration every_, lead_;
    TimePoint full_{};  // when the whole burst would be free again
    std::uint64_t suppressed_ = 0;
};

}  // namespace emissary::reactor

// Keeps a reason that repeats from filling the log.
#pragma once

#include "reactor/Reactor.h"

#include <cstdint>
#include <string>

namespace emissary::hub {

/// Passes a reason at once when it is a new one, then once a minute while it stays the same. Not locked.
class RepeatedReason {
public:
    static constexpr std::chrono::minutes kPeriod{1};

    /// What to log now: `reason`, with how often it was left out since. Empty: nothing now. Throws std::bad_alloc.
    [[nodiscard]] std::string next(reactor::TimePoint now, const std::string& reason) {
        if (reason == last_ && now - logged_ < kPeriod) return ++leftOut_, std::string();
        std::string line = reason;
        if (reason == last_ && leftOut_ != 0)
            line += " (" + std::to_string(leftOut_) + " more times in the last minute)";
        last_ = reason;
        logged_ = now;
        leftOut_ = 0;
        return line;
    }
    /// Things are well again: the next reason is a new one.
    void forget() noexcept {
        last_.clear();
        leftOut_ = 0;
    }

private:
    std::string last_;
    reactor::TimePoint logged_{};
    std::uint64_t leftOut_ = 0;
};

}  // namespace emissary::hub

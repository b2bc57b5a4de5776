// Lines of a log about peers: limited, and with a word on those that were left out.
#pragma once

#include "reactor/RecordLimit.h"

#include <functional>
#include <utility>

namespace emissary::reactor {

/// A RecordLimit that reports its count after a while if no line that passes has reported it. Session lock held.
class LimitedLines {
public:
    using LeftOut = std::function<void(std::uint64_t lines)>;
    /// `tell` is called on the dispatching thread, kPeriod after the first line that was left out and not reported.
    LimitedLines(Reactor& reactor, LeftOut tell, RecordLimit limit = RecordLimit())
        : reactor_(reactor), tell_(std::move(tell)), limit_(limit) {}
    ~LimitedLines() { reactor_.cancelTimer(timer_); }
    LimitedLines(const LimitedLines&) = delete;
    LimitedLines& operator=(const LimitedLines&) = delete;

    /// False: this line is only counted. Throws std::bad_alloc.
    [[nodiscard]] bool pass() {
        if (limit_.pass(reactor_.now())) return true;
        if (timer_ == 0) timer_ = reactor_.startTimer(kPeriod, [this] { tellNow(); });
        return false;
    }
    /// How many were left out and not reported; for the line that passes.
    [[nodiscard]] std::uint64_t takeLeftOut() noexcept { return limit_.takeSuppressed(); }

    static constexpr std::chrono::seconds kPeriod{10};

private:
    void tellNow() {
        timer_ = 0;
        if (const std::uint64_t lines = takeLeftOut()) tell_(lines);
    }

    Reactor& reactor_;
    LeftOut tell_;
    RecordLimit limit_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor

// When the bursts of a tool leave, how large they are and which of their messages carry a time stamp.
#pragma once
#include "Clock.h"
#include "Options.h"

#include <cstdint>
#include <vector>

namespace emissary::perf {

/// Messages of the tick with number `tick` (0 to tickRate-1, every second) for `rate` messages per second.
/// The bursts of one second add up to exactly `rate`.
[[nodiscard]] constexpr std::uint32_t burstSize(std::uint32_t rate, std::uint32_t tickRate,
                                                std::uint32_t tick) noexcept {
    return rate / tickRate + (tick < rate % tickRate ? 1U : 0U);
}

/// A fixed grid of moments. It is never resynchronised: ticks that came late are caught up.
class TickSchedule {
public:
    TickSchedule(std::uint32_t tickRate, std::int64_t now) noexcept
        : tickRate_(tickRate), period_(kNanosPerSecond / tickRate), next_(now + period_) {}

    /// The moment of the next tick.
    [[nodiscard]] std::int64_t next() const noexcept { return next_; }
    /// The moment at which the tick taken last was due.
    [[nodiscard]] std::int64_t due() const noexcept { return next_ - period_; }
    [[nodiscard]] std::int64_t period() const noexcept { return period_; }
    /// True when a tick is due; then it is taken, and tick() gives its number.
    [[nodiscard]] bool take(std::int64_t now) noexcept {
        if (now < next_) return false;
        next_ += period_;
        tick_ = tick_ + 1 == tickRate_ ? 0 : tick_ + 1;
        return true;
    }
    /// Number of the tick taken last, within its second.
    [[nodiscard]] std::uint32_t tick() const noexcept { return tick_; }

private:
    std::uint32_t tickRate_;
    std::int64_t period_;
    std::int64_t next_;
    std::uint32_t tick_ = static_cast<std::uint32_t>(-1);
};

/// Picks the latency messages: for each second as many distinct ticks as there are latency messages, and in each of
/// these one message of the burst. A few seconds are drawn in advance and used in turn.
class LatencyChooser {
public:
    static constexpr std::uint32_t kNone = 0xFFFF'FFFFU;

    /// `latencyRate` is a number not above `tickRate`, or kAllMessages.
    LatencyChooser(std::int64_t latencyRate, std::uint32_t messageRate, std::uint32_t tickRate, std::uint64_t seed);

    /// To be called once per tick, in order. After it, isLatency() answers for the messages of that tick.
    void nextTick() noexcept {
        if (chosen_.empty()) return;
        current_ = chosen_[position_];
        position_ = position_ + 1 == chosen_.size() ? 0 : position_ + 1;
    }
    /// Whether message `index` of the current burst carries a time stamp.
    [[nodiscard]] bool isLatency(std::uint32_t index) const noexcept { return all_ || index == current_; }

private:
    static constexpr std::uint32_t kSeconds = 10;

    bool all_ = false;
    std::uint32_t current_ = kNone;
    std::size_t position_ = 0;
    std::vector<std::uint32_t> chosen_;  // one entry per tick: the index in its burst, or kNone
};

}  // namespace emissary::perf

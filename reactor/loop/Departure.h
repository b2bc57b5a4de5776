// When output leaves that was submitted outside a turn of the loop.
#pragma once

#include "eta/core/Clock.h"

#include <algorithm>
#include <cstdint>

namespace emissary::reactor {

using eta::Duration;
using eta::TimePoint;

/// Of one connection: what its last bursts were like, and what follows from that for the next one. Guarded by the
/// channel's output lock; by() by the session lock.
///
/// A message after a pause leaves at once. What follows sooner than the flush delay waits, so that the system is called
/// once for all that came meanwhile: until the end of that delay, or, where burst after burst came, so long that the
/// worker need not wake up before the burst is over. Where the thread that submitted the last burst dispatched then,
/// which flushes, that is twice what the burst took until then, if that was short. Never more than kLongest.
class Departure {
public:
    /// The most that the worker waits. A period this long makes 2,500 wake-ups a second: noise. Longer would only delay
    /// the tail of a burst.
    static constexpr Duration kLongest = std::chrono::microseconds(400);
    static constexpr std::uint32_t kBurst = 16;  ///< this many messages one after the other are a burst
    static constexpr std::uint8_t kHabit = 2;    ///< after this many bursts in a row another one is expected
    static constexpr std::uint8_t kCalm = 16;    ///< after this many bursts a shorter wait is tried

    /// A message was submitted and none waits. True: it is to leave at once. False: it waits, until by() at the latest.
    [[nodiscard]] bool leavesAtOnce(TimePoint now, Duration delay) noexcept {
        if (now - left_ >= delay) {
            if (byWorker_) wasFlushedByWorker(delay);
            begun_ = now;
            leftNow(now);
            return true;
        }
        alone_ = false;
        steady_ = byWorker_;  // the worker came before the burst was over
        const Duration longest = std::max(delay, kLongest);
        if (steady_) {
            patience_ = std::min(longest, 2 * std::max(delay, patience_));
            calm_ = 0;
        }
        // A longer burst is not held back until its end.
        if (brief(delay)) by_ = now + std::clamp(2 * took_, delay, longest);
        else by_ = left_ + (expected() && !steady_ ? std::max(delay, patience_) : delay);
        return false;
    }
    /// It has left at once.
    void leftNow(TimePoint now) noexcept {
        if (alone_) bursts_ = 0;  // the one before was no burst either
        alone_ = true;
        left_ = now;
        byWorker_ = steady_ = false;
    }
    /// But not all of it: the worker looks after the rest.
    void helpAt(TimePoint when) noexcept { by_ = when; }

    enum class By : std::uint8_t { worker, dispatch };
    /// What had gathered was flushed, `messages` since the last time.
    void flushed(By who, TimePoint now, std::uint32_t messages) noexcept {
        gathered_ = std::min(gathered_, UINT32_MAX - messages) + messages;
        left_ = now;
        byWorker_ = who == By::worker;
        if (!byWorker_) took_ = std::max(now - begun_, Duration(1));
    }
    /// The worker looks no more; about the next message leavesAtOnce() is asked.
    void ended() noexcept {
        const bool burst = gathered_ >= kBurst;
        if (burst) bursts_ = std::min<std::uint8_t>(bursts_ + 1, kHabit);
        else if (!steady_) bursts_ = 0;  // otherwise it is the rest of one
        gathered_ = 0;
        steady_ = false;
    }

    /// Messages follow each other all the time: the worker looks again without a wake-up.
    [[nodiscard]] bool steady() const noexcept { return steady_; }
    /// What waits now is a short burst whose thread will dispatch right after it.
    [[nodiscard]] bool brief(Duration delay) const noexcept {
        return expected() && took_ != Duration::zero() && took_ <= 2 * delay;
    }
    [[nodiscard]] TimePoint by() const noexcept { return by_; }

private:
    [[nodiscard]] bool expected() const noexcept { return bursts_ == kHabit; }
    void wasFlushedByWorker(Duration delay) noexcept {
        took_ = Duration::zero();
        if (patience_ <= delay || ++calm_ < kCalm) return;
        patience_ /= 2;
        calm_ = 0;
    }

    TimePoint left_{Duration::min() / 2}, begun_{}, by_{};  // a pause, to begin with
    Duration took_{};      ///< the last burst, until its thread dispatched; zero: that did not dispatch
    Duration patience_{};  ///< how long the worker waits where nobody dispatches
    std::uint32_t gathered_ = 0;
    std::uint8_t bursts_ = 0;  ///< in a row, at most kHabit
    std::uint8_t calm_ = 0;    ///< bursts that were over when the worker came
    bool alone_ = false;       ///< the last message left at once and none followed
    bool byWorker_ = false;    ///< the worker flushed the last time
    bool steady_ = false;
};

}  // namespace emissary::reactor

// The number of queued bytes at which a commit flushes.
#pragma once

#include "eta/core/Clock.h"

#include <atomic>
#include <cstddef>

namespace emissary::eta::transport {

/// The high-water mark as it stands now: higher in a burst and while the kernel pushes back, 0 with direct writes and
/// after a failure, so that the next commit notices. Output half; above() and end() are for any thread.
class FlushMark {
public:
    /// Commit flushes when more than this is queued.
    [[nodiscard]] std::size_t above() const noexcept { return above_.load(std::memory_order_relaxed); }
    /// It stands higher than configured, because of a burst.
    [[nodiscard]] bool raised() const noexcept { return raised_ != 0; }

    /// `handOnAt`: bytes that are handed on at the latest and never wait for company in a burst; 0 = no such thing.
    void start(std::size_t highWater, bool direct, std::size_t handOnAt) noexcept;
    // The calls below take what is queued at the moment.
    /// The configured mark, in bytes.
    void setHighWater(std::size_t bytes, std::size_t queued) noexcept;
    /// True: every commit flushes.
    void setDirect(bool direct, std::size_t queued) noexcept;
    /// A commit has flushed. Soon after the last time that is a burst, and the next mark is twice as high, up to a
    /// quarter of what may be queued (`bound`).
    void reached(std::size_t bound, std::size_t queued) noexcept;
    /// Raises the mark as far as a burst may: the sender is about to queue one, and ends it with a flush.
    void expect(std::size_t bound, std::size_t queued) noexcept;
    /// The burst is over.
    void lower(std::size_t queued) noexcept;
    /// The kernel takes no more for now (or again).
    void pushedBack(bool blocked, std::size_t queued) noexcept;
    /// Output has failed: every commit looks.
    void zero() noexcept { above_.store(0, std::memory_order_relaxed); }
    /// The channel is closed; nothing raises the mark again.
    void end() noexcept;

private:
    void apply(std::size_t queued) noexcept;

    std::atomic<std::size_t> above_{0};
    std::atomic<bool> ended_{false};
    bool direct_ = false, blocked_ = false;
    std::size_t highWater_ = 0, handOnAt_ = 0;
    std::size_t raised_ = 0;  // in a burst; 0 = not raised
    TimePoint reachedAt_{};
};

}  // namespace emissary::eta::transport

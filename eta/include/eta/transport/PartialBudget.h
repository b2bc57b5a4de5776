// The bound on incomplete messages of many connections together (FrameReader, WebSocket messages).
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/bytes.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

namespace emissary::eta::transport {

/// Bytes that one listener's connections may hold of messages that are not complete yet. Any thread.
class PartialBudget {
public:
    /// With `bytes` bytes to give.
    explicit PartialBudget(std::size_t bytes) noexcept : left_(bytes) {}
    /// False, and nothing taken, when fewer are left.
    [[nodiscard]] bool take(std::size_t bytes) noexcept {
        std::size_t left = left_.load(std::memory_order_relaxed);
        do {
            if (bytes > left) return false;
        } while (!left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed));
        return true;
    }
    /// Gives back what was taken.
    void give(std::size_t bytes) noexcept { left_.fetch_add(bytes, std::memory_order_relaxed); }
    /// Bytes that can still be taken.
    [[nodiscard]] std::size_t left() const noexcept { return left_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::size_t> left_;
};

/// One reader's part of a budget; gives it back. Owned and used by the reader's thread. Without a budget everything
/// fits.
class PartialShare {
public:
    /// Held by every connection without asking the budget, so that a few peers that use it up do not keep the others
    /// from sending messages of an ordinary size.
    static constexpr std::size_t kOwnBytes = 64u << 10;

    PartialShare() = default;
    PartialShare(const PartialShare&) = delete;
    PartialShare& operator=(const PartialShare&) = delete;
    ~PartialShare() { use({}); }

    /// Gives back what is held and takes from this budget from now on; null: without limit.
    void use(std::shared_ptr<PartialBudget> budget) noexcept {
        static_cast<void>(resize(0));
        budget_ = std::move(budget);
    }
    /// The reader holds `held` bytes from now on; false, and nothing changes, when the budget does not have them.
    [[nodiscard]] bool resize(std::size_t held) noexcept {
        if (budget_ == nullptr) return true;
        const std::size_t wanted = held > kOwnBytes ? held - kOwnBytes : 0;
        if (wanted > taken_ && !budget_->take(wanted - taken_)) return false;
        if (wanted < taken_) budget_->give(taken_ - wanted);
        taken_ = wanted;
        return true;
    }

private:
    std::shared_ptr<PartialBudget> budget_;
    std::size_t taken_ = 0;
};

/// Whether an incomplete message still grows. A peer that sends a byte now and then does not keep it alive.
class Growth {
public:
    using TimePoint = eta::TimePoint;
    static constexpr std::size_t kLeast = 1024;

    /// Call it now and then; true when less than kLeast bytes came within `limit`.
    [[nodiscard]] bool stalled(std::size_t received, TimePoint now, TimePoint::duration limit) noexcept {
        if (!watched_ || received < seen_ || received - seen_ >= kLeast) {
            watched_ = true;
            seen_ = received;
            since_ = now;
            return false;
        }
        return now - since_ >= limit;
    }
    /// The next stalled() begins anew.
    void forget() noexcept { watched_ = false; }

private:
    std::size_t seen_ = 0;
    TimePoint since_{};
    bool watched_ = false;
};

}  // namespace emissary::eta::transport

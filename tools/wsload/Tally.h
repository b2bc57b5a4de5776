// tools/wsload: what one thread counts.
#pragma once

#include "LatencyHistogram.h"

#include "eta/core/Clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::wsload {

enum class Phase : std::uint8_t { connecting, warmup, measured, settling, over };
/// What a client does in the run.
enum class Group : std::uint8_t { steady, slow, churning };
inline constexpr std::size_t kGroups = 3;

/// Latencies of many messages, in microseconds.
struct Latencies {
    perf::LatencyHistogram histogram;
    double sum = 0, squares = 0;
    std::uint64_t least = UINT64_MAX;

    void record(std::uint64_t us) noexcept {
        histogram.record(us);
        const auto x = static_cast<double>(us);
        sum += x;
        squares += x * x;
        least = std::min(least, us);
    }
    void merge(const Latencies& other) noexcept {
        histogram.merge(other.histogram);
        sum += other.sum;
        squares += other.squares;
        least = std::min(least, other.least);
    }
    void clear() noexcept {
        histogram.clear();
        sum = squares = 0;
        least = UINT64_MAX;
    }
    [[nodiscard]] double mean() const noexcept {
        const auto n = static_cast<double>(histogram.count());
        return n == 0 ? 0 : sum / n;
    }
    [[nodiscard]] double deviation() const noexcept {
        const auto n = static_cast<double>(histogram.count());
        return n == 0 ? 0 : std::sqrt(std::max(0.0, squares / n - mean() * mean()));
    }
};

/// What is counted of messages.
struct Counts {
    std::uint64_t messages = 0, bytes = 0, above = 0, gaps = 0, missing = 0, duplicates = 0, conflated = 0, early = 0;

    void add(const Counts& other) noexcept {
        messages += other.messages, bytes += other.bytes, above += other.above, gaps += other.gaps;
        missing += other.missing, duplicates += other.duplicates, conflated += other.conflated, early += other.early;
    }
};

/// The time since the last line.
struct Interval {
    Latencies latencies;
    Counts counts;
    eta::Duration largestTurn{}, busy{};

    void merge(const Interval& other) noexcept {
        latencies.merge(other.latencies);
        counts.add(other.counts);
        largestTurn = std::max(largestTurn, other.largestTurn);
        busy += other.busy;
    }
    void clear() noexcept {
        latencies.clear();
        counts = {};
        largestTurn = busy = {};
    }
};

/// One message's latency, for -raw.
struct RawLatency {
    std::uint32_t client, item;
    std::uint64_t sequence, us;
};

/// One thread's; read by others when the thread has ended, except what says otherwise.
struct Tally {
    std::array<Latencies, kGroups> measured;
    Latencies roundTrips;  ///< of posts, from sending to the update that they became
    std::uint64_t posts = 0, acks = 0, naks = 0, strayAcks = 0, postsLost = 0;
    std::uint64_t warmupMost = 0;  ///< us
    std::uint64_t verified = 0, verifyErrors = 0, mixed = 0, returns = 0;
    eta::Duration staleTime{}, longestReturn{}, largestTurn{}, busy{};
    eta::TimePoint largestTurnAt{};
    std::vector<RawLatency> raw;

    // --- any thread
    std::atomic<unsigned> ready{0};            ///< clients that have all their images
    std::atomic<std::uint64_t> unanswered{0};  ///< posts whose answer is waited for
    std::atomic<unsigned> ended{0};            ///< clients that do not come back
    std::atomic<std::uint64_t> refused{0}, lost{0}, closed{0},
        errors{0};  ///< logins, connections, items, Error messages

    /// Keeps the first few sentences about what went wrong. Any thread.
    void trouble(std::string sentence) {
        const std::lock_guard guard(lock_);
        if (troubles_.size() < 5) troubles_.push_back(std::move(sentence));
    }
    [[nodiscard]] std::vector<std::string> troubles() const {
        const std::lock_guard guard(lock_);
        return troubles_;
    }

private:
    mutable std::mutex lock_;
    std::vector<std::string> troubles_;  // guarded by lock_
};

}  // namespace emissary::wsload

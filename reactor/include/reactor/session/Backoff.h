// The wait before the next connection attempt, and the number of attempts (session.md section 6).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

namespace emissary::reactor::session {

/// The rule's numbers. Their defaults stand here alone: roles, the configuration and its reference page refer to them.
struct ReconnectOptions {
    static constexpr std::int64_t kNoLimit = -1;
    static constexpr std::chrono::milliseconds kLeastDelay{100};

    std::int64_t attemptLimit = kNoLimit;  ///< attempts without a login between them; 0 = none after the first
    std::chrono::milliseconds minDelay{1000}, maxDelay{5000};
    std::uint32_t jitterSeed = 0;  ///< 0 = random

    /// The same within the rule's bounds: the shortest wait has a floor, the longest one is never below it.
    [[nodiscard]] constexpr ReconnectOptions bounded() const noexcept {
        ReconnectOptions o = *this;
        o.minDelay = std::max(minDelay, kLeastDelay);
        o.maxDelay = std::max(maxDelay, o.minDelay);
        return o;
    }
};

/// Doubles from the smallest delay up to the largest, and no wait is shorter or longer than those. The first one is the
/// smallest delay and up to half as much again, each further one is drawn from the upper half of the current delay:
/// many clients of one server do not come back in the same instant. A value type.
class Backoff {
public:
    /// Takes the options within their bounds.
    explicit Backoff(const ReconnectOptions& options)
        : options_(options.bounded()), delay_(options_.minDelay),
          random_(scatter(options.jitterSeed != 0 ? options.jitterSeed : std::random_device{}())) {}

    /// A login has succeeded: what comes next is a first loss again.
    void reset() noexcept {
        delay_ = options_.minDelay;
        attempts_ = 0;
    }
    /// No attempt is left.
    [[nodiscard]] bool exhausted() const noexcept {
        return options_.attemptLimit >= 0 && attempts_ >= options_.attemptLimit;
    }
    /// Counts an attempt; how long to wait before it.
    [[nodiscard]] std::chrono::milliseconds next() {
        ++attempts_;
        const auto full = delay_.count(), least = options_.minDelay.count(), most = options_.maxDelay.count();
        delay_ = std::min(delay_ * 2, options_.maxDelay);
        const auto low = std::max(least, full / 2), high = std::max(full, std::min(most, least + least / 2));
        return std::chrono::milliseconds(std::uniform_int_distribution<std::int64_t>(low, high)(random_));
    }

private:
    /// The generator's first number is all but proportional to its seed: neighbouring seeds must not stay neighbours.
    static std::uint32_t scatter(std::uint32_t seed) noexcept {
        std::uint64_t z = (seed + 1ull) * 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        return static_cast<std::uint32_t>(z >> 32);
    }
    ReconnectOptions options_;
    std::chrono::milliseconds delay_;
    std::int64_t attempts_ = 0;
    std::minstd_rand random_;
};

}  // namespace emissary::reactor::session

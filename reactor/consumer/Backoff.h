// How long to wait before the next connection attempt (session.md section 6).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

namespace emissary::reactor::consumer {

/// Doubles from the smallest delay (at least 100 ms) up to the largest; each wait is drawn from the upper half of the
/// current delay, so that many clients of one server do not come back in the same instant.
class Backoff {
public:
    Backoff(std::chrono::milliseconds shortest, std::chrono::milliseconds longest, std::int64_t limit,
            std::uint32_t seed)
        : shortest_(std::max(shortest, std::chrono::milliseconds(100))), longest_(std::max(longest, shortest_)),
          limit_(limit), random_(scatter(seed != 0 ? seed : std::random_device{}())) {
        reset();
    }
    void reset() noexcept {
        delay_ = shortest_;
        attempts_ = 0;
    }
    /// No attempt is left.
    [[nodiscard]] bool exhausted() const noexcept { return limit_ >= 0 && attempts_ >= limit_; }
    [[nodiscard]] std::chrono::milliseconds next() {
        ++attempts_;
        const auto full = delay_.count();
        delay_ = std::min(delay_ * 2, longest_);
        return std::chrono::milliseconds(std::uniform_int_distribution<std::int64_t>(full / 2, full)(random_));
    }

private:
    /// The generator's first number is all but proportional to its seed: neighbouring seeds must not stay neighbours.
    static std::uint32_t scatter(std::uint32_t seed) noexcept {
        std::uint64_t z = (seed + 1ull) * 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        return static_cast<std::uint32_t>(z >> 32);
    }
    std::chrono::milliseconds shortest_, longest_, delay_{};
    std::int64_t limit_, attempts_ = 0;
    std::minstd_rand random_;
};

}  // namespace emissary::reactor::consumer

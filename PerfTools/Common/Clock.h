// Where the tools read time: the clock of schedules and time stamps, in nanoseconds.
#pragma once
#include <chrono>
#include <cstdint>
#include <ctime>

namespace emissary::perf {

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// Monotonic nanoseconds; the same clock in every process of the host.
[[nodiscard]] inline std::int64_t nowNanos() noexcept {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A moment of nowNanos() in the unit of time stamps in messages: microseconds, or nanoseconds with -nanoTime.
[[nodiscard]] inline std::int64_t stampUnits(bool nanoTime, std::int64_t nanos) noexcept {
    return nanoTime ? nanos : nanos / 1000;
}

/// Sleeps until the given moment of nowNanos(), or until a signal arrives.
inline void sleepUntil(std::int64_t nanos) noexcept {
    timespec until{};
    until.tv_sec = nanos / kNanosPerSecond;
    until.tv_nsec = nanos % kNanosPerSecond;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace emissary::perf

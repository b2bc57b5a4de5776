// The clock of schedules and time stamps.
#pragma once
#include <cstdint>
#include <ctime>

namespace emissary::perf {

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// Monotonic nanoseconds; the same clock in every process of the host.
[[nodiscard]] inline std::int64_t nowNanos() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * kNanosPerSecond + now.tv_nsec;
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

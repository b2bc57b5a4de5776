// The clock: the only place that asks the system for the time.
#pragma once

#include <chrono>
#include <ctime>

namespace emissary::eta {

/// Intervals, deadlines, timers and the stamps of measurements. Monotonic, and the same in every process of a host.
struct Clock : std::chrono::steady_clock {
    /// Monotonic time.
    [[nodiscard]] static time_point now() noexcept { return std::chrono::steady_clock::now(); }
};
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

/// The time of day, for what people or peers see and for schedules. It may jump.
struct WallClock : std::chrono::system_clock {
    /// The time of day.
    [[nodiscard]] static time_point now() noexcept { return std::chrono::system_clock::now(); }
    /// The time of day in whole seconds since 1970.
    [[nodiscard]] static std::time_t seconds() noexcept { return to_time_t(now()); }
};

}  // namespace emissary::eta

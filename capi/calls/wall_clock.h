// The time of day that rows carry, on nothing but the standard library.
#pragma once

#include <chrono>
#include <cstdint>

namespace emissary::capi {

/// Nanoseconds since 1970, UTC.
[[nodiscard]] inline std::int64_t wallClock() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace emissary::capi

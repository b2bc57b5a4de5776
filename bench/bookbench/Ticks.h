// The processor's clock in nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace bookbench {

inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
    unsigned core;
    return __rdtscp(&core);
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Against the monotonic clock, over a tenth of a second.
inline double nanosecondsPerTick() {
    const auto from = std::chrono::steady_clock::now();
    const std::uint64_t first = ticks();
    while (std::chrono::steady_clock::now() - from < std::chrono::milliseconds(100)) {}
    const std::uint64_t last = ticks();
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - from;
    return passed.count() / static_cast<double>(last - first);
}

/// What a pair of readings costs by itself, in nanoseconds: the least of many.
inline double emptyPair(double perTick) {
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i != 10'000; ++i) {
        const std::uint64_t from = ticks(), to = ticks();
        if (to - from < least) least = to - from;
    }
    return static_cast<double>(least) * perTick;
}

}  // namespace bookbench

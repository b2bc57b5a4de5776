// Draws at random which messages carry time stamps, for some seconds that are repeated.
#include "TickSchedule.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace emissary::perf {

LatencyChooser::LatencyChooser(std::int64_t latencyRate, std::uint32_t messageRate, std::uint32_t tickRate,
                               std::uint64_t seed)
    : all_(latencyRate == kAllMessages) {
    if (all_ || latencyRate <= 0 || messageRate == 0) return;
    std::mt19937_64 random(seed);
    chosen_.assign(std::size_t{kSeconds} * tickRate, kNone);
    std::vector<std::uint32_t> ticks(tickRate);
    for (std::uint32_t second = 0; second < kSeconds; ++second) {
        std::iota(ticks.begin(), ticks.end(), 0U);
        // The first latencyRate places of a partial shuffle are distinct ticks, each equally likely.
        const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(latencyRate), ticks.size());
        for (std::size_t i = 0; i < wanted; ++i) {
            std::uniform_int_distribution<std::size_t> other(i, ticks.size() - 1);
            std::swap(ticks[i], ticks[other(random)]);
            const std::uint32_t burst = burstSize(messageRate, tickRate, ticks[i]);
            if (burst == 0) continue;
            std::uniform_int_distribution<std::uint32_t> index(0, burst - 1);
            chosen_[std::size_t{second} * tickRate + ticks[i]] = index(random);
        }
    }
}

}  // namespace emissary::perf

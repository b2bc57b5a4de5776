// What the library has counted in a test, as one line of a summary.
#pragma once

#include "emissary/metrics.h"

#include <cstdint>
#include <string>

namespace emissary::perf {

/// Of one instance, or of several together. docs/metrics.md says what each count means.
struct LibraryCounts {
    std::uint64_t reads = 0, writes = 0, blocked = 0, refused = 0, peakBytes = 0, turns = 0, stalls = 0, wakeups = 0;

    LibraryCounts() = default;
    explicit LibraryCounts(const MetricsSnapshot& snapshot);
    LibraryCounts& operator+=(const LibraryCounts& other) noexcept;
    /// "  Library: 1200 reads, 800 writes (3 blocked), ...", and a line end.
    [[nodiscard]] std::string line() const;
};

}  // namespace emissary::perf

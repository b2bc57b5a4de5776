// The resources that this process uses, and its start time.
#pragma once

#include "reactor/metrics/Snapshot.h"

#include <cstdint>
#include <string>

namespace emissary::reactor::metrics {

struct ProcessUsage {  ///< what this process takes
    std::uint64_t residentBytes = 0;
    double cpuSeconds = 0;    ///< user and system, of all threads
    double startSeconds = 0;  ///< wall clock at the start of the process, seconds since 1970; 0 = unknown
    double upSeconds = 0;     ///< since the start, by the monotonic clock; 0 = unknown
};

/// The values now; zeros where the system does not provide them. Any thread.
[[nodiscard]] ProcessUsage processUsage() noexcept;

/// The process for Prometheus: memory, processor time, start time and `emissary_build_info`. These values have
/// fractions and names that other programs use as well, so they are no counts. `common`: labels of
/// `emissary_build_info`, beside `version`. The `process_` names carry no labels, as in every other program. Any
/// thread.
[[nodiscard]] std::string processAsPrometheus(const Labels& common = {});

}  // namespace emissary::reactor::metrics

// CPU and memory use of this process.
#pragma once
#include "Statistics.h"

#include <cstdint>

namespace emissary::perf {

/// One sample: processor use since the previous sample and resident memory now.
struct ResourceSample {
    double cpuPercent = 0.0;  ///< user and system time over wall time; above 100 with several busy threads
    double memoryMb = 0.0;    ///< resident set, 1 MB = 1048576 bytes
};

/// Takes samples. The first one covers the time since construction.
class ResourceSampler {
public:
    ResourceSampler();
    ResourceSample sample();

private:
    std::int64_t lastWall_;
    std::int64_t lastCpu_;
};

/// The samples of a whole run.
struct ResourceStatistics {
    ValueStatistics cpu;
    ValueStatistics memory;
    void add(const ResourceSample& sample) noexcept {
        cpu.add(sample.cpuPercent);
        memory.add(sample.memoryMb);
    }
};

}  // namespace emissary::perf

// Reads processor time and resident memory of the process.
#include "ResourceSampler.h"

#include "Clock.h"

#include <cstdio>
#include <memory>
#include <unistd.h>

namespace emissary::perf {

namespace {

[[nodiscard]] std::int64_t processCpuNanos() noexcept {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::int64_t{used.tv_sec} * kNanosPerSecond + used.tv_nsec;
}

[[nodiscard]] double residentMb() noexcept {
    const auto close = [](std::FILE* file) { std::fclose(file); };
    // The second number is the resident set, in pages. An open file would have to be rewound for every sample.
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen("/proc/self/statm", "re"), close);
    long total = 0;
    long resident = 0;
    if (!file || std::fscanf(file.get(), "%ld %ld", &total, &resident) != 2) return 0.0;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1'048'576.0;
}

}  // namespace

ResourceSampler::ResourceSampler() : lastWall_(nowNanos()), lastCpu_(processCpuNanos()) {}

ResourceSample ResourceSampler::sample() {
    const std::int64_t wall = nowNanos();
    const std::int64_t cpu = processCpuNanos();
    ResourceSample result;
    if (wall > lastWall_)
        result.cpuPercent = 100.0 * static_cast<double>(cpu - lastCpu_) / static_cast<double>(wall - lastWall_);
    result.memoryMb = residentMb();
    lastWall_ = wall;
    lastCpu_ = cpu;
    return result;
}

}  // namespace emissary::perf

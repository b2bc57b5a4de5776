#include "hub/ops/process_usage.h"

#include <cstdio>
#include <memory>

#include <sys/resource.h>
#include <unistd.h>

namespace emissary::hub::ops {

ProcessUsage processUsage() noexcept {
    ProcessUsage u;
    rusage r{};
    if (getrusage(RUSAGE_SELF, &r) == 0)
        u.cpuSeconds = static_cast<double>(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
                       static_cast<double>(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "re"), std::fclose);
    unsigned long long size = 0, resident = 0;
    if (file && std::fscanf(file.get(), "%llu %llu", &size, &resident) == 2)
        u.residentBytes = resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return u;
}

}  // namespace emissary::hub::ops

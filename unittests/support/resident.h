// How much memory the process has.
#pragma once

#include <cstddef>
#include <fstream>

#include <unistd.h>

namespace emissary::test {

/// Resident, in KiB.
inline std::size_t residentKiB() {
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0, resident = 0;
    statm >> total >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

}  // namespace emissary::test

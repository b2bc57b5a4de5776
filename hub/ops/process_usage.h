// What this process takes of its machine.
#pragma once

#include <cstdint>

namespace emissary::hub::ops {

struct ProcessUsage {
    std::uint64_t residentBytes = 0;
    double cpuSeconds = 0;  ///< user and system, of all threads
};

/// Now; zeros where the system does not say.
[[nodiscard]] ProcessUsage processUsage() noexcept;

}  // namespace emissary::hub::ops

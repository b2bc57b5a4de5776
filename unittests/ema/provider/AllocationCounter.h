// Counts the calling thread's allocations.
#pragma once

#include <cstdint>

namespace emissary::test {

/// Allocations made by this thread since it started.
[[nodiscard]] std::uint64_t allocationsOfThisThread() noexcept;

}  // namespace emissary::test

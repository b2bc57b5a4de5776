// Counts the calling thread's allocations, and lets one fail.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emissary::test {

/// Allocations made by this thread since it started.
[[nodiscard]] std::uint64_t allocationsOfThisThread() noexcept;

/// Bytes of the largest one since the last call.
[[nodiscard]] std::size_t largestAllocationOfThisThread() noexcept;

/// This thread's next allocation but `after` throws std::bad_alloc, or is null where it may be; once.
void failAllocation(std::uint64_t after = 0) noexcept;
/// True when it did; it will not any more either way.
[[nodiscard]] bool allocationFailed() noexcept;

}  // namespace emissary::test

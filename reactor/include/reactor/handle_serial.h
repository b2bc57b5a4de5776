// Makes the handles of all instances in a process differ.
#pragma once

#include <atomic>
#include <cstdint>

namespace emissary::reactor {

/// How many serials there are; after the last one they begin again.
inline constexpr std::uint32_t kHandleSerials = 0x7FFFFFFF;

/// A number from 1 to kHandleSerials that no other handle of this process was given, until all were given once. It is
/// the upper half of a handle, so that a handle of one instance names nothing in another one. Any thread.
[[nodiscard]] inline std::uint32_t nextHandleSerial() noexcept {
    static constinit std::atomic<std::uint64_t> given{0};
    // Nothing is published with it: relaxed.
    return static_cast<std::uint32_t>(given.fetch_add(1, std::memory_order_relaxed) % kHandleSerials) + 1;
}

}  // namespace emissary::reactor

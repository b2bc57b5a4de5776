// The number of the calling thread.
#pragma once

#include <cstdint>

namespace emissary::reactor {

namespace detail {
extern constinit thread_local char threadMark;
}

/// A number that no other running thread has; never 0. Costs an addition.
[[nodiscard]] inline std::uintptr_t thisThread() noexcept {
    return reinterpret_cast<std::uintptr_t>(&detail::threadMark);
}

}  // namespace emissary::reactor

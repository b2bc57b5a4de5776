// What a process that came out of fork() must leave alone.
#pragma once

#include <cstdint>

namespace emissary::ema {

/// How many forks lie between this process and the first one: two numbers differ when a fork lies between the moments.
/// Any thread; does not fail.
[[nodiscard]] std::uint32_t forks() noexcept;

/// Frees an instance, unless it came over from the parent process: its connections, wake-ups and threads are the
/// parent's, so nothing of it may be closed, said or waited for.
template <class Owner>
void freeUnlessForked(Owner& instance) noexcept {
    if (instance && instance->engine().cameByFork()) static_cast<void>(instance.release());
    else instance.reset();
}

}  // namespace emissary::ema

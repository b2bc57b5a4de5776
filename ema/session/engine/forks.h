// Tells a process that came out of fork() what it must leave alone.
#pragma once

#include <cstdint>

namespace emissary::ema {

/// How many forks lie between this process and the first one: two numbers differ when a fork lies between the moments.
/// Any thread; does not fail.
[[nodiscard]] std::uint32_t forks() noexcept;

/// For the destructor of an instance's owner: gives the instance up where it came over from the parent process. Its
/// connections, wake-ups and threads are the parent's, so nothing of it may be closed, said or waited for. Any other
/// one stays: the owner frees it, and callbacks that run meanwhile may still ask it.
template <class Owner>
void giveUpIfForked(Owner& instance) noexcept {
    if (instance && instance->engine().cameByFork()) static_cast<void>(instance.release());
}

}  // namespace emissary::ema

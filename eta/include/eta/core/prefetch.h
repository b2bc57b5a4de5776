// eta/core: a cache line that will be needed soon.
#pragma once

#include <cstddef>

namespace emissary::eta {

/// Asks for the cache line of this address, which need not be a valid one; does nothing else. GCC takes a function that
/// only calls __builtin_prefetch for one without effect and leaves calls of it out; the empty statement is the effect.
[[gnu::always_inline]] inline void prefetch(const void* address) noexcept {
    __builtin_prefetch(address);
    asm volatile("" : : "r"(address));
}

/// The same for each 64 bytes of an object.
inline void prefetch(const void* address, std::size_t bytes) noexcept {
    for (std::size_t at = 0; at < bytes; at += 64)
        prefetch(static_cast<const char*>(address) + at);
}

}  // namespace emissary::eta

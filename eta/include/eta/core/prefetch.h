// eta/core: a cache line that will be needed soon.
#pragma once

namespace emissary::eta {

/// Asks for the cache line of this address, which need not be a valid one; does nothing else. GCC takes a function that
/// only calls __builtin_prefetch for one without effect and leaves calls of it out; the empty statement is the effect.
[[gnu::always_inline]] inline void prefetch(const void* address) noexcept {
    __builtin_prefetch(address);
    asm volatile("" : : "r"(address));
}

}  // namespace emissary::eta

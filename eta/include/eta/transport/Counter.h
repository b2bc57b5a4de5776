// A number that one thread (or lock holder) adds to and any thread may read.
#pragma once

#include <atomic>
#include <cstdint>

namespace emissary::eta::transport {

/// As cheap as a plain integer for its one writer: a load, an add and a store, no locked instruction.
class Counter {
public:
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    void raiseTo(std::uint64_t value) noexcept {
        if (value > get()) value_.store(value, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace emissary::eta::transport

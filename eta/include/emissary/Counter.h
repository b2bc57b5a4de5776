// eta: a number that one thread (or lock holder) adds to and any thread may read.
#pragma once

#include <atomic>
#include <cstdint>

namespace emissary {

/// As cheap as a plain integer for its one writer: a load, an add and a store, no locked instruction. The counts of the
/// transport, of order books and of the performance tools are all of this type.
class Counter {
public:
    /// Adds n; one thread, or the holder of a lock.
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    /// Keeps the higher of the two; for peaks.
    void raiseTo(std::uint64_t value) noexcept {
        if (value > get()) value_.store(value, std::memory_order_relaxed);
    }
    /// Begins anew; the same thread.
    void reset() noexcept { value_.store(0, std::memory_order_relaxed); }
    /// For levels.
    void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
    /// The value now; any thread.
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

}  // namespace emissary

// A count that one thread writes and any thread reads.
#pragma once
#include <atomic>
#include <cstdint>

namespace emissary::perf {

/// Adding is a plain addition, without a locked instruction: only the owning thread may call add().
class Counter {
public:
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

/// The growth of a counter since the last look.
class CounterDelta {
public:
    [[nodiscard]] std::uint64_t take(const Counter& counter) noexcept {
        const std::uint64_t now = counter.get();
        const std::uint64_t grown = now - last_;
        last_ = now;
        return grown;
    }

private:
    std::uint64_t last_ = 0;
};

}  // namespace emissary::perf

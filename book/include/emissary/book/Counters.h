// What a builder counts.
#pragma once

#include "emissary/book/Types.h"

#include <array>
#include <atomic>
#include <span>

namespace emissary::book {

/// The dispatching thread adds, any thread reads.
class Counter {
public:
    /// The dispatching thread.
    void add(std::uint64_t n = 1) noexcept {
        value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }
    /// The value now; any thread.
    [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

/// What a builder has counted since it was made; counterTable() has the names, units and meanings.
struct Counters {
    Counter refreshes, updates, statuses;
    Counter entries;
    Counter images;
    Counter addOfKnown, updateWithoutAdd, deleteOfUnknown;
    Counter updateBeforeImage, notToBeCached;
    Counter rescaled;
    Counter accSizeDiffers;
    Counter imagesAsked;
    Counter staled;
    std::array<Counter, kFaults> faults;  ///< by Fault
};

/// One counter with its name, for programs that show or export them.
struct CounterInfo {
    const char* name;  ///< as the member; faults as "fault." and the kind
    const char* unit;
    const char* meaning;
    const Counter& (*of)(const Counters&);
};
/// All of them, in the order of the members; lives as long as the program.
[[nodiscard]] std::span<const CounterInfo> counterTable() noexcept;

}  // namespace emissary::book

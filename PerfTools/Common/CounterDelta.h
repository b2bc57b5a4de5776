// What a count has grown by.
#pragma once
#include "emissary/Counter.h"

namespace emissary::perf {

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

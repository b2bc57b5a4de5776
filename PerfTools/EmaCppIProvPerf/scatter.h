// The order in which updates jump from item to item.
#pragma once

#include <cstddef>
#include <numeric>

namespace emissary::perf {

/// Step between items so that `items` steps visit each item once. About 0.618 of the number of items, which defeats
/// prefetching and caches.
[[nodiscard]] constexpr std::size_t scatterStep(std::size_t items) noexcept {
    if (items < 3) return 1;
    std::size_t step = items / 1000 * 618 + items % 1000 * 618 / 1000;
    while (std::gcd(step, items) != 1)
        ++step;  // items - 1 is one at the latest
    return step;
}

}  // namespace emissary::perf

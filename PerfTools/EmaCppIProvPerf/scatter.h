// The order in which updates jump from item to item.
#pragma once

#include <cstddef>
#include <numeric>

namespace emissary::perf {

/// How far the next item is from the one before, so that `items` steps go round all of them, each once. About 0.618 of
/// them: no processor guesses what comes next, and items that lie side by side have long gone from its caches.
[[nodiscard]] constexpr std::size_t scatterStep(std::size_t items) noexcept {
    if (items < 3) return 1;
    std::size_t step = items / 1000 * 618 + items % 1000 * 618 / 1000;
    while (std::gcd(step, items) != 1)
        ++step;  // items - 1 is one at the latest
    return step;
}

}  // namespace emissary::perf

// Mean and deviation of latencies.
#include "Tally.h"

#include <cmath>

namespace emissary::wsload {

double Latencies::mean() const noexcept {
    const auto n = static_cast<double>(histogram.count());
    return n == 0 ? 0 : sum / n;
}

double Latencies::deviation() const noexcept {
    const auto n = static_cast<double>(histogram.count());
    return n == 0 ? 0 : std::sqrt(std::max(0.0, squares / n - mean() * mean()));
}

}  // namespace emissary::wsload

// Every count that a MetricsSnapshot may hold, for documents and tests.
#pragma once

#include "reactor/metrics_catalogue.h"

#include <vector>

namespace emissary::ema {

/// The groups of the layers below, and those that a consumer or provider adds.
[[nodiscard]] std::vector<reactor::MetricGroup> countGroups();

}  // namespace emissary::ema

// Adds the group of REST calls to those of the layers below.
#include "session/extensions/counts_catalogue.h"

#include "reactor/metrics/Snapshot.h"
#include "rest/HttpClient.h"

namespace emissary::ema {

std::vector<reactor::MetricGroup> countGroups() {
    const auto below = reactor::metricGroups();
    std::vector<reactor::MetricGroup> all(below.begin(), below.end());
    all.push_back({"REST calls", "", reactor::metrics::rows<rest::HttpCounters>});
    return all;
}

}  // namespace emissary::ema

// Every count of this layer, and the reference page of counts, for documents and tests.
#pragma once

#include "eta/core/Count.h"

#include <span>
#include <string>

namespace emissary::reactor {

/// Counts that belong together, as a chapter of the reference page.
struct MetricGroup {
    const char* title;   ///< "Connections"
    const char* labels;  ///< besides `instance`: "channel: where it goes"; empty = none
    std::span<const eta::CountRow> rows;
};

/// Counts of this layer and of `eta` that a Snapshot may hold. Layers above have groups of their own beside these.
[[nodiscard]] std::span<const MetricGroup> metricGroups() noexcept;
/// The reference page of these groups, in Markdown, in their order.
[[nodiscard]] std::string metricsAsMarkdown(std::span<const MetricGroup> groups);

}  // namespace emissary::reactor

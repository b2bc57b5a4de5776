// Every count there is, for documents and tests.
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

/// Counts that a Snapshot may hold.
[[nodiscard]] std::span<const MetricGroup> metricGroups() noexcept;
/// The reference page, in Markdown.
[[nodiscard]] std::string metricsAsMarkdown();

}  // namespace emissary::reactor

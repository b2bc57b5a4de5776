// The counts of a hub as a request of OTLP over HTTP, in its JSON form (opentelemetry.io, protocol 1).
#pragma once

#include "reactor/metrics/Snapshot.h"

#include <cstdint>
#include <string>

namespace emissary::hub::ops {

/// What says which program the counts are of, and of when; times in nanoseconds since 1970.
struct OtlpOrigin {
    std::string hub;  ///< service.instance.id
    std::uint64_t start = 0, now = 0;
};

/// An ExportMetricsServiceRequest: totals as monotonic cumulative sums, levels and peaks as gauges, durations as
/// cumulative histograms in seconds; names, meanings and labels as on the pages, the measures of the process included.
/// Units that are no bytes or seconds stand in braces, so that a collector's translation to Prometheus leaves the
/// names.
[[nodiscard]] std::string otlpText(const reactor::metrics::Snapshot& counts, const OtlpOrigin& origin);

}  // namespace emissary::hub::ops

// Pieces that the consumer's and the provider's reports share. Private to the report sources.
#pragma once
#include "ResourceSampler.h"
#include "Statistics.h"
#include "Text.h"

#include <string>

namespace emissary::perf::report {

using Count = unsigned long long;

/// `, avg, stdDev, max, min` with one decimal.
inline void appendCsvValues(std::string& out, const ValueStatistics& values) {
    appendf(out, ", %.1f, %.1f, %.1f, %.1f", values.mean(), values.stdDev(), values.max(), values.min());
}

/// The four lines `<name> avg (usec)` … of a summary.
inline void appendSummaryValues(std::string& out, const char* name, const ValueStatistics& values) {
    appendf(out, "  %s avg (usec): %.1f\n", name, values.mean());
    appendf(out, "  %s std dev (usec): %.1f\n", name, values.stdDev());
    appendf(out, "  %s max (usec): %.1f\n", name, values.max());
    appendf(out, "  %s min (usec): %.1f\n", name, values.min());
}

/// The lines of a summary about times to encode or decode; nothing without samples.
inline void appendSummaryTimes(std::string& out, const char* name, const ValueStatistics* times) {
    if (times == nullptr || times->count() == 0) return;
    appendf(out, "  %s samples: %llu\n", name, static_cast<Count>(times->count()));
    appendf(out, "  %s avg (usec): %.3f\n", name, times->mean());
    appendf(out, "  %s std dev (usec): %.3f\n", name, times->stdDev());
    appendf(out, "  %s max (usec): %.3f\n", name, times->max());
    appendf(out, "  %s min (usec): %.3f\n", name, times->min());
}

inline void appendResources(std::string& out, const ResourceStatistics& resources) {
    appendf(out, "  CPU/Memory samples: %llu\n", static_cast<Count>(resources.cpu.count()));
    appendf(out, "  CPU Usage max (%%): %.2f\n", resources.cpu.max());
    appendf(out, "  CPU Usage min (%%): %.2f\n", resources.cpu.min());
    appendf(out, "  CPU Usage avg (%%): %.2f\n", resources.cpu.mean());
    appendf(out, "  Memory Usage max (MB): %.2f\n", resources.memory.max());
    appendf(out, "  Memory Usage min (MB): %.2f\n", resources.memory.min());
    appendf(out, "  Memory Usage avg (MB): %.2f\n", resources.memory.mean());
}

[[nodiscard]] inline double ratePerSecond(std::uint64_t count, double seconds) {
    return seconds > 0.0 ? static_cast<double>(count) / seconds : 0.0;
}

}  // namespace emissary::perf::report

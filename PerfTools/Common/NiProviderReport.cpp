#include "Report.h"
#include "ReportParts.h"

namespace emissary::perf {

using namespace report;

std::string niProviderConsole(std::uint64_t runSeconds, std::size_t thread, const NiProviderInterval& interval,
                              const ResourceSample& resources) {
    std::string out;
    appendf(out, "%03u: ", static_cast<unsigned>(runSeconds));
    if (thread != 0) appendf(out, "Thread %d:\n  ", static_cast<int>(thread));
    appendf(out, "UpdRate: %10llu, CPU: %6.2f%%, Mem: %6.2fMB\n",
            static_cast<Count>(ratePerSecond(interval.updates, interval.seconds)), resources.cpuPercent,
            resources.memoryMb);
    if (interval.images != 0)
        appendf(out, "  - Sent %llu images (total: %llu)\n", static_cast<Count>(interval.images),
                static_cast<Count>(interval.totalImages));
    if (interval.closes != 0) appendf(out, "  - Received %llu closes.\n", static_cast<Count>(interval.closes));
    if (interval.statuses != 0)
        appendf(out, "  - Received %llu status messages.\n", static_cast<Count>(interval.statuses));
    if (interval.updatesDropped != 0)
        appendf(out, "  - Stopped %llu updates due to lack of output buffers.\n",
                static_cast<Count>(interval.updatesDropped));
    if (interval.encode != nullptr && interval.encode->count() != 0)
        out += valueLine("  Update Encode Time (usec)", *interval.encode, true);
    if (interval.decode != nullptr && interval.decode->count() != 0)
        out += valueLine("  Message Decode Time (usec)", *interval.decode, true);
    return out;
}

const char* niProviderCsvHeader() noexcept {
    return "UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)\n";
}

std::string niProviderCsvRow(const std::string& utc, const NiProviderInterval& interval,
                             const ResourceSample& resources) {
    std::string row = utc;
    appendf(row, ", %llu, %llu, %.2f, %.2f\n", static_cast<Count>(interval.images),
            static_cast<Count>(interval.updates), resources.cpuPercent, resources.memoryMb);
    return row;
}

std::string niProviderSummary(const NiProviderTotals& totals, const ResourceStatistics* resources) {
    std::string out = "Overall Statistics:\n";
    appendf(out, "  Images sent: %llu\n", static_cast<Count>(totals.images));
    appendf(out, "  Updates sent: %llu\n", static_cast<Count>(totals.updates));
    appendSummaryTimes(out, "Update Encode Time", totals.encode);
    appendSummaryTimes(out, "Message Decode Time", totals.decode);
    if (resources != nullptr) appendResources(out, *resources);
    return out;
}

}  // namespace emissary::perf

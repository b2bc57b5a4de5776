// Console lines, statistics rows and summary of the interactive provider, in the form of the guide.
#include "Report.h"
#include "ReportParts.h"

namespace emissary::perf {

using namespace report;

// Lines without anything to count are left out, so that a quiet test is one line per interval.
std::string providerConsole(std::uint64_t runSeconds, std::size_t thread, const ProviderInterval& interval,
                            const ResourceSample& resources, bool nanos) {
    std::string out;
    appendf(out, "%03u: ", static_cast<unsigned>(runSeconds));
    if (thread != 0) appendf(out, "Thread %d:\n  ", static_cast<int>(thread));
    appendf(out, "UpdRate: %8llu, CPU: %6.2f%%, Mem: %6.2fMB\n",
            static_cast<Count>(ratePerSecond(interval.updates, interval.seconds)), resources.cpuPercent,
            resources.memoryMb);
    if (interval.requests != 0 || interval.images != 0)
        appendf(out, "  - Received %llu item requests (total: %llu), sent %llu images (total: %llu)\n",
                static_cast<Count>(interval.requests), static_cast<Count>(interval.totalRequests),
                static_cast<Count>(interval.images), static_cast<Count>(interval.totalImages));
    if (interval.posts != 0 || interval.postsReflected != 0)
        appendf(out, "  Posting: received %llu, reflected %llu\n", static_cast<Count>(interval.posts),
                static_cast<Count>(interval.postsReflected));
    const std::uint64_t latencies = interval.generic != nullptr ? interval.generic->values.count() : 0;
    if (interval.genericsSent != 0 || interval.genericsReceived != 0)
        appendf(out, "  GenMsgs: sent %llu, received %llu, latencies sent %llu, latencies received %llu\n",
                static_cast<Count>(interval.genericsSent), static_cast<Count>(interval.genericsReceived),
                static_cast<Count>(interval.genericLatenciesSent), static_cast<Count>(latencies));
    if (latencies != 0) {
        out += valueLine("  GenMsgLat(usec)", interval.generic->values, nanos);
        out += quantileLine("  GenMsgLat quantiles(usec)", interval.generic->histogram, nanos);
    }
    if (interval.closes != 0) appendf(out, "  - Received %llu closes.\n", static_cast<Count>(interval.closes));
    out += droppedConsole(interval.dropped);
    out += lateTicksConsole(interval.late);
    out += packingConsole(interval.packing);
    if (interval.encode != nullptr && interval.encode->count() != 0)
        out += valueLine("  Update Encode Time (usec)", *interval.encode, true);
    if (interval.decode != nullptr && interval.decode->count() != 0)
        out += valueLine("  Message Decode Time (usec)", *interval.decode, true);
    // Times kept in nanoseconds; the generic latencies above are in the unit of the stamps.
    if (interval.roundTrip != nullptr && interval.roundTrip->count() != 0)
        out += valueLine("  Round Trip Time (usec)", *interval.roundTrip, true);
    return out;
}

const char* providerCsvHeader() noexcept {
    return "UTC, Requests received, Images sent, Updates sent, Posts reflected, GenMsgs sent, GenMsgs received, "
           "GenMsg Latencies sent, GenMsg Latencies received, GenMsg Latency avg (usec), "
           "GenMsg Latency std dev (usec), GenMsg Latency max (usec), GenMsg Latency min (usec), CPU usage (%), "
           "Memory (MB)\n";
}

std::string providerCsvRow(const std::string& utc, const ProviderInterval& interval, const ResourceSample& resources) {
    static const ValueStatistics none;
    const ValueStatistics& generic = interval.generic != nullptr ? interval.generic->values : none;
    std::string row = utc;
    for (const std::uint64_t count :
         // The order of the columns is the header's.
         {interval.requests, interval.images, interval.updates, interval.postsReflected, interval.genericsSent,
          interval.genericsReceived, interval.genericLatenciesSent, generic.count()})
        appendf(row, ", %llu", static_cast<Count>(count));
    appendCsvValues(row, generic);
    appendf(row, ", %.2f, %.2f\n", resources.cpuPercent, resources.memoryMb);
    return row;
}

std::string providerSummary(const ProviderTotals& totals, bool generic, const ResourceStatistics* resources) {
    std::string out = "Overall Statistics:\n";
    const auto addCount = [&](const char* name, std::uint64_t count) {
        appendf(out, "  %s: %llu\n", name, static_cast<Count>(count));
    };
    const auto addRate = [&](const char* name, std::uint64_t count) {
        appendf(out, "  %s: %.0f\n", name, ratePerSecond(count, totals.seconds));
    };
    ValueStatistics latency = totals.latencies->of(LatencyKind::generic, LatencyPhase::startup).values;
    // A provider has no start-up phase of its own: what its worker recorded under either phase counts.
    latency.merge(totals.latencies->of(LatencyKind::generic, LatencyPhase::steady).values);
    if (latency.count() != 0) appendSummaryValues(out, "GenMsg Latency", latency);
    else out += "  No GenMsg latency information was received.\n";
    addCount("Image requests received", totals.requests);
    addCount("Updates sent", totals.updates);
    out += packingSummary(totals.packing);
    out += droppedSummary(totals.dropped);
    out += lateTicksSummary(totals.late, totals.stampedWhenDue);
    if (totals.posts != 0) {
        addCount("Posts received", totals.posts);
        addCount("Posts reflected", totals.postsReflected);
    }
    appendSummaryTimes(out, "Update Encode Time", totals.encode);
    appendSummaryTimes(out, "Message Decode Time", totals.decode);
    appendSummaryTimes(out, "Round Trip Time", totals.roundTrip);
    if (generic || totals.genericsReceived != 0) {
        addCount("GenMsgs sent", totals.genericsSent);
        addCount("GenMsgs received", totals.genericsReceived);
        addCount("GenMsg latencies sent", totals.genericLatenciesSent);
        addCount("GenMsg latencies received", latency.count());
        addRate("Avg GenMsg send rate", totals.genericsSent);
        addRate("Avg GenMsg receive rate", totals.genericsReceived);
    }
    if (resources != nullptr) appendResources(out, *resources);
    return out;
}

}  // namespace emissary::perf

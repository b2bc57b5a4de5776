// Console lines, statistics rows and summary of the non-interactive provider, in the form of the guide.
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
    out += droppedConsole(interval.dropped);
    out += lateTicksConsole(interval.late);
    out += packingConsole(interval.packing);
    if (interval.encode != nullptr && interval.encode->count() != 0)
        out += valueLine("  Update Encode Time (usec)", *interval.encode, true);
    if (interval.decode != nullptr && interval.decode->count() != 0)
        out += valueLine("  Message Decode Time (usec)", *interval.decode, true);
    // Totals of the connection, not of the interval: gaps are rare, and a total still shows an old one.
    if (interval.multicast != nullptr) out += multicastConsole(*interval.multicast);
    return out;
}

std::string multicastConsole(const MulticastStatistics& s) {
    std::string out;
    appendf(out, "  Multicast packets: sent %llu, received %llu; unicast: sent %llu, received %llu; gaps: %llu\n",
            static_cast<Count>(s.multicastSent), static_cast<Count>(s.multicastReceived),
            static_cast<Count>(s.unicastSent), static_cast<Count>(s.unicastReceived), static_cast<Count>(s.gaps));
    appendf(out, "  Retransmission requests: sent %llu, received %llu; packets: sent %llu, received %llu\n",
            static_cast<Count>(s.requestsSent), static_cast<Count>(s.requestsReceived),
            static_cast<Count>(s.retransmissionsSent), static_cast<Count>(s.retransmissionsReceived));
    return out;
}

// The names are the guide's, one figure a line, because scripts look for them by name.
std::string multicastSummary(const MulticastStatistics& s) {
    std::string out;
    const auto line = [&](const char* what, std::uint64_t value) {
        appendf(out, "  %s: %llu\n", what, static_cast<Count>(value));
    };
    line("Multicast Packets Sent", s.multicastSent);
    line("Multicast Packets Received", s.multicastReceived);
    line("Unicast Packets Sent", s.unicastSent);
    line("Unicast Packets Received", s.unicastReceived);
    line("Packet Gaps Detected", s.gaps);
    line("Retransmission Requests Sent", s.requestsSent);
    line("Retransmission Requests Received", s.requestsReceived);
    line("Retransmission Packets Sent", s.retransmissionsSent);
    line("Retransmission Packets Received", s.retransmissionsReceived);
    return out;
}

const char* niProviderCsvHeader() noexcept {
    return "UTC, Images sent, Updates sent, CPU usage (%), Memory (MB)\n";
}

std::string niProviderCsvRow(const std::string& utc, const NiProviderInterval& interval,
                             const ResourceSample& resources) {
    // Refused and late messages are no columns: they have rows of their own, which droppedCsv() and lateTicksCsv()
    // make.
    std::string row = utc;
    appendf(row, ", %llu, %llu, %.2f, %.2f\n", static_cast<Count>(interval.images),
            static_cast<Count>(interval.updates), resources.cpuPercent, resources.memoryMb);
    return row;
}

std::string niProviderSummary(const NiProviderTotals& totals, const ResourceStatistics* resources) {
    std::string out = "Overall Statistics:\n";
    appendf(out, "  Images sent: %llu\n", static_cast<Count>(totals.images));
    appendf(out, "  Updates sent: %llu\n", static_cast<Count>(totals.updates));
    out += packingSummary(totals.packing);
    out += droppedSummary(totals.dropped);
    out += lateTicksSummary(totals.late, totals.stampedWhenDue);
    if (totals.outages) out += outageSummary(*totals.outages);
    appendSummaryTimes(out, "Update Encode Time", totals.encode);
    appendSummaryTimes(out, "Message Decode Time", totals.decode);
    if (totals.multicast != nullptr) out += multicastSummary(*totals.multicast);
    if (resources != nullptr) appendResources(out, *resources);
    return out;
}

}  // namespace emissary::perf

// Formats the figures of TransportPerf for console, file and summary.
#include "TransportReport.h"

#include "Report.h"
#include "ReportParts.h"

#include <unistd.h>

namespace emissary::perf {

using namespace report;

namespace {

// The guide's "MB" and "MBps" are powers of two.
constexpr double kMegabyte = 1048576.0;

[[nodiscard]] double megabytesPerSecond(std::uint64_t bytes, double seconds) {
    return seconds > 0.0 ? static_cast<double>(bytes) / kMegabyte / seconds : 0.0;
}

}  // namespace

std::string transportConsole(std::uint64_t runSeconds, std::size_t thread, const TransportTraffic& traffic,
                             const ResourceSample& resources) {
    std::string out;
    appendf(out, "%03u:", static_cast<unsigned>(runSeconds));
    if (thread != 0) appendf(out, " Thread %u:", static_cast<unsigned>(thread));
    appendf(out, "\n  Sent: MsgRate: %8.0f, DataRate:%8.3fMBps\n", ratePerSecond(traffic.sent, traffic.seconds),
            megabytesPerSecond(traffic.bytesSent, traffic.seconds));
    appendf(out, "  Recv: MsgRate: %8.0f, DataRate:%8.3fMBps\n", ratePerSecond(traffic.received, traffic.seconds),
            megabytesPerSecond(traffic.bytesReceived, traffic.seconds));
    if (traffic.dropped != 0)
        appendf(out, "  %llu messages not sent due to lack of output buffers.\n", static_cast<Count>(traffic.dropped));
    if (traffic.misfits != 0)
        appendf(out, "  %llu messages out of sequence or too small.\n", static_cast<Count>(traffic.misfits));
    out += lateTicksConsole(traffic.late);
    // Transport latencies are always in nanoseconds: a hop between two processes takes only a few microseconds.
    if (traffic.latency != nullptr && traffic.latency->values.count() != 0) {
        out += valueLine("  Latency (usec)", traffic.latency->values, true);
        out += quantileLine("  Latency quantiles (usec)", traffic.latency->histogram, true);
    }
    if (traffic.multicast != nullptr) out += multicastConsole(*traffic.multicast);
    appendf(out, "  CPU: %6.2f%% Mem: %8.2fMB\n", resources.cpuPercent, resources.memoryMb);
    return out;
}

const char* transportCsvHeader() noexcept {
    return "UTC, Msgs sent, Bytes sent, Msgs received, Bytes received, Latency msgs received, Latency avg (usec), "
           "Latency std dev (usec), Latency max (usec), Latency min (usec), CPU usage (%), Memory (MB)\n";
}

std::string transportCsvRow(const std::string& utc, const TransportTraffic& traffic, const ResourceSample& resources) {
    static const LatencySeries none;
    const ValueStatistics& v = (traffic.latency != nullptr ? *traffic.latency : none).values;
    std::string row = utc;
    appendf(row, ", %llu, %llu, %llu, %llu, %llu", static_cast<Count>(traffic.sent),
            static_cast<Count>(traffic.bytesSent), static_cast<Count>(traffic.received),
            static_cast<Count>(traffic.bytesReceived), static_cast<Count>(v.count()));
    appendf(row, ", %.3f, %.3f, %.3f, %.3f, %.2f, %.2f\n", v.mean(), v.stdDev(), v.max(), v.min(), resources.cpuPercent,
            resources.memoryMb);
    return row;
}

std::string transportSummary(const TransportTraffic& totals, const ResourceStatistics* resources) {
    std::string out = "Statistics:\n";
    if (totals.latency != nullptr && totals.latency->values.count() != 0) {
        const ValueStatistics& v = totals.latency->values;
        appendf(out, "  Latency avg (usec): %.3f\n", v.mean());
        appendf(out, "  Latency std dev (usec): %.3f\n", v.stdDev());
        appendf(out, "  Latency max (usec): %.3f\n", v.max());
        appendf(out, "  Latency min (usec): %.3f\n", v.min());
        out += quantileLine("  Latency quantiles (usec)", totals.latency->histogram, true);
    } else {
        out += "  No latency information was received.\n";
    }
    appendf(out, "  Sampling duration(sec): %.2f\n", totals.seconds);
    appendf(out, "  Msgs Sent: %llu\n", static_cast<Count>(totals.sent));
    appendf(out, "  Msgs Received: %llu\n", static_cast<Count>(totals.received));
    if (totals.dropped != 0)
        appendf(out, "  Msgs Not Sent (lack of output buffers): %llu\n", static_cast<Count>(totals.dropped));
    if (totals.misfits != 0)
        appendf(out, "  Msgs Out Of Sequence Or Too Small: %llu\n", static_cast<Count>(totals.misfits));
    out += lateTicksSummary(totals.late);
    appendf(out, "  Data Sent (MB): %.2f\n", static_cast<double>(totals.bytesSent) / kMegabyte);
    appendf(out, "  Data Received (MB): %.2f\n", static_cast<double>(totals.bytesReceived) / kMegabyte);
    appendf(out, "  Avg. Msg Sent Rate: %.0f\n", ratePerSecond(totals.sent, totals.seconds));
    appendf(out, "  Avg. Msg Recv Rate: %.0f\n", ratePerSecond(totals.received, totals.seconds));
    appendf(out, "  Avg. Data Sent Rate (MB): %.2f\n", megabytesPerSecond(totals.bytesSent, totals.seconds));
    appendf(out, "  Avg. Data Recv Rate (MB): %.2f\n", megabytesPerSecond(totals.bytesReceived, totals.seconds));
    if (totals.multicast != nullptr) out += multicastSummary(*totals.multicast);
    // Processor time and memory belong to the process, so the summary of one thread has none.
    if (resources == nullptr) return out;
    appendResources(out, *resources);
    appendf(out, "  Process ID: %d\n", static_cast<int>(getpid()));
    return out;
}

const char* transportLatencyHeader() noexcept {
    return "Send Time, Receive Time, Latency(nsec)\n";
}

std::string transportLatencyRow(const LatencyRecord& record) {
    std::string row;
    appendf(row, "%llu, %llu, %llu\n", static_cast<Count>(record.start), static_cast<Count>(record.end),
            static_cast<Count>(record.end - record.start));
    return row;
}

}  // namespace emissary::perf

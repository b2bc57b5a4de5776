// The texts of TransportPerf: console, statistics rows and summary (perftools.md 5.3).
#pragma once
#include "Latency.h"
#include "Report.h"
#include "ResourceSampler.h"

#include <cstdint>
#include <string>

namespace emissary::perf {

/// The traffic of one thread, or of all, in an interval or in the whole run.
struct TransportTraffic {
    double seconds = 0.0;
    std::uint64_t sent = 0, received = 0;            ///< messages
    std::uint64_t bytesSent = 0, bytesReceived = 0;  ///< on the wire / of messages
    std::uint64_t dropped = 0;                       ///< not sent for lack of output buffers
    std::uint64_t misfits = 0;                       ///< TransportCounters::misfits
    LateTicks late;                                  ///< of bursts
    const LatencySeries* latency = nullptr;
    const MulticastStatistics* multicast = nullptr;  ///< with -mcastStats: since the beginning

    void add(const TransportTraffic& other) noexcept {
        sent += other.sent;
        received += other.received;
        bytesSent += other.bytesSent;
        bytesReceived += other.bytesReceived;
        dropped += other.dropped;
        misfits += other.misfits;
        late += other.late;
    }
};

/// The console text of one interval. `thread` is 0 with a single thread.
[[nodiscard]] std::string transportConsole(std::uint64_t runSeconds, std::size_t thread,
                                           const TransportTraffic& traffic, const ResourceSample& resources);
[[nodiscard]] const char* transportCsvHeader() noexcept;
[[nodiscard]] std::string transportCsvRow(const std::string& utc, const TransportTraffic& traffic,
                                          const ResourceSample& resources);
/// The lines below a `--- … SUMMARY ---` title; `resources` in the overall part only.
[[nodiscard]] std::string transportSummary(const TransportTraffic& totals, const ResourceStatistics* resources);
[[nodiscard]] const char* transportLatencyHeader() noexcept;
[[nodiscard]] std::string transportLatencyRow(const LatencyRecord& record);

}  // namespace emissary::perf

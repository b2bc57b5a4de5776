// PerfTools/Common: the texts of the tools: console lines, statistics rows and summaries, made from plain numbers.
#pragma once
#include "LateTicks.h"
#include "Latency.h"
#include "Outages.h"
#include "ResourceSampler.h"
#include "TextFile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::perf {

/// `Avg:… StdDev:… Max:… Min:…, Msgs: n` after a name, and a newline.
[[nodiscard]] std::string valueLine(const char* name, const ValueStatistics& values, bool nanos);
/// `p50: … p99: … p99.9: … Max: …` after a name, and a newline.
[[nodiscard]] std::string quantileLine(const char* name, const LatencyHistogram& histogram, bool nanos);

/// The file name of thread `number` (from 1): base, number, `.csv`.
[[nodiscard]] std::string numberedCsv(const std::string& base, std::size_t number);

/// Messages that were not sent because the library had no output buffer.
struct Dropped {
    std::uint64_t updates = 0;
    std::uint64_t posts = 0;
    std::uint64_t generics = 0;
    std::uint64_t messages = 0;  ///< without a kind: TransportPerf's

    Dropped& operator+=(const Dropped& o) noexcept {
        updates += o.updates;
        posts += o.posts;
        generics += o.generics;
        messages += o.messages;
        return *this;
    }
};
/// A console line for each kind of which some were dropped.
[[nodiscard]] std::string droppedConsole(const Dropped& dropped);
/// The same as lines of a statistics file, which has no column for it: the time, then the text.
[[nodiscard]] std::string droppedCsv(const std::string& utc, const Dropped& dropped);
/// The same as lines of a summary, and what to do about it.
[[nodiscard]] std::string droppedSummary(const Dropped& dropped);

/// `  - n late ticks: the latest came x ms after it was due.`; empty without such.
[[nodiscard]] std::string lateTicksConsole(const LateTicks& late);
/// The same as a line of a statistics file, which has no column for it: the time, then the text.
[[nodiscard]] std::string lateTicksCsv(const std::string& utc, const LateTicks& late);
/// The same as lines of a summary.
[[nodiscard]] std::string lateTicksSummary(const LateTicks& late);
/// The same, and what it means for latencies; `stampedWhenDue`: -stampWhenDue was given.
[[nodiscard]] std::string lateTicksSummary(const LateTicks& late, bool stampedWhenDue);

/// Updates that left in packs.
struct Packing {
    std::uint64_t packs = 0;
    std::uint64_t updates = 0;  ///< in them

    Packing& operator+=(const Packing& o) noexcept {
        packs += o.packs;
        updates += o.updates;
        return *this;
    }
};
/// `  - Packed n updates into m buffers (x on average).`, and of a summary; empty without packs.
[[nodiscard]] std::string packingConsole(const Packing& packing);
[[nodiscard]] std::string packingSummary(const Packing& packing);

/// `  TunnelStreamBufferUsed: Avg:… StdDev:… Max:… Min:…, Samples: n`; empty without samples.
[[nodiscard]] std::string tunnelBuffersLine(const ValueStatistics& used);

/// The lines of a summary with -recover.
[[nodiscard]] std::string outageSummary(const OutageTotals& outages);

/// What a consumer thread did between two looks of the main thread.
struct ConsumerInterval {
    double seconds = 0.0;
    std::uint64_t images = 0;
    std::uint64_t updates = 0;
    std::uint64_t statuses = 0;
    std::uint64_t posts = 0;
    Dropped dropped;
    std::uint64_t genericsSent = 0;
    std::uint64_t genericsReceived = 0;
    std::uint64_t genericLatenciesSent = 0;
    const LatencySeries* update = nullptr;
    const LatencySeries* post = nullptr;
    const LatencySeries* generic = nullptr;
    const ValueStatistics* decode = nullptr;  ///< times to decode an update, with -measureDecode
};

/// The console text of one interval. `client` is 0 with a single thread.
[[nodiscard]] std::string consumerConsole(std::uint64_t runSeconds, std::size_t client,
                                          const ConsumerInterval& interval, const ResourceSample& resources,
                                          bool nanos);
/// `  - Image retrieval time for %d images: %.3fs (%.0f images/s)`
[[nodiscard]] std::string imageTimeLine(std::uint64_t images, double seconds);
/// The progress line while images load.
[[nodiscard]] std::string progressLine(std::uint64_t images, std::uint64_t wanted, double imagesPerSecond);

[[nodiscard]] const char* consumerCsvHeader() noexcept;
[[nodiscard]] std::string consumerCsvRow(const std::string& utc, const ConsumerInterval& interval,
                                         const ResourceSample& resources);

/// Totals of one consumer thread, or of all, over the whole run.
struct ConsumerTotals {
    double startupSeconds = 0.0;  ///< from the first request until steady state is measured
    double steadySeconds = 0.0;   ///< from then on
    double sendingSeconds = 0.0;  ///< in which posts and generic messages were sent
    bool steadyReached = false;
    double imageSeconds = 0.0;  ///< 0 until all images are there
    std::uint64_t requests = 0;
    std::uint64_t images = 0;
    std::uint64_t refreshes = 0;
    std::uint64_t updates = 0;
    double startupUpdateRate = 0.0;  ///< per second
    double steadyUpdateRate = 0.0;
    std::uint64_t posts = 0;
    std::uint64_t genericsSent = 0;
    std::uint64_t genericsReceived = 0;
    std::uint64_t genericLatenciesSent = 0;
    Dropped dropped;
    std::optional<OutageTotals> outages;  ///< with -recover
    const LatencySet* latencies = nullptr;

    /// From `updates` and the seconds; `startup` of the updates belong to startup.
    void setUpdateRates(std::uint64_t startup) noexcept;
};

/// Which of the optional parts a consumer summary has.
struct ConsumerSummaryParts {
    bool posting = false;
    bool generic = false;
    bool snapshot = false;
    const ResourceStatistics* resources = nullptr;  ///< only in the overall part
};
/// The blocks under a `--- … SUMMARY ---` title.
[[nodiscard]] std::string consumerSummary(const ConsumerTotals& totals, const ConsumerSummaryParts& parts);

/// What a provider thread did between two looks of the main thread.
struct ProviderInterval {
    double seconds = 0.0;
    std::uint64_t requests = 0;
    std::uint64_t totalRequests = 0;
    std::uint64_t images = 0;
    std::uint64_t totalImages = 0;
    std::uint64_t updates = 0;
    std::uint64_t posts = 0;
    std::uint64_t postsReflected = 0;
    std::uint64_t closes = 0;
    Dropped dropped;
    LateTicks late;
    Packing packing;
    std::uint64_t genericsSent = 0;
    std::uint64_t genericsReceived = 0;
    std::uint64_t genericLatenciesSent = 0;
    const LatencySeries* generic = nullptr;
    const ValueStatistics* encode = nullptr;
    const ValueStatistics* decode = nullptr;
    const ValueStatistics* roundTrip = nullptr;
};

/// The console text of one interval. `thread` is 0 with a single thread.
[[nodiscard]] std::string providerConsole(std::uint64_t runSeconds, std::size_t thread,
                                          const ProviderInterval& interval, const ResourceSample& resources,
                                          bool nanos);
[[nodiscard]] const char* providerCsvHeader() noexcept;
[[nodiscard]] std::string providerCsvRow(const std::string& utc, const ProviderInterval& interval,
                                         const ResourceSample& resources);

/// Totals of one provider thread, or of all, over the whole run.
struct ProviderTotals {
    double seconds = 0.0;
    std::uint64_t requests = 0;
    std::uint64_t updates = 0;
    std::uint64_t posts = 0;
    std::uint64_t postsReflected = 0;
    std::uint64_t genericsSent = 0;
    std::uint64_t genericsReceived = 0;
    std::uint64_t genericLatenciesSent = 0;
    Dropped dropped;
    LateTicks late;
    bool stampedWhenDue = false;  ///< -stampWhenDue
    Packing packing;
    const LatencySet* latencies = nullptr;
    const ValueStatistics* encode = nullptr;
    const ValueStatistics* decode = nullptr;
    const ValueStatistics* roundTrip = nullptr;
};
[[nodiscard]] std::string providerSummary(const ProviderTotals& totals, bool generic,
                                          const ResourceStatistics* resources);

/// Packets of a multicast connection since it was made; -mcastStats prints them.
struct MulticastStatistics {
    std::uint64_t multicastSent = 0, multicastReceived = 0, unicastSent = 0, unicastReceived = 0, gaps = 0;
    std::uint64_t requestsSent = 0, requestsReceived = 0, retransmissionsSent = 0, retransmissionsReceived = 0;

    MulticastStatistics& operator+=(const MulticastStatistics& o) noexcept {
        multicastSent += o.multicastSent;
        multicastReceived += o.multicastReceived;
        unicastSent += o.unicastSent;
        unicastReceived += o.unicastReceived;
        gaps += o.gaps;
        requestsSent += o.requestsSent;
        requestsReceived += o.requestsReceived;
        retransmissionsSent += o.retransmissionsSent;
        retransmissionsReceived += o.retransmissionsReceived;
        return *this;
    }
};
[[nodiscard]] std::string multicastConsole(const MulticastStatistics& statistics);
[[nodiscard]] std::string multicastSummary(const MulticastStatistics& statistics);

/// What a non-interactive provider thread did between two looks of the main thread.
struct NiProviderInterval {
    double seconds = 0.0;
    std::uint64_t images = 0;
    std::uint64_t totalImages = 0;
    std::uint64_t updates = 0;
    std::uint64_t closes = 0;
    std::uint64_t statuses = 0;
    Dropped dropped;
    LateTicks late;
    Packing packing;
    const ValueStatistics* encode = nullptr;
    const ValueStatistics* decode = nullptr;
    const MulticastStatistics* multicast = nullptr;  ///< with -mcastStats
};

/// The console text of one interval. `thread` is 0 with a single thread.
[[nodiscard]] std::string niProviderConsole(std::uint64_t runSeconds, std::size_t thread,
                                            const NiProviderInterval& interval, const ResourceSample& resources);
[[nodiscard]] const char* niProviderCsvHeader() noexcept;
[[nodiscard]] std::string niProviderCsvRow(const std::string& utc, const NiProviderInterval& interval,
                                           const ResourceSample& resources);

/// Totals of one non-interactive provider thread, or of all, over the whole run.
struct NiProviderTotals {
    std::uint64_t images = 0;
    std::uint64_t updates = 0;
    Dropped dropped;
    LateTicks late;
    bool stampedWhenDue = false;  ///< -stampWhenDue
    Packing packing;
    std::optional<OutageTotals> outages;             ///< with -recover
    const MulticastStatistics* multicast = nullptr;  ///< with -mcastStats
    const ValueStatistics* encode = nullptr;
    const ValueStatistics* decode = nullptr;
};
[[nodiscard]] std::string niProviderSummary(const NiProviderTotals& totals, const ResourceStatistics* resources);

}  // namespace emissary::perf

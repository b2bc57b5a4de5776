// The main thread of EmaCppIProvPerf: starts the provider threads, watches them and reports.
#pragma once
#include "ProviderWorker.h"
#include "Run.h"

#include <memory>
#include <vector>

namespace emissary::perf {

/// One run, from the start of the threads to the summary.
class ProviderRun final : public WorkerRun {
public:
    /// Opens the output files; throws InputError.
    ProviderRun(const ProviderSettings& settings, const MessageData& messages);

private:
    // What the main thread keeps for one worker.
    struct Thread {
        Thread(const ProviderSettings& settings, std::size_t number, const MessageData& messages);
        std::unique_ptr<ProviderWorker> worker;
        TextFile stats;
        std::unique_ptr<LatencyFile> latencyLog;
        std::unique_ptr<LatencySet> interval;  // since the last line
        std::unique_ptr<LatencySet> totals;    // of the whole run
        ValueStatistics encodeTimes, decodeTimes, roundTrips;
        ValueStatistics allEncodeTimes, allDecodeTimes, allRoundTrips, allTunnelBuffers;
        CounterDelta requests, images, updates, updatesDropped, genericsDropped, posts, reflected, reflectedOffStream,
            closes;
        LateTicks allLate;
        CounterDelta genericsSent, genericsReceived, genericLatencies, packs, packed;
    };

    [[nodiscard]] bool over(std::int64_t now, std::string& outcome) override;
    void stopThreads(std::string& outcome) override;
    void sampleThreads(const Sample& sample) override;
    [[nodiscard]] std::string summary(std::int64_t end) override;
    void drainLatencies();
    [[nodiscard]] static ProviderTotals totalsOf(const Thread& thread, double seconds);

    const ProviderSettings& settings_;
    std::vector<std::unique_ptr<Thread>> threads_;
    std::vector<LatencyRecord> records_;
};

}  // namespace emissary::perf

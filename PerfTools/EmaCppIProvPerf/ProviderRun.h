// The main thread of EmaCppIProvPerf: starts the provider threads, watches them and reports.
#pragma once
#include "ProviderWorker.h"
#include "Report.h"
#include "ResourceSampler.h"

#include <memory>
#include <vector>

namespace emissary::perf {

/// One run, from the start of the threads to the summary.
class ProviderRun {
public:
    /// Opens the output files; throws InputError.
    ProviderRun(const ProviderSettings& settings, const MessageData& messages);
    /// Returns the exit code of the program.
    int run();

private:
    // What the main thread keeps for one worker.
    struct Thread {
        Thread(const ProviderSettings& settings, std::size_t number, const MessageData& messages);
        std::unique_ptr<ProviderWorker> worker;
        TextFile stats;
        std::unique_ptr<LatencyFile> latencyLog;
        std::unique_ptr<LatencySet> interval;  // since the last line
        std::unique_ptr<LatencySet> totals;    // of the whole run
        ValueStatistics encodeTimes, decodeTimes;
        ValueStatistics allEncodeTimes, allDecodeTimes;
        CounterDelta requests, images, updates, updatesDropped, posts, reflected, reflectedOffStream, closes;
        CounterDelta genericsSent, genericsReceived, genericLatencies;
    };

    void watch();
    void drainLatencies();
    void sample(std::int64_t now, const ResourceSample& resources, bool isLast);
    void stopThreads();
    [[nodiscard]] static ProviderTotals totalsOf(const Thread& thread, double seconds);
    [[nodiscard]] std::string summary(double seconds);
    void say(const std::string& text);

    const ProviderSettings& settings_;
    TextFile summaryFile_;
    ResourceSampler sampler_;
    ResourceStatistics resources_;
    std::vector<std::unique_ptr<Thread>> threads_;
    std::vector<LatencyRecord> records_;
    std::int64_t start_ = 0;
    std::int64_t lastSample_ = 0;
    bool abandoned_ = false;  // a thread did not end in time
    std::string outcome_;
    bool failed_ = false;
};

}  // namespace emissary::perf

// The main thread of EmaCppNIProvPerf: starts the publishing threads, watches them and reports.
#pragma once
#include "PublisherWorker.h"
#include "Report.h"
#include "ResourceSampler.h"

#include <memory>
#include <vector>

namespace emissary::perf {

/// One run, from the start of the threads to the summary.
class PublisherRun {
public:
    /// Opens the output files; throws InputError.
    PublisherRun(const NiProviderSettings& settings, const ItemList& items, const MessageData& messages);
    /// Returns the exit code of the program.
    int run();

private:
    // What the main thread keeps for one worker.
    struct Thread {
        Thread(const NiProviderSettings& settings, std::size_t number, const ItemList& items,
               const MessageData& messages);
        std::unique_ptr<PublisherWorker> worker;
        TextFile stats;
        ValueStatistics encodeTimes, decodeTimes;        // since the last line
        ValueStatistics allEncodeTimes, allDecodeTimes;  // of the whole run
        CounterDelta images, updates, updatesDropped, closes, statuses;
    };

    void watch();
    void sample(std::int64_t now, const ResourceSample& resources, bool isLast);
    void stopThreads();
    [[nodiscard]] std::string summary() const;
    static void say(const std::string& text);

    const NiProviderSettings& settings_;
    TextFile summaryFile_;
    ResourceSampler sampler_;
    ResourceStatistics resources_;
    std::vector<std::unique_ptr<Thread>> threads_;
    std::int64_t start_ = 0;
    std::int64_t lastSample_ = 0;
    bool abandoned_ = false;  // a thread did not end in time
    std::string outcome_;
    bool failed_ = false;
};

}  // namespace emissary::perf

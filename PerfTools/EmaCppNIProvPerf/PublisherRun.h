// The main thread of EmaCppNIProvPerf: starts the publishing threads, watches them and reports.
#pragma once
#include "PublisherWorker.h"
#include "Run.h"

#include <memory>
#include <vector>

namespace emissary::perf {

/// One run, from the start of the threads to the summary.
class PublisherRun final : public WorkerRun {
public:
    /// Opens the output files; throws InputError.
    PublisherRun(const NiProviderSettings& settings, const ItemList& items, const MessageData& messages);

private:
    // What the main thread keeps for one worker.
    struct Thread {
        Thread(const NiProviderSettings& settings, std::size_t number, const ItemList& items,
               const MessageData& messages);
        std::unique_ptr<PublisherWorker> worker;
        TextFile stats;
        ValueStatistics encodeTimes, decodeTimes;        // since the last line
        ValueStatistics allEncodeTimes, allDecodeTimes;  // of the whole run
        LateTicks allLate;
        CounterDelta images, updates, updatesDropped, closes, statuses, packs, packed;
    };

    [[nodiscard]] bool over(std::int64_t now, std::string& outcome) override;
    void sampleThreads(const Sample& sample) override;
    [[nodiscard]] std::string summary(std::int64_t end) override;

    const NiProviderSettings& settings_;
    std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace emissary::perf

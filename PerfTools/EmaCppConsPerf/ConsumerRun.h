// The main thread of EmaCppConsPerf: starts the consumer threads, watches them and reports.
#pragma once
#include "ConsumerWorker.h"
#include "Run.h"

#include <memory>
#include <vector>

namespace emissary::perf {

/// One run, from the start of the threads to the summary.
class ConsumerRun final : public WorkerRun {
public:
    /// Opens the output files; throws InputError.
    ConsumerRun(const ConsumerSettings& settings, const ItemList& items, const MessageData& messages);

private:
    // What the main thread keeps for one worker.
    struct Client {
        Client(const ConsumerSettings& settings, std::size_t number, const ItemList& items,
               const MessageData& messages);
        std::unique_ptr<ConsumerWorker> worker;
        TextFile stats;
        std::unique_ptr<LatencyFile> latencyLog;
        std::unique_ptr<LatencySet> interval;  // since the last line
        std::unique_ptr<LatencySet> totals;    // of the whole run
        ValueStatistics decodeTimes;
        ValueStatistics tunnelBuffers;  // of the whole run
        CounterDelta images, updates, statuses, posts, postsDropped, generics, genericsDropped, genericsReceived,
            genericLatencies;
        bool imageTimeShown = false;
    };

    void startThreads() override;
    [[nodiscard]] bool over(std::int64_t now, std::string& outcome) override;
    void stopThreads(std::string& outcome) override;
    void sampleThreads(const Sample& sample) override;
    [[nodiscard]] std::string summary(std::int64_t end) override;
    [[nodiscard]] bool loaded() const;
    [[nodiscard]] std::int64_t firstRequest() const;
    [[nodiscard]] std::int64_t lastImage() const;
    void drainLatencies();
    void showProgress(std::int64_t now);
    void showOverallImageTime();
    void setTimes(ConsumerTotals& totals, std::int64_t first, std::int64_t last, std::int64_t end) const;
    [[nodiscard]] ConsumerTotals totalsOf(const Client& client, std::int64_t end) const;

    const ConsumerSettings& settings_;
    std::vector<std::unique_ptr<Client>> clients_;
    std::vector<LatencyRecord> records_;
    std::int64_t nextProgress_ = 0;
    std::int64_t lastProgress_ = 0;
    std::uint64_t lastProgressImages_ = 0;
    std::int64_t steadyStart_ = 0;
    bool overallImageTimeShown_ = false;
};

}  // namespace emissary::perf

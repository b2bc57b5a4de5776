// The main thread of EmaCppConsPerf: starts the consumer threads, watches them and reports.
#pragma once
#include "ConsumerWorker.h"
#include "Report.h"
#include "ResourceSampler.h"

#include <memory>
#include <vector>

namespace emissary::perf {

/// One run, from the start of the threads to the summary.
class ConsumerRun {
public:
    /// Opens the output files; throws InputError.
    ConsumerRun(const ConsumerSettings& settings, const ItemList& items, const MessageData& messages);
    /// Returns the exit code of the program.
    int run();

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
        CounterDelta images, updates, statuses, posts, postsDropped, generics, genericsReceived, genericLatencies;
        bool imageTimeShown = false;
    };

    void watch();
    [[nodiscard]] bool loaded() const;
    [[nodiscard]] std::int64_t firstRequest() const;
    [[nodiscard]] std::int64_t lastImage() const;
    void drainLatencies();
    void showProgress(std::int64_t now);
    void sample(std::int64_t now, const ResourceSample& resources, bool isLast);
    void showOverallImageTime();
    void stopThreads();
    [[nodiscard]] ConsumerTotals totalsOf(const Client& client, std::int64_t end) const;
    [[nodiscard]] std::string summary(std::int64_t end);
    void say(const std::string& text);

    const ConsumerSettings& settings_;
    TextFile summaryFile_;
    ResourceSampler sampler_;
    ResourceStatistics resources_;
    std::vector<std::unique_ptr<Client>> clients_;
    std::vector<LatencyRecord> records_;
    std::int64_t start_ = 0;
    std::int64_t lastSample_ = 0;
    std::int64_t nextProgress_ = 0;
    std::int64_t lastProgress_ = 0;
    std::uint64_t lastProgressImages_ = 0;
    std::int64_t steadyStart_ = 0;
    bool overallImageTimeShown_ = false;
    bool abandoned_ = false;  // a thread did not end in time
    std::string outcome_;
    bool failed_ = false;
};

}  // namespace emissary::perf

// The main thread of a tool: starts the working threads, samples their counters, reports how the run ended.
#pragma once
#include "Report.h"
#include "ResourceSampler.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::perf {

class Worker;

/// One run, from the start of the threads to the summary. Everything happens on the thread that calls run().
class Run {
public:
    virtual ~Run() = default;
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    /// Returns the exit code of the program.
    int run();

protected:
    /// The interval that ends with this sample.
    struct Sample {
        std::int64_t now;          ///< nowNanos()
        double seconds;            ///< since the sample before
        std::uint64_t runSeconds;  ///< since the start, rounded
        std::string utc;
        const ResourceSample& resources;
        bool isRest;  ///< the short rest at the end is too short for rates: it goes into the totals only
    };

    /// Opens the summary; throws InputError. `inputs` are the `--- TEST INPUTS ---` lines. Both outlive the run.
    Run(const std::string& summaryFile, const std::string& inputs, std::uint32_t writeStatsSeconds)
        : inputs_(inputs), sampleNanos_(std::int64_t{writeStatsSeconds} * 1'000'000'000),
          summaryFile_(summaryFile, TextFile::Kind::whole) {}

    virtual void startThreads() = 0;
    /// True when the run is over; the reason is then in `outcome`. Asked again and again, at least every kLookNanos.
    [[nodiscard]] virtual bool over(std::int64_t now, std::string& outcome) = 0;
    /// Between two looks.
    virtual void wait(std::int64_t until);
    /// Ends the threads. What went wrong in them is added to `outcome`.
    virtual void stopThreads(std::string& outcome) = 0;
    virtual void sampleThreads(const Sample& sample) = 0;
    virtual void tellOutcome(const std::string& outcome) { say("\n" + outcome); }
    /// The end of the threads' work, up to which rates are computed. `told` is the time at which they were asked to
    /// stop.
    [[nodiscard]] virtual std::int64_t workEnd(std::int64_t told) const { return told; }
    /// Prints the summaries behind the inputs; `end` is workEnd().
    [[nodiscard]] virtual std::string summary(std::int64_t end) = 0;

    static void say(const std::string& text);
    [[nodiscard]] std::int64_t start() const noexcept { return start_; }
    [[nodiscard]] double secondsUntil(std::int64_t end) const noexcept {
        return static_cast<double>(end - start_) / 1e9;
    }
    [[nodiscard]] const ResourceStatistics& resources() const noexcept { return resources_; }
    /// True, with the outcome, once that many seconds have passed since the start.
    [[nodiscard]] bool runTimeIsOver(std::int64_t now, std::uint32_t seconds, std::string& outcome) const;

    bool failed_ = false;     ///< the exit code is that of a failure, and the outcome stands in the summary's file, too
    bool abandoned_ = false;  ///< a thread did not end in time: the program leaves without waiting for it
    const char* beforeInputs_ = "--- TEST INPUTS ---\n";
    std::int64_t lookNanos_ = 50'000'000;  ///< between two looks

private:
    void watch();
    void sample(std::int64_t now, const ResourceSample& resources, bool isLast);

    const std::string& inputs_;
    const std::int64_t sampleNanos_;
    TextFile summaryFile_;
    ResourceSampler sampler_;
    ResourceStatistics resources_;
    std::int64_t start_ = 0;
    std::int64_t lastSample_ = 0;
    std::string outcome_;
};

/// A run whose threads are Workers.
class WorkerRun : public Run {
protected:
    using Run::Run;
    /// The workers, in the order of their numbers; owned by the derived class.
    void add(Worker& worker) { workers_.push_back(&worker); }
    void startThreads() override;
    /// Reports dropped messages on the console, the first time that there are any.
    void tellForeignStamps(const ForeignStamps& stamps);
    /// True when a worker failed, or ended its test early.
    [[nodiscard]] bool workersAreOver(std::string& outcome);
    /// Asks all workers to end and waits for them, up to a limit.
    void finishWorkers();
    void stopThreads(std::string& outcome) override;
    [[nodiscard]] std::int64_t workEnd(std::int64_t told) const override;

private:
    bool foreignStampsTold_ = false;
    std::vector<Worker*> workers_;
};

}  // namespace emissary::perf

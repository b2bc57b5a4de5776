// The end of a run: until when rates are taken, and what happens to files that cannot be written.
#include "Clock.h"
#include "Run.h"
#include "TempDir.h"
#include "Worker.h"
#include "emissary/Counter.h"
#include "support/catch.hpp"

using namespace emissary::perf;

namespace {

// Goes on for a while after it was told to stop, as a thread does that waits for its next tick.
class SlowWorker final : public Worker {
public:
    using Worker::Worker;
    emissary::Counter done;

private:
    void run() override {
        while (!stopping())
            sleepUntil(nowNanos() + 1'000'000);
        lastWork = nowNanos() + 50'000'000;
        sleepUntil(lastWork);
        done.add();
    }
    void release() override {}

public:
    std::int64_t lastWork = 0;
};

class OneRun final : public WorkerRun {
public:
    OneRun(const std::string& summaryFile, SlowWorker& worker, TextFile* stats = nullptr)
        : WorkerRun(summaryFile, inputs_, 1), worker_(worker), stats_(stats) {
        add(worker);
    }
    std::int64_t lastSample = 0, endOfSummary = 0;
    std::uint64_t lastCount = 0;

private:
    [[nodiscard]] bool over(std::int64_t, std::string& outcome) override {
        outcome = "Over.\n";
        return true;
    }
    void sampleThreads(const Sample& sample) override {
        lastSample = sample.now;
        lastCount = worker_.done.get();
        if (stats_ != nullptr) stats_->write("a row\n");
    }
    [[nodiscard]] std::string summary(std::int64_t end) override {
        endOfSummary = end;
        return "summary\n";
    }

    const std::string inputs_ = "inputs\n";
    SlowWorker& worker_;
    TextFile* stats_;
};

[[nodiscard]] CommonSettings oneThread() {
    CommonSettings settings;
    settings.threads.resize(1);
    return settings;
}

}  // namespace

TEST_CASE("rates are taken until the workers have stopped, as their counts are", "[perftools]") {
    const test::TempDir dir;
    const CommonSettings settings = oneThread();
    SlowWorker worker(settings, "slow", 1);
    OneRun run(dir.file("summary"), worker);
    CHECK(run.run() == 0);
    CHECK(run.lastCount == 1);
    CHECK(run.lastSample >= worker.lastWork);
    CHECK(run.endOfSummary >= worker.lastWork);
}

TEST_CASE("files that cannot be written fail the run", "[perftools]") {
    REQUIRE_FALSE(outputFailed());
    const test::TempDir dir;
    const CommonSettings settings = oneThread();
    SlowWorker worker(settings, "slow", 1);
    TextFile stats("/dev/full");
    OneRun run(dir.file("summary"), worker, &stats);
    CHECK(run.run() == 255);
    CHECK(outputFailed());
}

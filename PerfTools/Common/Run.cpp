// PerfTools/Common: starts threads, takes samples until the end of the run, and stops everything in order.
#include "Run.h"

#include "Clock.h"
#include "RunRecord.h"
#include "StopSignal.h"
#include "Text.h"
#include "Worker.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace emissary::perf {

namespace {

// A shell's view of -1, with which the guide says that a failed test ends (perftools.md 1).
constexpr int kFailure = 255;
constexpr std::int64_t kJoinNanos = 5 * kNanosPerSecond;
constexpr std::int64_t kShortestSample = kNanosPerSecond / 2;

// For the last line of the output, which is the one that everybody reads.
std::string oneLine(const std::string& text) {
    std::string line;
    for (const char c : text) {
        if (c != '\n') line += c;
        else if (!line.empty() && line.back() != ' ') line += ' ';
    }
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return line;
}

}  // namespace

void Run::say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

int Run::run() {
    // The order matters: the record of machine and build first, while nothing runs; the last sample while threads still
    // hold their memory; the summary only after they have stopped counting.
    start_ = lastSample_ = nowNanos();
    const std::string record = runRecord();
    startThreads();
    watch();
    const std::int64_t told = nowNanos();
    const ResourceSample resources = sampler_.sample();  // before the threads give back what they hold
    stopThreads(outcome_);
    const std::int64_t end = workEnd(told);
    sample(end, resources, true);
    tellOutcome(outcome_);
    const std::string text = summary(end);
    say(text);
    summaryFile_.write(beforeInputs_ + inputs_ + "\n" + (failed_ ? outcome_ + "\n" : "") + text + "\n" + record);
    const int code = failed_ || outputFailed() ? kFailure : 0;
    if (code != 0) say("\n" + oneLine(failed_ ? outcome_ : outputFailure()) + "\n");
    // A thread that does not end may still use what destructors would free. Buffers are written, then the process goes.
    if (abandoned_) {
        std::fflush(nullptr);
        _exit(code);
    }
    return code;
}

// Waits until the run is over, for whatever reason; the reason is in outcome_.
void Run::watch() {
    std::int64_t nextSample = start_ + sampleNanos_;
    while (true) {
        const std::int64_t now = nowNanos();
        const bool isOver = over(now, outcome_);
        if (now >= nextSample) {
            sample(nowNanos(), sampler_.sample(), false);
            nextSample += sampleNanos_;
        }
        if (isOver) return;
        if (stopRequested()) {
            outcome_ = "Stopped by the user.\n";
            return;
        }
        wait(std::min(now + lookNanos_, nextSample));
    }
}

void Run::wait(std::int64_t until) {
    sleepUntil(until);
}

bool Run::runTimeIsOver(std::int64_t now, std::uint32_t seconds, std::string& outcome) const {
    if (now < start_ + std::int64_t{seconds} * kNanosPerSecond) return false;
    outcome = "Run time of " + std::to_string(seconds) + " seconds has expired.\n";
    return true;
}

void Run::sample(std::int64_t now, const ResourceSample& resources, bool isLast) {
    // A rate over a few milliseconds says nothing: the rest of a run is counted in the totals, but is no row of its
    // own.
    const bool isRest = isLast && now - lastSample_ < kShortestSample && resources_.cpu.count() != 0;
    if (!isRest) resources_.add(resources);
    sampleThreads({.now = now,
                   .seconds = static_cast<double>(now - lastSample_) / 1e9,
                   .runSeconds = static_cast<std::uint64_t>((now - start_ + kNanosPerSecond / 2) / kNanosPerSecond),
                   .utc = utcNow(),
                   .resources = resources,
                   .isRest = isRest});
    lastSample_ = now;
}

void WorkerRun::startThreads() {
    for (Worker* worker : workers_)
        worker->start();
}

void WorkerRun::tellForeignStamps(const ForeignStamps& stamps) {
    if (stamps.count == 0 || foreignStampsTold_) return;
    foreignStampsTold_ = true;
    say(foreignStampsLine(stamps));
}

bool WorkerRun::workersAreOver(std::string& outcome) {
    for (Worker* worker : workers_) {
        if (const std::string news = worker->takeNews(); !news.empty()) say(worker->name() + ": " + news + "\n");
        if (worker->failed()) return true;
        if (!worker->overBefore(outcome)) continue;
        failed_ = true;
        return true;
    }
    return false;
}

// A thread checks for the end only now and then: until it does, it still sends and receives.
std::int64_t WorkerRun::workEnd(std::int64_t told) const {
    std::int64_t end = told;
    for (const Worker* worker : workers_)
        end = std::max(end, worker->workedUntil());
    return end;
}

void WorkerRun::finishWorkers() {
    for (Worker* worker : workers_)
        // All are asked before any is waited for, so that the whole takes as long as the slowest.
        worker->finish();
    for (Worker* worker : workers_)
        if (!worker->join(nowNanos() + kJoinNanos)) abandoned_ = true;
}

void WorkerRun::stopThreads(std::string& outcome) {
    finishWorkers();
    for (const Worker* worker : workers_) {
        if (!worker->failed()) continue;
        failed_ = true;
        outcome += "ERROR: TEST FAILED due to error from " + worker->name() + ": " + worker->failure() + "\n";
    }
}

}  // namespace emissary::perf

#include "PublisherRun.h"

#include "Clock.h"
#include "StopSignal.h"
#include "Text.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace emissary::perf {

namespace {

constexpr std::int64_t kLookNanos = 20'000'000;
constexpr std::int64_t kJoinNanos = 5 * kNanosPerSecond;
constexpr std::int64_t kShortestSample = kNanosPerSecond / 2;

}  // namespace

PublisherRun::Thread::Thread(const NiProviderSettings& settings, std::size_t number, const ItemList& items,
                             const MessageData& messages)
    : worker(std::make_unique<PublisherWorker>(settings, number, items, messages)),
      stats(numberedCsv(settings.statsFile, number)) {
    stats.write(niProviderCsvHeader());
}

PublisherRun::PublisherRun(const NiProviderSettings& settings, const ItemList& items, const MessageData& messages)
    : settings_(settings), summaryFile_(settings.summaryFile) {
    for (std::size_t number = 1; number <= settings.threads.size(); ++number)
        threads_.push_back(std::make_unique<Thread>(settings, number, items, messages));
}

void PublisherRun::say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

int PublisherRun::run() {
    start_ = lastSample_ = nowNanos();
    for (auto& thread : threads_)
        thread->worker->start();
    watch();
    const std::int64_t end = nowNanos();
    const ResourceSample resources = sampler_.sample();  // before the threads give back what they hold
    stopThreads();
    sample(end, resources, true);
    for (const auto& thread : threads_) {
        if (!thread->worker->failed()) continue;
        failed_ = true;
        outcome_ +=
            "ERROR: TEST FAILED due to error from " + thread->worker->name() + ": " + thread->worker->failure() + "\n";
    }
    say("\n" + outcome_);
    const std::string text = summary();
    say(text);
    const bool ended = failed_ || std::any_of(threads_.begin(), threads_.end(),
                                              [](const auto& t) { return t->worker->disconnected(); });
    summaryFile_.write("--- TEST INPUTS ---\n" + settings_.testInputs + "\n" + (ended ? outcome_ + "\n" : "") + text);
    const int code = failed_ ? 255 : 0;
    if (abandoned_) {  // a thread is still inside the library: leave without waiting for it
        std::fflush(nullptr);
        _exit(code);
    }
    return code;
}

// Until the run time is over, or something ends the run; the reason is in outcome_.
void PublisherRun::watch() {
    const std::int64_t interval = std::int64_t{settings_.writeStatsSeconds} * kNanosPerSecond;
    const std::int64_t end = start_ + std::int64_t{settings_.runSeconds} * kNanosPerSecond;
    std::int64_t nextSample = start_ + interval;
    while (true) {
        const std::int64_t now = nowNanos();
        if (now >= nextSample) {
            sample(now, sampler_.sample(), false);
            nextSample += interval;
        }
        if (stopRequested()) {
            outcome_ = "Stopped by the user.\n";
            return;
        }
        for (const auto& thread : threads_) {
            if (thread->worker->failed()) return;
            if (!thread->worker->disconnected()) continue;
            outcome_ = "The connection of " + thread->worker->name() + " was lost: the test is over.\n";
            return;
        }
        if (now >= end) {
            outcome_ = "Run time of " + std::to_string(settings_.runSeconds) + " seconds has expired.\n";
            return;
        }
        sleepUntil(std::min({now + kLookNanos, nextSample, end}));
    }
}

void PublisherRun::sample(std::int64_t now, const ResourceSample& resources, bool isLast) {
    // The short rest of an interval at the end says nothing about rates: it goes into the totals only.
    const bool isRest = isLast && now - lastSample_ < kShortestSample && resources_.cpu.count() != 0;
    if (!isRest) resources_.add(resources);
    const std::string utc = utcNow();
    const auto runSeconds = static_cast<std::uint64_t>((now - start_ + kNanosPerSecond / 2) / kNanosPerSecond);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Thread& thread = *threads_[i];
        PublisherWorker& worker = *thread.worker;
        thread.encodeTimes = worker.encodeTimes().drain();
        thread.decodeTimes = worker.decodeTimes().drain();
        thread.allEncodeTimes.merge(thread.encodeTimes);
        thread.allDecodeTimes.merge(thread.decodeTimes);
        NiProviderInterval interval;
        interval.seconds = static_cast<double>(now - lastSample_) / 1e9;
        interval.images = thread.images.take(worker.sent().images);
        interval.totalImages = worker.sent().images.get();
        interval.updates = thread.updates.take(worker.sent().updates);
        interval.updatesDropped = thread.updatesDropped.take(worker.sent().updatesDropped);
        interval.closes = thread.closes.take(worker.received().closes);
        interval.statuses = thread.statuses.take(worker.received().statuses);
        interval.encode = &thread.encodeTimes;
        interval.decode = &thread.decodeTimes;
        if (isRest) continue;
        thread.stats.write(niProviderCsvRow(utc, interval, resources));
        if (settings_.displayStats)
            say(niProviderConsole(runSeconds, threads_.size() > 1 ? i + 1 : 0, interval, resources));
    }
    lastSample_ = now;
}

void PublisherRun::stopThreads() {
    for (auto& thread : threads_)
        thread->worker->finish();
    for (auto& thread : threads_)
        if (!thread->worker->join(nowNanos() + kJoinNanos)) abandoned_ = true;
}

std::string PublisherRun::summary() const {
    std::string out;
    NiProviderTotals overall;
    ValueStatistics encode;
    ValueStatistics decode;
    overall.encode = &encode;
    overall.decode = &decode;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const Thread& thread = *threads_[i];
        NiProviderTotals totals;
        totals.images = thread.worker->sent().images.get();
        totals.updates = thread.worker->sent().updates.get();
        totals.encode = &thread.allEncodeTimes;
        totals.decode = &thread.allDecodeTimes;
        if (threads_.size() > 1)
            out += "--- THREAD " + std::to_string(i + 1) + " SUMMARY ---\n" + niProviderSummary(totals, nullptr) + "\n";
        encode.merge(thread.allEncodeTimes);
        decode.merge(thread.allDecodeTimes);
        overall.images += totals.images;
        overall.updates += totals.updates;
    }
    return out + "--- OVERALL SUMMARY ---\n" + niProviderSummary(overall, &resources_);
}

}  // namespace emissary::perf

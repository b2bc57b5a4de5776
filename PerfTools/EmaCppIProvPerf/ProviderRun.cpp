#include "ProviderRun.h"

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

ProviderRun::Thread::Thread(const ProviderSettings& settings, std::size_t number, const MessageData& messages)
    : worker(std::make_unique<ProviderWorker>(settings, number, messages)),
      stats(numberedCsv(settings.statsFile, number)), interval(std::make_unique<LatencySet>()),
      totals(std::make_unique<LatencySet>()) {
    if (!settings.latencyFile.empty())
        latencyLog = std::make_unique<LatencyFile>(numberedCsv(settings.latencyFile, number));
    stats.write(providerCsvHeader());
}

ProviderRun::ProviderRun(const ProviderSettings& settings, const MessageData& messages)
    : settings_(settings), summaryFile_(settings.summaryFile) {
    for (std::size_t number = 1; number <= settings.threads.size(); ++number)
        threads_.push_back(std::make_unique<Thread>(settings, number, messages));
}

void ProviderRun::say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

int ProviderRun::run() {
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
    const std::string text = summary(static_cast<double>(end - start_) / 1e9);
    say(text);
    summaryFile_.write("--- TEST INPUTS ---\n" + settings_.testInputs + "\n" + (failed_ ? outcome_ + "\n" : "") + text);
    const int code = failed_ ? 255 : 0;
    if (abandoned_) {  // a thread is still inside the library: leave without waiting for it
        std::fflush(nullptr);
        _exit(code);
    }
    return code;
}

// Until the run time is over, or something ends the run; the reason is in outcome_.
void ProviderRun::watch() {
    const std::int64_t interval = std::int64_t{settings_.writeStatsSeconds} * kNanosPerSecond;
    const std::int64_t end = start_ + std::int64_t{settings_.runSeconds} * kNanosPerSecond;
    std::int64_t nextSample = start_ + interval;
    while (true) {
        const std::int64_t now = nowNanos();
        drainLatencies();
        if (now >= nextSample) {
            sample(now, sampler_.sample(), false);
            nextSample += interval;
        }
        if (stopRequested()) {
            outcome_ = "Stopped by the user.\n";
            return;
        }
        if (std::any_of(threads_.begin(), threads_.end(), [](const auto& t) { return t->worker->failed(); })) return;
        if (now >= end) {
            outcome_ = "Run time of " + std::to_string(settings_.runSeconds) + " seconds has expired.\n";
            return;
        }
        sleepUntil(std::min({now + kLookNanos, nextSample, end}));
    }
}

void ProviderRun::drainLatencies() {
    for (auto& thread : threads_) {
        if (!thread->latencyLog) continue;
        thread->worker->latencies().drainRecords(records_);
        thread->latencyLog->write(records_);
    }
}

void ProviderRun::sample(std::int64_t now, const ResourceSample& resources, bool isLast) {
    // The short rest of an interval at the end says nothing about rates: it goes into the totals only.
    const bool isRest = isLast && now - lastSample_ < kShortestSample && resources_.cpu.count() != 0;
    if (!isRest) resources_.add(resources);
    const std::string utc = utcNow();
    const auto runSeconds = static_cast<std::uint64_t>((now - start_ + kNanosPerSecond / 2) / kNanosPerSecond);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Thread& thread = *threads_[i];
        ProviderWorker& worker = *thread.worker;
        thread.interval->clear();
        worker.latencies().drain(*thread.interval);
        thread.totals->merge(*thread.interval);
        thread.encodeTimes = worker.encodeTimes().drain();
        thread.decodeTimes = worker.decodeTimes().drain();
        thread.allEncodeTimes.merge(thread.encodeTimes);
        thread.allDecodeTimes.merge(thread.decodeTimes);
        const ProviderWorker::Received& received = worker.received();
        const ProviderWorker::Sent& sent = worker.sent();
        ProviderInterval interval;
        interval.seconds = static_cast<double>(now - lastSample_) / 1e9;
        interval.requests = thread.requests.take(received.requests);
        interval.totalRequests = received.requests.get();
        interval.images = thread.images.take(sent.images);
        interval.totalImages = sent.images.get();
        interval.updates = thread.updates.take(sent.updates);
        interval.updatesDropped = thread.updatesDropped.take(sent.updatesDropped);
        interval.posts = thread.posts.take(received.posts);
        interval.postsReflected =
            thread.reflected.take(received.postsReflected) + thread.reflectedOffStream.take(sent.postsReflected);
        interval.closes = thread.closes.take(received.closes);
        interval.genericsSent = thread.genericsSent.take(sent.generics);
        interval.genericsReceived = thread.genericsReceived.take(received.generics);
        interval.genericLatenciesSent = thread.genericLatencies.take(sent.genericLatencies);
        interval.generic = &thread.interval->of(LatencyKind::generic, LatencyPhase::steady);
        interval.encode = &thread.encodeTimes;
        interval.decode = &thread.decodeTimes;
        if (isRest) continue;
        thread.stats.write(providerCsvRow(utc, interval, resources));
        if (settings_.displayStats)
            say(providerConsole(runSeconds, threads_.size() > 1 ? i + 1 : 0, interval, resources, settings_.nanoTime));
    }
    lastSample_ = now;
}

void ProviderRun::stopThreads() {
    for (auto& thread : threads_)
        thread->worker->finish();
    for (auto& thread : threads_)
        if (!thread->worker->join(nowNanos() + kJoinNanos)) abandoned_ = true;
    drainLatencies();
}

ProviderTotals ProviderRun::totalsOf(const Thread& thread, double seconds) {
    const ProviderWorker& worker = *thread.worker;
    ProviderTotals totals;
    totals.seconds = seconds;
    totals.requests = worker.received().requests.get();
    totals.updates = worker.sent().updates.get();
    totals.posts = worker.received().posts.get();
    totals.postsReflected = worker.received().postsReflected.get() + worker.sent().postsReflected.get();
    totals.genericsSent = worker.sent().generics.get();
    totals.genericsReceived = worker.received().generics.get();
    totals.genericLatenciesSent = worker.sent().genericLatencies.get();
    totals.latencies = thread.totals.get();
    totals.encode = &thread.allEncodeTimes;
    totals.decode = &thread.allDecodeTimes;
    return totals;
}

std::string ProviderRun::summary(double seconds) {
    const bool generic = settings_.genericRate != 0;
    std::string out;
    ProviderTotals overall;
    ValueStatistics encode;
    ValueStatistics decode;
    const auto latencies = std::make_unique<LatencySet>();
    overall.seconds = seconds;
    overall.latencies = latencies.get();
    overall.encode = &encode;
    overall.decode = &decode;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const ProviderTotals totals = totalsOf(*threads_[i], seconds);
        if (threads_.size() > 1)
            out += "--- THREAD " + std::to_string(i + 1) + " SUMMARY ---\n" +
                   providerSummary(totals, generic, nullptr) + "\n";
        latencies->merge(*totals.latencies);
        encode.merge(*totals.encode);
        decode.merge(*totals.decode);
        overall.requests += totals.requests;
        overall.updates += totals.updates;
        overall.posts += totals.posts;
        overall.postsReflected += totals.postsReflected;
        overall.genericsSent += totals.genericsSent;
        overall.genericsReceived += totals.genericsReceived;
        overall.genericLatenciesSent += totals.genericLatenciesSent;
    }
    return out + "--- OVERALL SUMMARY ---\n" + providerSummary(overall, generic, &resources_);
}

}  // namespace emissary::perf

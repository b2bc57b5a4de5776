// Starts threads, prints statistics, and writes the summary of a provider run.
#include "ProviderRun.h"

#include "Text.h"

namespace emissary::perf {

ProviderRun::Thread::Thread(const ProviderSettings& settings, std::size_t number, const MessageData& messages)
    : worker(std::make_unique<ProviderWorker>(settings, number, messages)),
      stats(numberedCsv(settings.statsFile, number)), interval(std::make_unique<LatencySet>()),
      totals(std::make_unique<LatencySet>()) {
    if (!settings.latencyFile.empty())
        latencyLog = std::make_unique<LatencyFile>(numberedCsv(settings.latencyFile, number));
    stats.write(providerCsvHeader());
}

ProviderRun::ProviderRun(const ProviderSettings& settings, const MessageData& messages)
    : WorkerRun(settings.summaryFile, settings.testInputs, settings.writeStatsSeconds), settings_(settings) {
    for (std::size_t number = 1; number <= settings.threads.size(); ++number) {
        threads_.push_back(std::make_unique<Thread>(settings, number, messages));
        add(*threads_.back()->worker);
    }
}

// Single latencies are written whenever the main thread looks, and not with the statistics: a second of full load is a
// hundred thousand records, which the worker holds under a lock until they are taken.
bool ProviderRun::over(std::int64_t now, std::string& outcome) {
    drainLatencies();
    return workersAreOver(outcome) || runTimeIsOver(now, settings_.runSeconds, outcome);
}

void ProviderRun::stopThreads(std::string& outcome) {
    WorkerRun::stopThreads(outcome);
    drainLatencies();
}

void ProviderRun::drainLatencies() {
    for (auto& thread : threads_) {
        if (!thread->latencyLog) continue;
        thread->worker->latencies().drainRecords(records_);
        thread->latencyLog->write(records_);
    }
}

void ProviderRun::sampleThreads(const Sample& sample) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Thread& thread = *threads_[i];
        ProviderWorker& worker = *thread.worker;
        // Taking empties the worker's figures. Totals are kept on this side, so that no figure is counted twice or
        // lost.
        thread.interval->clear();
        worker.latencies().drain(*thread.interval);
        thread.totals->merge(*thread.interval);
        thread.encodeTimes = worker.encodeTimes().drain();
        thread.decodeTimes = worker.decodeTimes().drain();
        thread.allEncodeTimes.merge(thread.encodeTimes);
        thread.allDecodeTimes.merge(thread.decodeTimes);
        thread.roundTrips = worker.roundTrips().drain();
        thread.allRoundTrips.merge(thread.roundTrips);
        const ValueStatistics tunnelBuffers = worker.tunnelBuffers().drain();
        thread.allTunnelBuffers.merge(tunnelBuffers);
        const ProviderWorker::Received& received = worker.received();
        const ProviderWorker::Sent& sent = worker.sent();
        ProviderInterval interval;
        interval.seconds = sample.seconds;
        // Counters only grow, written by the worker's thread; each of these remembers the last value seen and gives the
        // difference.
        interval.requests = thread.requests.take(received.requests);
        interval.totalRequests = received.requests.get();
        interval.images = thread.images.take(sent.images);
        interval.totalImages = sent.images.get();
        interval.updates = thread.updates.take(sent.updates);
        interval.dropped = {.updates = thread.updatesDropped.take(sent.updatesDropped),
                            .posts = 0,
                            .generics = thread.genericsDropped.take(sent.genericsDropped)};
        interval.late = worker.lateTicks().take();
        thread.allLate += interval.late;
        interval.packing = {.packs = thread.packs.take(sent.packs), .updates = thread.packed.take(sent.packed)};
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
        interval.roundTrip = &thread.roundTrips;
        tellForeignStamps(thread.worker->latencies().foreign());
        thread.stats.write(droppedCsv(sample.utc, interval.dropped) + lateTicksCsv(sample.utc, interval.late));
        // What remained after the last interval is in the totals, but is too short for a rate.
        if (sample.isRest) continue;
        thread.stats.write(providerCsvRow(sample.utc, interval, sample.resources));
        if (settings_.displayStats)
            say(providerConsole(sample.runSeconds, threads_.size() > 1 ? i + 1 : 0, interval, sample.resources,
                                settings_.nanoTime) +
                tunnelBuffersLine(tunnelBuffers));
    }
}

ProviderTotals ProviderRun::totalsOf(const Thread& thread, double seconds) {
    const ProviderWorker& worker = *thread.worker;
    ProviderTotals totals;
    totals.seconds = seconds;
    totals.requests = worker.received().requests.get();
    totals.updates = worker.sent().updates.get();
    totals.posts = worker.received().posts.get();
    // Posts on item streams are answered in the callback, posts on the login stream by the sender: two counters, one
    // figure.
    totals.postsReflected = worker.received().postsReflected.get() + worker.sent().postsReflected.get();
    totals.genericsSent = worker.sent().generics.get();
    totals.genericsReceived = worker.received().generics.get();
    totals.genericLatenciesSent = worker.sent().genericLatencies.get();
    totals.dropped = {
        .updates = worker.sent().updatesDropped.get(), .posts = 0, .generics = worker.sent().genericsDropped.get()};
    totals.late = thread.allLate;
    totals.packing = {.packs = worker.sent().packs.get(), .updates = worker.sent().packed.get()};
    totals.latencies = thread.totals.get();
    totals.encode = &thread.allEncodeTimes;
    totals.decode = &thread.allDecodeTimes;
    totals.roundTrip = &thread.allRoundTrips;
    return totals;
}

std::string ProviderRun::summary(std::int64_t end) {
    const double seconds = secondsUntil(end);
    const bool generic = settings_.genericRate != 0;
    std::string out;
    ProviderTotals overall;
    ForeignStamps foreign;
    LibraryCounts library;
    ValueStatistics encode;
    ValueStatistics decode;
    ValueStatistics roundTrip;
    ValueStatistics tunnelBuffers;
    // A set holds six histograms of 35 KB each: not for the stack.
    const auto latencies = std::make_unique<LatencySet>();
    overall.seconds = seconds;
    overall.stampedWhenDue = settings_.stampWhenDue;
    overall.latencies = latencies.get();
    overall.encode = &encode;
    overall.decode = &decode;
    overall.roundTrip = &roundTrip;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        ProviderTotals totals = totalsOf(*threads_[i], seconds);
        totals.stampedWhenDue = overall.stampedWhenDue;
        if (threads_.size() > 1)
            out += "--- THREAD " + std::to_string(i + 1) + " SUMMARY ---\n" +
                   providerSummary(totals, generic, nullptr) + "\n";
        library += threads_[i]->worker->libraryCounts();
        latencies->merge(*totals.latencies);
        foreign += threads_[i]->worker->latencies().foreign();
        encode.merge(*totals.encode);
        decode.merge(*totals.decode);
        roundTrip.merge(*totals.roundTrip);
        tunnelBuffers.merge(threads_[i]->allTunnelBuffers);
        overall.requests += totals.requests;
        overall.updates += totals.updates;
        overall.packing += totals.packing;
        overall.dropped += totals.dropped;
        overall.late += totals.late;
        overall.posts += totals.posts;
        overall.postsReflected += totals.postsReflected;
        overall.genericsSent += totals.genericsSent;
        overall.genericsReceived += totals.genericsReceived;
        overall.genericLatenciesSent += totals.genericLatenciesSent;
    }
    return foreignStampsLine(foreign) + out + "--- OVERALL SUMMARY ---\n" +
           providerSummary(overall, generic, &resources()) + tunnelBuffersLine(tunnelBuffers) + library.line();
}

}  // namespace emissary::perf

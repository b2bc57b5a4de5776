// Starts threads, prints statistics, and writes the summary of a publisher run.
#include "PublisherRun.h"

#include "Text.h"

namespace emissary::perf {

PublisherRun::Thread::Thread(const NiProviderSettings& settings, std::size_t number, const ItemList& items,
                             const MessageData& messages)
    : worker(std::make_unique<PublisherWorker>(settings, number, items, messages)),
      stats(numberedCsv(settings.statsFile, number)) {
    stats.write(niProviderCsvHeader());
}

PublisherRun::PublisherRun(const NiProviderSettings& settings, const ItemList& items, const MessageData& messages)
    : WorkerRun(settings.summaryFile, settings.testInputs, settings.writeStatsSeconds), settings_(settings) {
    for (std::size_t number = 1; number <= settings.threads.size(); ++number) {
        threads_.push_back(std::make_unique<Thread>(settings, number, items, messages));
        add(*threads_.back()->worker);
    }
}

bool PublisherRun::over(std::int64_t now, std::string& outcome) {
    if (workersAreOver(outcome)) return true;
    if (!runTimeIsOver(now, settings_.runSeconds, outcome)) return false;
    for (const auto& thread : threads_) {
        const PublisherWorker& worker = *thread->worker;
        const std::uint64_t images = worker.sent().images.get();
        // A run that never sent all images has measured something else: it fails, with what it was waiting for.
        if (images >= worker.itemCount()) continue;
        failed_ = true;
        const std::string wait = worker.waitsFor();
        outcome += "Error: " + worker.name() + " has sent " + std::to_string(images) + " of " +
                   std::to_string(worker.itemCount()) + " images" +
                   (wait.empty() ? ".\n" : ": it found no server. It waited for " + wait + ".\n");
    }
    return true;
}

void PublisherRun::sampleThreads(const Sample& sample) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Thread& thread = *threads_[i];
        PublisherWorker& worker = *thread.worker;
        thread.encodeTimes = worker.encodeTimes().drain();
        thread.decodeTimes = worker.decodeTimes().drain();
        thread.allEncodeTimes.merge(thread.encodeTimes);
        thread.allDecodeTimes.merge(thread.decodeTimes);
        NiProviderInterval interval;
        interval.seconds = sample.seconds;
        interval.images = thread.images.take(worker.sent().images);
        interval.totalImages = worker.sent().images.get();
        interval.updates = thread.updates.take(worker.sent().updates);
        interval.dropped.updates = thread.updatesDropped.take(worker.sent().updatesDropped);
        // Late ticks explain uneven rates, so they are shown beside them.
        interval.late = worker.lateTicks().take();
        thread.allLate += interval.late;
        interval.packing = {.packs = thread.packs.take(worker.sent().packs),
                            .updates = thread.packed.take(worker.sent().packed)};
        interval.closes = thread.closes.take(worker.received().closes);
        interval.statuses = thread.statuses.take(worker.received().statuses);
        interval.encode = &thread.encodeTimes;
        interval.decode = &thread.decodeTimes;
        // Counts of the connection, which the worker reads twice a second and leaves for this thread.
        const MulticastStatistics multicast = worker.multicast();
        if (settings_.multicastStats) interval.multicast = &multicast;
        thread.stats.write(droppedCsv(sample.utc, interval.dropped) + lateTicksCsv(sample.utc, interval.late));
        if (sample.isRest) continue;
        thread.stats.write(niProviderCsvRow(sample.utc, interval, sample.resources));
        if (settings_.displayStats)
            say(niProviderConsole(sample.runSeconds, threads_.size() > 1 ? i + 1 : 0, interval, sample.resources));
    }
}

std::string PublisherRun::summary(std::int64_t end) {
    std::string out;
    NiProviderTotals overall;
    LibraryCounts library;
    ValueStatistics encode;
    ValueStatistics decode;
    overall.encode = &encode;
    overall.decode = &decode;
    MulticastStatistics multicast;
    if (settings_.multicastStats) overall.multicast = &multicast;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const Thread& thread = *threads_[i];
        NiProviderTotals totals;
        totals.images = thread.worker->sent().images.get();
        totals.updates = thread.worker->sent().updates.get();
        // Without -recover a lost connection ends the test, and there is nothing to count.
        if (settings_.recover) totals.outages = thread.worker->outages(end);
        totals.dropped.updates = thread.worker->sent().updatesDropped.get();
        totals.late = thread.allLate;
        totals.stampedWhenDue = overall.stampedWhenDue = settings_.stampWhenDue;
        totals.packing = {.packs = thread.worker->sent().packs.get(), .updates = thread.worker->sent().packed.get()};
        totals.encode = &thread.allEncodeTimes;
        totals.decode = &thread.allDecodeTimes;
        const MulticastStatistics one = thread.worker->multicast();
        if (settings_.multicastStats) totals.multicast = &one;
        multicast += one;
        if (threads_.size() > 1)
            out += "--- THREAD " + std::to_string(i + 1) + " SUMMARY ---\n" + niProviderSummary(totals, nullptr) + "\n";
        library += thread.worker->libraryCounts();
        encode.merge(thread.allEncodeTimes);
        decode.merge(thread.allDecodeTimes);
        overall.packing += totals.packing;
        // Threads lose their connections together or alone: seconds without data are summed over threads.
        if (totals.outages) overall.outages = overall.outages.value_or(OutageTotals{}) += *totals.outages;
        overall.dropped += totals.dropped;
        overall.late += totals.late;
        overall.images += totals.images;
        overall.updates += totals.updates;
    }
    return out + "--- OVERALL SUMMARY ---\n" + niProviderSummary(overall, &resources()) + library.line();
}

}  // namespace emissary::perf

// Starts threads, prints statistics and progress, and writes the summary of a consumer run.
#include "ConsumerRun.h"

#include "Clock.h"
#include "Text.h"

#include <algorithm>

namespace emissary::perf {

namespace {

// A run with -steadyStateTime 0 ends with the last image; waiting for images is then limited by this.
constexpr std::uint32_t kDefaultImageSeconds = 300;

}  // namespace

ConsumerRun::Client::Client(const ConsumerSettings& settings, std::size_t number, const ItemList& items,
                            const MessageData& messages)
    : worker(std::make_unique<ConsumerWorker>(settings, number, items, messages)),
      stats(numberedCsv(settings.statsFile, number)), interval(std::make_unique<LatencySet>()),
      totals(std::make_unique<LatencySet>()) {
    if (!settings.latencyFile.empty())
        latencyLog = std::make_unique<LatencyFile>(numberedCsv(settings.latencyFile, number));
    stats.write(consumerCsvHeader());
}

// The inputs of every thread are printed once: threads of a run differ in their items only.
ConsumerRun::ConsumerRun(const ConsumerSettings& settings, const ItemList& items, const MessageData& messages)
    : WorkerRun(settings.summaryFile, settings.testInputs, settings.writeStatsSeconds), settings_(settings) {
    beforeInputs_ = "--- TEST INPUTS ---\n\n";
    for (std::size_t number = 1; number <= settings.threads.size(); ++number) {
        clients_.push_back(std::make_unique<Client>(settings, number, items, messages));
        add(*clients_.back()->worker);
    }
}

bool ConsumerRun::loaded() const {
    return std::all_of(clients_.begin(), clients_.end(), [](const auto& c) { return c->worker->imageEnd() != 0; });
}

std::int64_t ConsumerRun::firstRequest() const {
    std::int64_t first = 0;
    for (const auto& client : clients_) {
        const std::int64_t start = client->worker->imageStart();
        if (start != 0 && (first == 0 || start < first)) first = start;
    }
    return first;
}

std::int64_t ConsumerRun::lastImage() const {
    std::int64_t last = 0;
    for (const auto& client : clients_)
        last = std::max(last, client->worker->imageEnd());
    return last;
}

void ConsumerRun::startThreads() {
    nextProgress_ = start() + kNanosPerSecond;
    WorkerRun::startThreads();
}

bool ConsumerRun::over(std::int64_t now, std::string& outcome) {
    // Latencies are drained on each look, not once per statistics interval: the records of a thread have a fixed room.
    drainLatencies();
    showProgress(now);
    if (workersAreOver(outcome)) return true;
    if (steadyStart_ == 0 && loaded()) {
        steadyStart_ = now;
        // A snapshot has no updates after its image, so nothing is left to measure.
        if (settings_.snapshot) {
            outcome = "Received all images for snapshot test.\n";
            return true;
        }
        for (auto& client : clients_)
            // All threads begin together, after the slowest one: posts sent earlier would disturb the images of the
            // others.
            client->worker->beginSteadyState();
    }
    if (steadyStart_ != 0) {
        if (now < steadyStart_ + std::int64_t{settings_.steadyStateSeconds} * kNanosPerSecond) return false;
        outcome = "Steady state time of " + std::to_string(settings_.steadyStateSeconds) + " seconds has expired.\n";
        return true;
    }
    // Without a steady state the number of seconds says nothing about images: a fixed limit ends a run that never
    // loads.
    const std::uint32_t imageSeconds =
        settings_.steadyStateSeconds != 0 ? settings_.steadyStateSeconds : kDefaultImageSeconds;
    const std::int64_t first = firstRequest();
    // The limit counts from the first request, and a provider that starts late does not shorten the time for images.
    const std::int64_t begin = first != 0 ? first : start();  // nothing could be requested yet
    if (now < begin + std::int64_t{imageSeconds} * kNanosPerSecond) return false;
    outcome = "Error: Failed to receive all images within " + std::to_string(imageSeconds) + " seconds.\n";
    if (first == 0) outcome += "None was requested: the provider was not reached, or its service was not there.\n";
    // Each thread says what it still waits for: the sum would not show which connection has no images.
    for (const auto& client : clients_)
        outcome += client->worker->missing();
    failed_ = true;
    return true;
}

void ConsumerRun::stopThreads(std::string& outcome) {
    WorkerRun::stopThreads(outcome);
    // The threads have ended: this last drain has records that came after the last look.
    drainLatencies();
}

void ConsumerRun::drainLatencies() {
    for (auto& client : clients_) {
        if (!client->latencyLog) continue;
        client->worker->latencies().drainRecords(records_);
        client->latencyLog->write(records_);
    }
}

// One line a second while images load.
void ConsumerRun::showProgress(std::int64_t now) {
    if (!settings_.displayStats || now < nextProgress_) return;
    nextProgress_ += kNanosPerSecond;
    if (steadyStart_ != 0 || firstRequest() == 0) {
        lastProgress_ = now;
        return;
    }
    std::uint64_t images = 0;
    std::uint64_t wanted = 0;
    for (const auto& client : clients_) {
        images += client->worker->received().images.get();
        wanted += client->worker->itemCount();
    }
    const std::int64_t since = lastProgress_ != 0 ? lastProgress_ : firstRequest();
    const double seconds = static_cast<double>(now - since) / 1e9;
    say(progressLine(images, wanted, seconds > 0 ? static_cast<double>(images - lastProgressImages_) / seconds : 0.0));
    lastProgress_ = now;
    lastProgressImages_ = images;
}

// Main thread. Counters of the workers are read without a lock: each take() gives what came since the one before.
void ConsumerRun::sampleThreads(const Sample& sample) {
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        Client& client = *clients_[i];
        const ConsumerWorker& worker = *client.worker;
        client.interval->clear();
        client.worker->latencies().drain(*client.interval);
        client.totals->merge(*client.interval);
        client.decodeTimes = client.worker->decodeTimes().drain();
        const ValueStatistics tunnelBuffers = client.worker->tunnelBuffers().drain();
        client.tunnelBuffers.merge(tunnelBuffers);
        LatencySet& set = *client.interval;
        const auto both = [&](LatencyKind kind) -> const LatencySeries* {
            // One interval may contain both phases. Its row does not divide them; the summary does.
            set.of(kind, LatencyPhase::startup).merge(set.of(kind, LatencyPhase::steady));
            return &set.of(kind, LatencyPhase::startup);
        };
        ConsumerInterval interval;
        interval.seconds = sample.seconds;
        interval.images = client.images.take(worker.received().images);
        interval.updates = client.updates.take(worker.received().updates);
        interval.statuses = client.statuses.take(worker.received().statuses);
        interval.posts = client.posts.take(worker.sent().posts);
        interval.dropped = {.updates = 0,
                            .posts = client.postsDropped.take(worker.sent().postsDropped),
                            .generics = client.genericsDropped.take(worker.sent().genericsDropped)};
        interval.genericsSent = client.generics.take(worker.sent().generics);
        interval.genericsReceived = client.genericsReceived.take(worker.received().generics);
        interval.genericLatenciesSent = client.genericLatencies.take(worker.sent().genericLatencies);
        interval.update = both(LatencyKind::update);
        interval.post = both(LatencyKind::post);
        interval.generic = both(LatencyKind::generic);
        interval.decode = &client.decodeTimes;
        tellForeignStamps(client.worker->latencies().foreign());
        // Dropped messages are written for the rest interval too, whose row is left out: no lost message is hidden.
        client.stats.write(droppedCsv(sample.utc, interval.dropped));
        if (!sample.isRest) client.stats.write(consumerCsvRow(sample.utc, interval, sample.resources));
        if (!settings_.displayStats) continue;
        if (!sample.isRest)
            say(consumerConsole(sample.runSeconds, clients_.size() > 1 ? i + 1 : 0, interval, sample.resources,
                                settings_.nanoTime) +
                tunnelBuffersLine(tunnelBuffers));
        if (worker.imageEnd() != 0 && !client.imageTimeShown) {
            client.imageTimeShown = true;
            say(imageTimeLine(worker.itemCount(), static_cast<double>(worker.imageEnd() - worker.imageStart()) / 1e9));
        }
    }
    showOverallImageTime();
}

void ConsumerRun::showOverallImageTime() {
    if (overallImageTimeShown_ || clients_.size() < 2 || !settings_.displayStats || !loaded()) return;
    overallImageTimeShown_ = true;
    const std::uint64_t images = settings_.itemCount;  // what the threads' shares add up to
    const double seconds = static_cast<double>(lastImage() - firstRequest()) / 1e9;
    std::string line;
    appendf(line, "\nOverall image retrieval time for %d images: %.3fs (%.0f Images/s).\n\n", static_cast<int>(images),
            seconds, seconds > 0 ? static_cast<double>(images) / seconds : 0.0);
    say(line);
}

// Divides the run as the latencies are divided: updates within the delay behind the last image belong to startup.
// `first` request and
// `last` image are moments of nowNanos(), 0 when there was none.
void ConsumerRun::setTimes(ConsumerTotals& totals, std::int64_t first, std::int64_t last, std::int64_t end) const {
    const std::int64_t delay = std::int64_t{settings_.steadyStateDelayMs} * 1'000'000;
    const std::int64_t steadyFrom = last != 0 ? std::min(end, last + delay) : end;
    const auto seconds = [](std::int64_t nanos) { return static_cast<double>(nanos) / 1e9; };
    totals.steadyReached = steadyStart_ != 0 && last != 0;
    if (first != 0) totals.startupSeconds = seconds(steadyFrom - first);
    if (last != 0) totals.imageSeconds = seconds(last - first);
    totals.steadySeconds = seconds(end - steadyFrom);
    if (steadyStart_ != 0) totals.sendingSeconds = seconds(end - steadyStart_);
}

ConsumerTotals ConsumerRun::totalsOf(const Client& client, std::int64_t end) const {
    const ConsumerWorker& worker = *client.worker;
    const std::int64_t first = worker.imageStart();
    const std::int64_t last = worker.imageEnd();
    ConsumerTotals totals;
    setTimes(totals, first, last, end);
    totals.requests = worker.sent().requests.get();
    totals.images = worker.received().images.get();
    totals.refreshes = worker.received().refreshes.get();
    totals.updates = worker.received().updates.get();
    totals.setUpdateRates(worker.startupUpdates());
    totals.posts = worker.sent().posts.get();
    totals.genericsSent = worker.sent().generics.get();
    totals.genericsReceived = worker.received().generics.get();
    totals.genericLatenciesSent = worker.sent().genericLatencies.get();
    totals.dropped = {
        .updates = 0, .posts = worker.sent().postsDropped.get(), .generics = worker.sent().genericsDropped.get()};
    if (settings_.recover) totals.outages = worker.outages(end);
    totals.latencies = client.totals.get();
    return totals;
}

std::string ConsumerRun::summary(std::int64_t end) {
    ConsumerSummaryParts parts;
    parts.posting = settings_.postRate != 0;
    parts.generic = settings_.genericRate != 0;
    parts.snapshot = settings_.snapshot;
    std::string out;
    ConsumerTotals overall;
    ForeignStamps foreign;
    LibraryCounts library;
    ValueStatistics tunnelBuffers;
    const auto latencies = std::make_unique<LatencySet>();
    overall.latencies = latencies.get();
    // Rates of threads are added, because they ran side by side. Times are not: they come from the first request and
    // the last image of all threads.
    for (std::size_t i = 0; i < clients_.size(); ++i) {
        const ConsumerTotals totals = totalsOf(*clients_[i], end);
        if (clients_.size() > 1)
            out += "--- CLIENT " + std::to_string(i + 1) + " SUMMARY ---\n\n" + consumerSummary(totals, parts) + "\n";
        library += clients_[i]->worker->libraryCounts();
        tunnelBuffers.merge(clients_[i]->tunnelBuffers);
        latencies->merge(*totals.latencies);
        foreign += clients_[i]->worker->latencies().foreign();
        overall.startupUpdateRate += totals.startupUpdateRate;
        overall.steadyUpdateRate += totals.steadyUpdateRate;
        overall.requests += totals.requests;
        overall.images += totals.images;
        overall.refreshes += totals.refreshes;
        overall.updates += totals.updates;
        if (totals.outages) overall.outages = overall.outages.value_or(OutageTotals{}) += *totals.outages;
        overall.dropped += totals.dropped;
        overall.posts += totals.posts;
        overall.genericsSent += totals.genericsSent;
        overall.genericsReceived += totals.genericsReceived;
        overall.genericLatenciesSent += totals.genericLatenciesSent;
    }
    setTimes(overall, firstRequest(), loaded() ? lastImage() : 0, end);
    parts.resources = &resources();
    return foreignStampsLine(foreign) + out + "--- OVERALL SUMMARY ---\n\n" + consumerSummary(overall, parts) +
           tunnelBuffersLine(tunnelBuffers) + library.line();
}

}  // namespace emissary::perf

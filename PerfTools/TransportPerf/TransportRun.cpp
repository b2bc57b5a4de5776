// PerfTools/TransportPerf: accepts connections for all threads, and sums and reports their counters.
#include "TransportRun.h"

#include "Clock.h"
#include "InputError.h"
#include "Text.h"

#include <algorithm>
#include <poll.h>
#include <utility>

namespace emissary::perf {

using namespace messages;

using namespace eta::transport;

namespace {

[[nodiscard]] MulticastStatistics statisticsOf(const MulticastCounters& c) {
    return {c.multicastSent, c.multicastReceived, c.unicastSent, c.unicastReceived, c.gaps,
            c.requestsSent,  c.requestsReceived,  c.repairsSent, c.repairsReceived};
}

}  // namespace

TransportRun::TransportRun(const TransportPerfSettings& settings)
    : WorkerRun(settings.summaryFile, settings.testInputs, settings.writeStatsSeconds), settings_(settings) {
    if (settings.isServer) {
        eta::Refused refused;
        server_ = Server::bind(settings.bind, refused);
        if (!server_) throw InputError("Error: " + refused.text);
    }
    for (std::size_t number = 1; number <= settings.threads.size(); ++number) {
        auto thread = std::make_unique<Thread>();
        thread->worker = std::make_unique<TransportWorker>(settings, number, connected_);
        thread->stats =
            std::make_unique<TextFile>(settings.statsFile + std::to_string(number) + settings.statsSuffix + ".csv");
        thread->stats->write(transportCsvHeader());
        if (!settings.latencyFile.empty()) {
            thread->latencyFile = std::make_unique<TextFile>(numberedCsv(settings.latencyFile, number));
            thread->latencyFile->write(transportLatencyHeader());
        }
        add(*thread->worker);
        threads_.push_back(std::move(thread));
    }
}

void TransportRun::startThreads() {
    if (server_) say("Server bound on port " + std::to_string(server_->port()) + ".\n");
    WorkerRun::startThreads();
}

bool TransportRun::over(std::int64_t now, std::string& outcome) {
    for (const auto& thread : threads_)
        if (const std::string news = thread->worker->takeNews(); !news.empty()) say(news);
    if (runTimeIsOver(now, settings_.runSeconds, outcome)) return true;
    // One lost connection does not end a test of several: the others still measure.
    if (!std::all_of(threads_.begin(), threads_.end(), [](const auto& t) { return t->worker->failed(); })) return false;
    for (std::size_t i = 0; i < threads_.size(); ++i)
        outcome += "Connection of thread " + std::to_string(i + 1) + " ended: " + threads_[i]->worker->failure() + "\n";
    // A peer that leaves after an exchange ends the test; a peer that never came makes it fail.
    failed_ = std::all_of(threads_.begin(), threads_.end(), [](const auto& t) {
        return t->worker->counters().sent.get() + t->worker->counters().received.get() == 0;
    });
    return true;
}

void TransportRun::wait(std::int64_t until) {
    if (!server_) return sleepUntil(until);
    pollfd p{server_->fd(), POLLIN, 0};
    // Rounded up: poll() with 0 for the last part of a millisecond would spin.
    const std::int64_t millis = std::max<std::int64_t>(0, (until - nowNanos() + 999'999) / 1'000'000);
    if (::poll(&p, 1, static_cast<int>(millis)) > 0) accept();
}

void TransportRun::stopThreads(std::string& outcome) {
    say(outcome + "Shutting down.\n");
    finishWorkers();  // a connection that ended is no failure of the test
}

void TransportRun::tellOutcome(const std::string&) {  // reported before the threads were stopped
    say("\n");
}

/// New connections go to the thread that has the fewest.
void TransportRun::accept() {
    while (auto channel = server_->accept(eta::Clock::now())) {
        const auto least = std::min_element(threads_.begin(), threads_.end(), [](const auto& a, const auto& b) {
            return a->worker->connections() < b->worker->connections();
        });
        (*least)->worker->take(std::move(channel));
    }
}

void TransportRun::sampleThreads(const Sample& sample) {
    auto set = std::make_unique<LatencySet>();
    std::vector<LatencyRecord> records;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Thread& thread = *threads_[i];
        TransportWorker& worker = *thread.worker;
        set->clear();
        worker.latencies().drain(*set);
        // The transport knows neither posts nor a start-up phase: one series of the set is in use.
        thread.interval = set->of(LatencyKind::update, LatencyPhase::steady);
        thread.whole.merge(thread.interval);
        worker.latencies().drainRecords(records);
        if (thread.latencyFile) {
            std::string rows;
            for (const LatencyRecord& record : records)
                rows += transportLatencyRow(record);
            thread.latencyFile->write(rows);
        }
        TransportTraffic traffic;
        traffic.seconds = sample.seconds;
        if (settings_.isServer) {
            // A server may wait for its client for any time. Its rates count from the moment there is a connection.
            const double connected = worker.connected().seconds(sample.now);
            traffic.seconds = connected - std::exchange(thread.connected, connected);
        }
        traffic.sent = thread.sent.take(worker.counters().sent);
        traffic.received = thread.received.take(worker.counters().received);
        traffic.bytesSent = thread.bytesSent.take(worker.counters().bytesSent);
        traffic.bytesReceived = thread.bytesReceived.take(worker.counters().bytesReceived);
        traffic.dropped = thread.dropped.take(worker.counters().dropped);
        traffic.misfits = thread.misfits.take(worker.counters().misfits);
        traffic.late = worker.lateTicks().take();
        thread.allLate += traffic.late;
        traffic.latency = &thread.interval;
        const MulticastStatistics multicast = statisticsOf(worker.multicast());
        if (settings_.multicastStats) traffic.multicast = &multicast;
        thread.stats->write(droppedCsv(sample.utc, {.messages = traffic.dropped}) +
                            lateTicksCsv(sample.utc, traffic.late));
        if (sample.isRest) continue;
        thread.stats->write(transportCsvRow(sample.utc, traffic, sample.resources));
        if (settings_.displayStats)
            say(transportConsole(sample.runSeconds, threads_.size() > 1 ? i + 1 : 0, traffic, sample.resources));
    }
}

double TransportRun::secondsOf(const ConnectedTime& connected, std::int64_t end) const {
    return settings_.isServer ? connected.seconds(end) : secondsUntil(end);
}

std::string TransportRun::summary(std::int64_t end) {
    std::string out;
    TransportTraffic overall;
    overall.seconds = secondsOf(connected_, end);
    auto all = std::make_unique<LatencySeries>();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const Thread& thread = *threads_[i];
        const TransportCounters& c = thread.worker->counters();
        const TransportTraffic totals{.seconds = secondsOf(thread.worker->connected(), end),
                                      .sent = c.sent.get(),
                                      .received = c.received.get(),
                                      .bytesSent = c.bytesSent.get(),
                                      .bytesReceived = c.bytesReceived.get(),
                                      .dropped = c.dropped.get(),
                                      .misfits = c.misfits.get(),
                                      .late = thread.allLate,
                                      .latency = &thread.whole};
        if (threads_.size() > 1)
            out += "--- THREAD " + std::to_string(i + 1) + " SUMMARY ---\n" + transportSummary(totals, nullptr) + "\n";
        overall.add(totals);
        all->merge(thread.whole);
    }
    overall.latency = all.get();
    MulticastStatistics multicast;
    if (settings_.multicastStats) {
        // A multicast test has exactly one connection (TransportSettings.cpp).
        multicast = statisticsOf(threads_.front()->worker->multicast());
        overall.multicast = &multicast;
    }
    return out + "--- OVERALL SUMMARY ---\n" + transportSummary(overall, &resources());
}

}  // namespace emissary::perf

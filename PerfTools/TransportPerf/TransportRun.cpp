#include "TransportRun.h"

#include "Clock.h"
#include "InputError.h"
#include "StopSignal.h"
#include "Text.h"

#include <algorithm>
#include <cstdio>
#include <poll.h>

namespace emissary::perf {

using namespace eta::transport;

namespace {

constexpr std::int64_t kLookNanos = 50'000'000;
constexpr std::int64_t kShortestSample = kNanosPerSecond / 2;

}  // namespace

TransportRun::TransportRun(const TransportPerfSettings& settings)
    : settings_(settings), summaryFile_(settings.summaryFile) {
    if (settings.isServer) {
        std::string error;
        server_ = Server::bind(settings.bind, error);
        if (!server_) throw InputError("Error: " + error);
    }
    for (std::size_t number = 1; number <= settings.threads.size(); ++number) {
        auto thread = std::make_unique<Thread>();
        thread->worker = std::make_unique<TransportWorker>(settings, number);
        thread->stats = std::make_unique<TextFile>(numberedCsv(settings.statsFile, number));
        thread->stats->write(transportCsvHeader());
        if (!settings.latencyFile.empty()) {
            thread->latencyFile = std::make_unique<TextFile>(numberedCsv(settings.latencyFile, number));
            thread->latencyFile->write(transportLatencyHeader());
        }
        threads_.push_back(std::move(thread));
    }
}

void TransportRun::say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

int TransportRun::run() {
    start_ = lastSample_ = nowNanos();
    if (server_) say("Server bound on port " + std::to_string(server_->port()) + ".\n");
    for (auto& thread : threads_)
        thread->worker->start();
    watch();
    const std::int64_t end = nowNanos();
    const ResourceSample resources = sampler_.sample();
    say(outcome_ + "Shutting down.\n");
    for (auto& thread : threads_)
        thread->worker->stop();
    sample(end, resources, true);
    const std::string text = summary(static_cast<double>(end - start_) / 1e9);
    say("\n" + text);
    summaryFile_.write("--- TEST INPUTS ---\n" + settings_.testInputs + "\n" + (failed_ ? outcome_ + "\n" : "") + text);
    return failed_ ? 255 : 0;
}

/// Until something ends the run; the reason is in outcome_.
void TransportRun::watch() {
    const std::int64_t interval = std::int64_t{settings_.writeStatsSeconds} * kNanosPerSecond;
    const std::int64_t end = start_ + std::int64_t{settings_.runSeconds} * kNanosPerSecond;
    std::int64_t nextSample = start_ + interval;
    while (true) {
        const std::int64_t now = nowNanos();
        for (const auto& thread : threads_)
            if (const std::string news = thread->worker->takeNews(); !news.empty()) say(news);
        if (now >= nextSample) {
            sample(now, sampler_.sample(), false);
            nextSample += interval;
        }
        if (stopRequested()) {
            outcome_ = "Stopped by the user.\n";
            return;
        }
        if (now >= end) {
            outcome_ = "Run time of " + std::to_string(settings_.runSeconds) + " seconds has expired.\n";
            return;
        }
        if (std::all_of(threads_.begin(), threads_.end(), [](const auto& t) { return t->worker->ended(); })) {
            for (std::size_t i = 0; i < threads_.size(); ++i)
                outcome_ += "Connection of thread " + std::to_string(i + 1) +
                            " ended: " + threads_[i]->worker->failure() + "\n";
            // A peer that went away after an exchange ends the test; one that was never there fails it.
            failed_ = std::all_of(threads_.begin(), threads_.end(), [](const auto& t) {
                return t->worker->counters().sent.get() + t->worker->counters().received.get() == 0;
            });
            return;
        }
        const std::int64_t until = std::min({now + kLookNanos, nextSample, end});
        if (server_) {
            pollfd p{server_->fd(), POLLIN, 0};
            if (::poll(&p, 1, static_cast<int>((until - now + 999'999) / 1'000'000)) > 0) accept();
        } else {
            sleepUntil(until);
        }
    }
}

/// New connections go to the thread that has the fewest.
void TransportRun::accept() {
    while (auto channel = server_->accept(std::chrono::steady_clock::now())) {
        const auto least = std::min_element(threads_.begin(), threads_.end(), [](const auto& a, const auto& b) {
            return a->worker->connections() < b->worker->connections();
        });
        (*least)->worker->take(std::move(channel));
    }
}

void TransportRun::sample(std::int64_t now, const ResourceSample& resources, bool isLast) {
    // The short rest of an interval at the end says nothing about rates: it goes into the totals only.
    const bool isRest = isLast && now - lastSample_ < kShortestSample && resources_.cpu.count() != 0;
    if (!isRest) resources_.add(resources);
    const std::string utc = utcNow();
    const auto runSeconds = static_cast<std::uint64_t>((now - start_ + kNanosPerSecond / 2) / kNanosPerSecond);
    auto set = std::make_unique<LatencySet>();
    std::vector<LatencyRecord> records;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        Thread& thread = *threads_[i];
        TransportWorker& worker = *thread.worker;
        set->clear();
        worker.latencies().drain(*set);
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
        traffic.seconds = static_cast<double>(now - lastSample_) / 1e9;
        traffic.sent = thread.sent.take(worker.counters().sent);
        traffic.received = thread.received.take(worker.counters().received);
        traffic.bytesSent = thread.bytesSent.take(worker.counters().bytesSent);
        traffic.bytesReceived = thread.bytesReceived.take(worker.counters().bytesReceived);
        traffic.dropped = thread.dropped.take(worker.counters().dropped);
        traffic.latency = &thread.interval;
        if (isRest) continue;
        thread.stats->write(transportCsvRow(utc, traffic, resources));
        if (settings_.displayStats)
            say(transportConsole(runSeconds, threads_.size() > 1 ? i + 1 : 0, traffic, resources));
    }
    lastSample_ = now;
}

std::string TransportRun::summary(double seconds) const {
    std::string out;
    TransportTraffic overall;
    overall.seconds = seconds;
    auto all = std::make_unique<LatencySeries>();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const Thread& thread = *threads_[i];
        const TransportCounters& c = thread.worker->counters();
        const TransportTraffic totals{.seconds = seconds,
                                      .sent = c.sent.get(),
                                      .received = c.received.get(),
                                      .bytesSent = c.bytesSent.get(),
                                      .bytesReceived = c.bytesReceived.get(),
                                      .dropped = c.dropped.get(),
                                      .latency = &thread.whole};
        if (threads_.size() > 1)
            out += "--- THREAD " + std::to_string(i + 1) + " SUMMARY ---\n" + transportSummary(totals, nullptr) + "\n";
        overall.add(totals);
        all->merge(thread.whole);
    }
    overall.latency = all.get();
    return out + "--- OVERALL SUMMARY ---\n" + transportSummary(overall, &resources_);
}

}  // namespace emissary::perf

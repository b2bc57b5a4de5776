// The counts of a reactor and of everything that lives in it.
#include "loop/ReactorImpl.h"
#include "reactor/MetricSource.h"
#include "reactor/metrics/process.h"

#include <mutex>

namespace emissary::reactor {

MetricSource::MetricSource(Reactor& reactor, Collect collect) : reactor_(reactor), collect_(std::move(collect)) {
    reactor_.impl_->metricSources.push_back(this);
}
MetricSource::~MetricSource() {
    std::erase(reactor_.impl_->metricSources, this);
}

void Reactor::Impl::recordTurn(TimePoint end) noexcept {
    const Duration took = end - turnStart;
    counts.turnTime.record(took);
    if (took > kStall) ++counts.stalls;
}

metrics::Snapshot Reactor::metrics() {
    const ReactorOptions& o = impl_->options;
    metrics::Snapshot snapshot({{"instance", o.instance.empty() ? o.name : o.instance}});
    const std::lock_guard guard(impl_->lock);
    collect(snapshot, {});
    for (const MetricSource* source : impl_->metricSources)
        source->collect_(snapshot);
    return snapshot;
}

void Reactor::collect(metrics::Snapshot& into, const std::string& thread) const {
    metrics::Labels labels = thread.empty() ? metrics::Labels{} : metrics::Labels{{"thread", thread}};
    LoopCounts loop = impl_->counts;
    loop.timers = impl_->timers.size();
    loop.connections = impl_->links.size();
    loop.places = places();
    into.add(loop, labels);
    WorkerCounts worker = impl_->outputs.counts;
    worker.wakeups = impl_->worker->wakeups();
    into.add(worker, labels);
    impl_->channels.collect(impl_->links, labels, into);
    labels.emplace_back("queue", "posted");
    into.add(impl_->posted.counts(), labels);
    labels.back().second = "lookups";
    into.add(impl_->lookups->letters.counts(), labels);
    labels.back().second = "worker";
    into.add(impl_->worker->inboxCounts(), labels);
}

std::uint16_t Reactor::serveMetrics(const std::string& address, std::uint16_t port) {
    HttpOptions options;
    options.address = address;
    options.port = port;
    impl_->metricsServer = std::make_unique<HttpServer>(options, [this](const HttpRequest& request) -> HttpReply {
        if (request.path == "/metrics")
            return {200, "text/plain; version=0.0.4; charset=utf-8",
                    metrics().prometheus() + metrics::processAsPrometheus()};
        if (request.path == "/metrics.json") return {200, "application/json", metrics().json()};
        if (request.path == "/metrics.txt") return {200, "text/plain; charset=utf-8", metrics().text()};
        if (request.path == "/healthz") return {200, "text/plain; charset=utf-8", "ok\n"};
        return {404, "text/plain; charset=utf-8", "There are /metrics, /metrics.json, /metrics.txt and /healthz.\n"};
    });
    return impl_->metricsServer->port();
}

}  // namespace emissary::reactor

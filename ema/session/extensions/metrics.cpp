// ema/session/extensions: takes snapshots of an instance, gives their texts, registers counts of libraries above, and
// lists the groups of counts.
#include "emissary/metrics.h"

#include "Access/Include/OmmConsumer.h"
#include "Access/Include/OmmProvider.h"
#include "reactor/metrics/Snapshot.h"
#include "rest/HttpClient.h"
#include "session/consumer/ConsumerImpl.h"
#include "session/extensions/counts_catalogue.h"
#include "session/provider/ProviderImpl.h"

namespace emissary {

using refinitiv::ema::access::OmmConsumer;
using refinitiv::ema::access::OmmProvider;

namespace ema {

/// Friend of OmmConsumer and OmmProvider. Inside callbacks of a start the public object may not have its
/// implementation yet.
struct MetricsAccess {
    template <class Instance>
    [[nodiscard]] static MetricsSnapshot of(const Instance& instance) {
        return MetricsSnapshot(instance.impl_ ? instance.impl_->engine().metrics() : nullptr);
    }
    /// Null: nothing can be added.
    [[nodiscard]] static Engine* engine(OmmConsumer& consumer) noexcept {
        return consumer.impl_ && consumer.impl_->engine().hasLoop() ? &consumer.impl_->engine() : nullptr;
    }
};

std::vector<reactor::MetricGroup> countGroups() {
    const auto below = reactor::metricGroups();
    std::vector<reactor::MetricGroup> all(below.begin(), below.end());
    all.push_back({"REST calls", "", reactor::metrics::rows<rest::HttpCounters>});
    return all;
}

}  // namespace ema

MetricsSnapshot::MetricsSnapshot(std::shared_ptr<const reactor::metrics::Snapshot> values) noexcept
    : values_(std::move(values)) {}

std::string MetricsSnapshot::text() const {
    return values_ ? values_->text() : reactor::metrics::Snapshot().text();
}
std::string MetricsSnapshot::json() const {
    return values_ ? values_->json() : reactor::metrics::Snapshot().json();
}
std::string MetricsSnapshot::prometheus() const {
    return values_ ? values_->prometheus() : reactor::metrics::Snapshot().prometheus();
}
std::optional<std::uint64_t> MetricsSnapshot::value(std::string_view name) const {
    return values_ ? values_->value(name) : std::nullopt;
}

MetricsSnapshot metrics(const OmmConsumer& consumer) {
    return ema::MetricsAccess::of(consumer);
}
MetricsSnapshot metrics(const OmmProvider& provider) {
    return ema::MetricsAccess::of(provider);
}

struct AddedCounts::Impl {
    ema::Engine& engine;
    ema::AddedCountsTable::Place place;
};

/// Without a loop there are no snapshots that could show the counts, and this object does nothing.
AddedCounts::AddedCounts(OmmConsumer& consumer, const eta::CountRow* table, std::size_t rows,
                         std::function<std::uint64_t(std::size_t)> value) {
    ema::Engine* const engine = ema::MetricsAccess::engine(consumer);
    if (engine == nullptr) return;
    const auto guard = engine->locked();
    impl_ = std::make_unique<Impl>(
        Impl{*engine, engine->addedCounts().add(engine->loop(), {{table, rows}, std::move(value)})});
}

AddedCounts::~AddedCounts() {
    if (!impl_) return;
    const auto guard = impl_->engine.locked();
    impl_->engine.addedCounts().remove(impl_->place);
}

}  // namespace emissary

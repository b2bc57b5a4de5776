// What an object that has counts of its own registers with its reactor.
#pragma once

#include <functional>

namespace emissary::reactor {

class Reactor;
namespace metrics {
class Snapshot;
}

/// Registered with its reactor for its life; session lock held for both. `collect` is called with the lock held, for
/// every snapshot (Reactor::metrics()), and adds what it has.
class MetricSource {
public:
    using Collect = std::function<void(metrics::Snapshot& into)>;
    /// Registers `collect`, which must be callable until this object ends.
    MetricSource(Reactor& reactor, Collect collect);
    ~MetricSource();
    MetricSource(const MetricSource&) = delete;
    MetricSource& operator=(const MetricSource&) = delete;

private:
    friend class Reactor;
    Reactor& reactor_;
    const Collect collect_;
};

}  // namespace emissary::reactor

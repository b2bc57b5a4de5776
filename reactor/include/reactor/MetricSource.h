// How an object with counts of its own registers with its reactor.
#pragma once

#include <functional>

namespace emissary::reactor {

class Reactor;
namespace metrics {
class Snapshot;
}

/// Registered with its reactor for its life; constructor and destructor with the session lock held. `collect` is called
/// with the lock held, for every snapshot (Reactor::metrics()), and adds the object's counts.
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

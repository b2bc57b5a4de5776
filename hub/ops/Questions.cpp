// Posts calls to the hub's loop and waits for them; adds up its counts.
#include "hub/ops/Questions.h"

#include "hub/ops/ops_counts.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace emissary::hub::ops {

using reactor::metrics::Snapshot;

namespace {

void addLevels(Snapshot& s, const Overview& o) {
    HubLevels hub;
    hub.draining = o.draining ? 1 : 0;
    s.add(hub);
    for (const SourceRow& r : o.sources) {
        if (r.kind != "upstream") continue;  // labels are bounded: publishers come and go
        SourceLevels levels;
        levels.up = r.up ? 1 : 0;
        s.add(levels, {{"source", r.name}});
    }
    for (const ServiceRow& r : o.services) {
        ServiceLevels levels;
        levels.up = r.up ? 1 : 0;
        levels.images = r.images;
        levels.imageBytes = r.imageBytes;
        s.add(levels, {{"service", r.name}});
    }
}

/// The label of the counts is `hub`: Prometheus has an `instance` of its own, the address that it reads.
Snapshot countsWith(reactor::Reactor& reactor, const Overview& overview) {
    Snapshot s = reactor.metrics();
    s.renameLabel("instance", "hub");
    addLevels(s, overview);
    return s;
}

}  // namespace

Questions::Questions(Inspected hub, std::chrono::milliseconds patience)
    : inspector_(std::move(hub)), patience_(patience) {
    const std::lock_guard guard(inspector_.hub().reactor.lock());
    pulse_ = std::make_unique<Pulse>(inspector_.hub().reactor);
}

Questions::~Questions() {
    const std::lock_guard guard(inspector_.hub().reactor.lock());
    pulse_.reset();
}

void Questions::post(std::function<void()> call) {
    reactor::Reactor& reactor = inspector_.hub().reactor;
    {
        const std::lock_guard guard(reactor.lock());
        reactor.post(std::move(call));
    }
    reactor.wake();
}

bool Questions::ask(std::function<void()> question) {
    struct Waiting {
        std::mutex mutex;
        std::condition_variable condition;
        bool done = false;
    };
    auto waiting = std::make_shared<Waiting>();
    if (!beats()) return false;  // its lock may be held by a turn that does not end
    post([waiting, question = std::move(question)] {
        question();
        {
            const std::lock_guard done(waiting->mutex);
            waiting->done = true;
        }
        waiting->condition.notify_one();
    });
    std::unique_lock lock(waiting->mutex);
    return waiting->condition.wait_for(lock, patience_, [&] { return waiting->done; });
}

std::optional<Snapshot> Questions::counts() {
    const auto overview = asked([this] { return inspector_.overview(); });
    return overview ? std::optional(countsWith(inspector_.hub().reactor, *overview)) : std::nullopt;
}

Snapshot Questions::countsHere() {
    return countsWith(inspector_.hub().reactor, inspector_.overview());
}

}  // namespace emissary::hub::ops

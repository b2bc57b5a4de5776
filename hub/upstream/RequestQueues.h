// Items of all services that wait to be requested, and when the next round of requests goes out.
#pragma once

#include "hub/flow/ItemLife.h"
#include "hub/upstream/Waiting.h"
#include "hub/upstream/upstream_counts.h"
#include "reactor/Reactor.h"

#include <functional>
#include <memory>
#include <vector>

namespace emissary::hub::upstream {

/// Keeps phases and counts in step with the queues that items stand in. Stage thread only.
class RequestQueues {
public:
    /// `round` is called with the service's number, from a timer; all of it is borrowed.
    RequestQueues(reactor::Reactor& reactor, ItemTable& items, SupplyCounts& counts,
                  std::function<void(std::uint16_t)> round)
        : reactor_(reactor), items_(items), counts_(counts), round_(std::move(round)) {}
    ~RequestQueues() {
        for (const auto& waiting : waiting_)
            if (waiting) reactor_.cancelTimer(waiting->timer);
    }
    RequestQueues(const RequestQueues&) = delete;
    RequestQueues& operator=(const RequestQueues&) = delete;

    /// The queues of a service, made when they are not there.
    [[nodiscard]] Waiting& of(std::uint16_t service) {
        if (waiting_.size() <= service) waiting_.resize(std::size_t{service} + 1);
        if (!waiting_[service]) waiting_[service] = std::make_unique<Waiting>(items_);
        return *waiting_[service];
    }
    /// Events that lead to these phases, or out of them, come by here.
    void apply(Item& item, flow::Event event) {
        Waiting& waiting = of(item.service);
        if (item.phase == Item::Phase::queued) --waiting.queued, counts_.queued -= 1;
        if (item.phase == Item::Phase::parked && waiting.unpark(item)) counts_.parked -= 1;
        flow::ItemLife::apply(item, event);
        if (item.phase == Item::Phase::queued) ++waiting.queued, counts_.queued += 1;
    }
    /// The item is requested in its turn.
    void queue(Item& item) {
        apply(item, flow::Event::queued);
        of(item.service).queue(item);
    }
    /// The item waits for somebody who can serve it.
    void park(Item& item) {
        apply(item, flow::Event::parked);
        of(item.service).park(item);
        counts_.parked += 1;
    }
    /// It is queued or parked here.
    [[nodiscard]] bool has(const Item& item) noexcept {
        if (item.phase == Item::Phase::queued) return true;
        return item.phase == Item::Phase::parked && item.service < waiting_.size() && waiting_[item.service] &&
               waiting_[item.service]->isParked(item);
    }
    /// Another round of the service, unless one is on its way.
    void soon(std::uint16_t service, reactor::Duration after = reactor::Duration::zero()) {
        Waiting& waiting = of(service);
        if (waiting.timer != 0) return;
        waiting.timer = reactor_.startTimer(after, [this, service] {
            waiting_[service]->timer = 0;
            round_(service);
        });
    }

private:
    reactor::Reactor& reactor_;
    ItemTable& items_;
    SupplyCounts& counts_;
    const std::function<void(std::uint16_t)> round_;
    std::vector<std::unique_ptr<Waiting>> waiting_;  // by service
};

}  // namespace emissary::hub::upstream

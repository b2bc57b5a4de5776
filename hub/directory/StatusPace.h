// How fast clients that hear of no groups are told, item by item, that many items have another state (hub.md 3.3).
#pragma once

#include "eta/core/Count.h"
#include "hub/core/ItemTable.h"
#include "hub/flow/ItemFlow.h"
#include "reactor/MetricSource.h"
#include "reactor/Reactor.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <deque>

namespace emissary::hub::directory {

struct PaceCounts {
    eta::Total<"emissary_hub_statuses_paced_total", "items",
               "Items whose new state waited for its turn, since StatusRate was reached.">
        paced;
    eta::Level<"emissary_hub_statuses_waiting", "items", "Items whose state waits for its turn."> waiting;
};

/// What may be said in a second may be said at once; what is beyond that waits, in order. Records have their state at
/// once; an item that has a refresh, or ends, before its turn is left out, and of several states the last is told. On
/// the reactor's thread.
class StatusPace {
public:
    /// `rate`: statuses a second; 0 = no limit.
    StatusPace(ItemTable& items, ClientTable& clients, ServiceTable& services, flow::ItemFlow& flow,
               reactor::Reactor& reactor, std::uint32_t rate);
    ~StatusPace();
    StatusPace(const StatusPace&) = delete;
    StatusPace& operator=(const StatusPace&) = delete;

    /// The item's mounts may be told now, and are taken off the budget. Otherwise they are for later().
    [[nodiscard]] bool now(const Item& item);
    /// The item's state, which the record has, is told when its turn comes.
    void later(Item& item);

    [[nodiscard]] const PaceCounts& counts() const noexcept { return counts_; }

private:
    /// What is to be told. An item whose state is another one when its turn comes was told that by its refresh.
    struct Untold {
        std::uint32_t generation = 0;
        std::uint8_t stream = 0, data = 0, code = 0;
    };
    [[nodiscard]] static Untold of(const Item& item) noexcept {
        return {item.generation, item.streamState, item.dataState, item.code};
    }
    /// The item's turn has come.
    void tell(Item& item);
    [[nodiscard]] std::uint32_t cost(const Item& item) const noexcept;
    void refill() noexcept;
    void goOn();

    ItemTable& items_;
    ClientTable& clients_;
    ServiceTable& services_;
    flow::ItemFlow& flow_;
    reactor::Reactor& reactor_;
    double rate_, budget_;
    reactor::TimePoint filled_;
    std::deque<std::uint32_t> waiting_;                        // indices of items, each once
    boost::unordered_flat_map<std::uint32_t, Untold> untold_;  // by index, of those that wait
    reactor::TimerId timer_ = 0;
    PaceCounts counts_;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::directory

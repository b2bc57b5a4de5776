// Limits how fast clients without group statuses get the new state of many items, one by one (hub.md 3.3).
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

/// The statuses of one second may leave at once; further ones wait, in order. Records of items change at once. An item
/// that gets a refresh, or ends, before its turn is left out; of several states of an item only the last is sent. Stage
/// thread only.
class StatusPace {
public:
    /// `rate`: statuses a second; 0 = no limit.
    StatusPace(ItemTable& items, ClientTable& clients, ServiceTable& services, flow::ItemFlow& flow,
               reactor::Reactor& reactor, std::uint32_t rate);
    ~StatusPace();
    StatusPace(const StatusPace&) = delete;
    StatusPace& operator=(const StatusPace&) = delete;

    /// True: the item's mounts may get the status now; they are taken off the budget. False: call later().
    [[nodiscard]] bool now(const Item& item);
    /// Sends the state in the item's record when its turn comes.
    void later(Item& item);

    [[nodiscard]] const PaceCounts& counts() const noexcept { return counts_; }

private:
    /// A state to be sent. If the item has another state when its turn comes, clients have got that with its refresh.
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

// Items that nobody watches any more and that are kept for a while (ItemLinger, hub.md 4.3).
#pragma once

#include "hub/core/Service.h"
#include "hub/upstream/DueList.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <functional>

namespace emissary::hub::upstream {

/// Stage thread only.
class LingeringItems {
public:
    /// `over`: its time is over, and still nobody watches it.
    LingeringItems(reactor::Reactor& reactor, ItemTable& items, std::function<void(Item&)> over)
        : items_(items), over_(std::move(over)), due_(reactor, [this](Ref r) { look(r); }) {}

    /// The last mount of the item has left. False: it is not one to be kept.
    [[nodiscard]] bool keep(const Service* service, const Item& item) {
        const bool kept = service != nullptr && service->policy.itemLinger.count() > 0 && item.is(Item::cached) &&
                          item.phase == Item::Phase::open && item.source != nullptr;
        if (kept && since_.emplace(item.index, item.generation).second)
            due_.add(Ref::of(item), service->policy.itemLinger);
        return kept;
    }

private:
    void look(Ref ref) {
        const auto at = since_.find(ref.index);
        if (at != since_.end() && at->second == ref.generation) since_.erase(at);
        Item* const item = items_.find(ref.index, ref.generation);
        if (item != nullptr && item->mountCount == 0) over_(*item);
    }

    ItemTable& items_;
    const std::function<void(Item&)> over_;
    DueList due_;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> since_;  // generations by index
};

}  // namespace emissary::hub::upstream

// hub/core: the counts of each service; exported with the label `service`.
#pragma once

#include "eta/core/Count.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace emissary::hub {

/// Written on the reactor's thread.
struct ServiceCounts {
    eta::Total<"emissary_hub_updates_in_total", "messages", "Updates of items from sources."> updates;
};

/// Label `result`: taken, refused.
struct ServiceRequests {
    eta::Total<"emissary_hub_requests_total", "requests",
               "Item requests for a service that there is, reissues left out.">
        requests;
};

/// Label `state`: the data state that was said last.
struct ServiceItems {
    eta::Level<"emissary_hub_items", "items", "Items with a client or an image."> items;
};
inline constexpr std::array<const char*, 3> kItemStateNames{"pending", "ok", "suspect"};

/// Label `result`: kPairResultNames.
struct ServicePair {
    eta::Total<"emissary_hub_pair_updates_total", "messages",
               "Updates of items with a second stream in hot mode, compared between the two sources.">
        updates;
};
inline constexpr std::array<const char*, 5> kPairResultNames{"same", "missing", "extra", "different", "late"};
using PairCounts = std::array<ServicePair, kPairResultNames.size()>;

/// All of one service.
struct CountsOfService {
    ServiceCounts of;
    ServiceRequests taken, refused;
    std::array<ServiceItems, kItemStateNames.size()> items;  ///< by Item::dataState
    /// By kPairResultNames; null: nothing was compared yet.
    std::unique_ptr<PairCounts> pair;

    /// Adds them to a snapshot, under the service's name.
    template <class Snapshot>
    void addTo(Snapshot& into, const std::string& service) const {
        into.add(of, {{"service", service}});
        into.add(taken, {{"service", service}, {"result", "taken"}});
        into.add(refused, {{"service", service}, {"result", "refused"}});
        for (std::size_t i = 0; i < items.size(); ++i)
            into.add(items[i], {{"service", service}, {"state", kItemStateNames[i]}});
        for (std::size_t i = 0; pair != nullptr && i < pair->size(); ++i)
            into.add((*pair)[i], {{"service", service}, {"result", kPairResultNames[i]}});
    }
};

}  // namespace emissary::hub

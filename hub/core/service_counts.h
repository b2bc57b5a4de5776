// The counts of each service; exported with the label `service`.
#pragma once

#include "eta/core/Count.h"

#include <array>
#include <cstddef>
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

/// All of one service.
struct CountsOfService {
    ServiceCounts of;
    ServiceRequests taken, refused;
    std::array<ServiceItems, kItemStateNames.size()> items;  ///< by Item::dataState

    /// Adds them to a snapshot, under the service's name.
    template <class Snapshot>
    void addTo(Snapshot& into, const std::string& service) const {
        into.add(of, {{"service", service}});
        into.add(taken, {{"service", service}, {"result", "taken"}});
        into.add(refused, {{"service", service}, {"result", "refused"}});
        for (std::size_t i = 0; i < items.size(); ++i)
            into.add(items[i], {{"service", service}, {"state", kItemStateNames[i]}});
    }
};

}  // namespace emissary::hub

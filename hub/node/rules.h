// hub/node: what the settings of a hub say of the output of its clients.
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/fanout/RateClasses.h"
#include "hub/fanout/SlowClients.h"

#include <vector>

namespace emissary::hub {

/// Those that consumers may use: publishers' ports for any role come after the consumers' own.
[[nodiscard]] std::vector<ListenerSettings> consumerListeners(const HubSettings& s);
/// For the clients of that port.
[[nodiscard]] fanout::SlowRules slowRules(const HubSettings& s, const ListenerSettings& listener);
/// For all of them, with the numbers of services, ports and user classes.
[[nodiscard]] fanout::RateRules rateRules(const HubSettings& s);

}  // namespace emissary::hub

// The QoS of a service as clients see it: those of its sources, and what the hub makes of them at lower rates (hub.md
// 8.2).
#pragma once

#include "hub/core/Mount.h"
#include "hub/core/Service.h"
#include "reactor/rdm/Qos.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emissary::hub {

/// What is left of a QoS at the rate of the rule; it is not better than before.
[[nodiscard]] eta::codec::Qos atRate(eta::codec::Qos qos, const Conflation& rule) noexcept;

/// One QoS that clients may ask for.
struct ServedQos {
    eta::codec::Qos qos;
    std::size_t number = 0;  ///< Mount::withQos
};
/// Best first, each once. Not empty.
[[nodiscard]] std::vector<ServedQos> servedQos(const Service& service);
/// The number of a QoS of the service's sources, by its place in their list.
[[nodiscard]] std::size_t numberOf(const Service& service, std::size_t place) noexcept;
/// Of a mount on an item of the service: the place in the list of its sources, 0 being the best.
[[nodiscard]] inline std::uint8_t qosPlace(const Service& service, const Mount& mount) noexcept {
    return static_cast<std::uint8_t>(mount.qos() / (service.policy.offeredRates.size() + 1));
}
/// Clients see another list than that of the sources.
[[nodiscard]] inline bool servesOtherQos(const Service& service) noexcept {
    return service.policy.announceRate || !service.policy.offeredRates.empty();
}

}  // namespace emissary::hub

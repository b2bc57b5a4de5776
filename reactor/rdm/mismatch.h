// Whether a service can serve a request (session.md 4.1, steps 5 and 6).
#pragma once

#include "reactor/rdm/Directory.h"

#include <string_view>

namespace emissary::reactor::rdm {

/// Of an item that waits for a service which no server has listed yet.
inline constexpr std::string_view kNotUpYet = "Service not up yet.";

/// Why it cannot now; empty when it can, then `chosen` is the QoS that the request gets. `wanted` and `worst` as
/// chooseQos() takes them.
[[nodiscard]] inline std::string_view mismatch(const Service& service, std::uint8_t domain, const Qos* wanted,
                                               const Qos* worst, Qos& chosen) noexcept {
    if (!service.info.serves(domain)) return "Domain not supported by service.";
    if (!service.state.up) return "Service is down.";
    if (!service.state.acceptingRequests()) return "Service is not accepting requests.";
    const Qos* found = chooseQos(service.info.qos, wanted, worst);
    if (found == nullptr) return "Service does not provide a matching QoS.";
    chosen = *found;
    return {};
}

}  // namespace emissary::reactor::rdm

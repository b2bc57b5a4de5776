// A consumer's request for a tunnel stream.
#pragma once

#include "reactor/tunnel/ClassOfService.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emissary::reactor::tunnel {

/// Exactly one of service name and id is given. A value type.
struct TunnelRequest {
    std::string name = "TunnelStream";  ///< at most 255 bytes
    std::uint8_t domain = 127;
    std::string serviceName;      ///< empty: by id
    std::int32_t serviceId = -1;  ///< -1: by name
    ClassOfService classOfService;
    std::chrono::seconds responseTimeout{60};  ///< for the answer, and anew for that to the login inside; 0 = none
    std::uint32_t outputBuffers = 50;          ///< fragments that may be queued or unacknowledged
    std::vector<std::byte> login;              ///< an encoded request for the login inside; empty: the connection's own
};

}  // namespace emissary::reactor::tunnel

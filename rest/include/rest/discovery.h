// Service discovery: endpoints, and which endpoint a session takes (credentials.md 4).
#pragma once

#include "eta/core/Refused.h"
#include "rest/Secret.h"

#include <string>
#include <string_view>
#include <vector>

namespace emissary::rest {

/// One endpoint as the service has it; what it does not say is empty.
struct ServiceEndpoint {
    std::string endpoint;                  ///< host
    std::string port;                      ///< as in the answer, number or text
    std::string provider;                  ///< "aws"
    std::string transport;                 ///< "tcp", "websocket"
    std::vector<std::string> locations;    ///< zones: "us-east-1a"
    std::vector<std::string> dataFormats;  ///< "rwf", "tr_json2"
};

/// Reads an answer of service discovery. Refused when it is no JSON object with an array `services`; members of
/// another type than expected are skipped.
[[nodiscard]] eta::Refused readServices(Secret& body, std::vector<ServiceEndpoint>& services);

/// The endpoint for a session (credentials.md 4.1): of that transport, its first location beginning with `location`,
/// one with several locations before one with a single location. Those without a host of printable ASCII or without a
/// port from 1 to 65535 are passed over. Null if no endpoint fits.
[[nodiscard]] const ServiceEndpoint* chooseService(const std::vector<ServiceEndpoint>& services,
                                                   std::string_view transport, std::string_view location);

}  // namespace emissary::rest

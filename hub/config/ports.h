// Addresses and ports as a configuration writes them.
#pragma once

#include <string>

namespace emissary::hub {

/// Whether the text is a numeric address, of IPv4 or IPv6.
[[nodiscard]] bool isAddress(const std::string& text);
/// The number, or that of the service with this name; 0 where the system knows no such service, and where any port will
/// do.
[[nodiscard]] unsigned portNumber(const std::string& port);
/// Two listening sockets with these addresses cannot share a port: one takes every address, or both are the same.
[[nodiscard]] bool overlap(const std::string& a, const std::string& b);

}  // namespace emissary::hub

// What the system says of addresses and names of ports.
#include "hub/config/ports.h"

#include <charconv>
#include <cstdint>

#include <arpa/inet.h>
#include <netdb.h>

namespace emissary::hub {

bool isAddress(const std::string& text) {
    in6_addr any{};
    return inet_pton(AF_INET, text.c_str(), &any) == 1 || inet_pton(AF_INET6, text.c_str(), &any) == 1;
}

/// The number of a port that is given as one, or as the name of a service (/etc/services); 0: it is neither.
unsigned portNumber(const std::string& port) {
    unsigned n = 0;
    const auto [end, ec] = std::from_chars(port.data(), port.data() + port.size(), n);
    if (ec == std::errc() && end == port.data() + port.size()) return n;
    const servent* const service = getservbyname(port.c_str(), "tcp");
    return service == nullptr ? 0 : ntohs(static_cast<std::uint16_t>(service->s_port));
}

bool overlap(const std::string& a, const std::string& b) {
    const auto all = [](const std::string& x) { return x.empty() || x == "0.0.0.0" || x == "::"; };
    return all(a) || all(b) || a == b;
}

}  // namespace emissary::hub

// The way to a peer once the names have been looked up.
#pragma once

#include "transport/tcp/TcpStream.h"

#include <string>
#include <vector>

namespace emissary::eta::transport {

/// Everything a connect needs, with addresses in the place of names. Constant once made; any thread.
struct Route {
    ConnectOptions options;                ///< group addresses and interfaces need no look-up
    std::vector<SocketAddress> addresses;  ///< of the host, or of the proxy on the way to it; best first
    std::string target;                    ///< as the user named it
    Refused failure;                       ///< a name that could not be looked up

    /// Blocks for as long as the name servers take. Uses the C library alone, no state of this one.
    [[nodiscard]] static Route of(const ConnectOptions& options);
};

}  // namespace emissary::eta::transport

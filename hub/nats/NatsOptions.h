// hub/nats: which servers the bus uses, who it is there, and its bounds.
#pragma once

#include "eta/core/Clock.h"
#include "reactor/session/Backoff.h"

#include <cstddef>
#include <string>
#include <vector>

namespace emissary::hub::nats {

/// Values are used as they are; text that a server refuses comes back in NatsBus::lastError().
struct NatsOptions {
    /// "nats://host:4222" or "tls://host:4222"; without a scheme nats:// is meant, without a port 4222. The bus uses
    /// one of them at a time, and another one when that is lost.
    std::vector<std::string> servers;
    std::string name = "emissary-hub";  ///< what the server shows of this connection

    // Who the bus is; empty: nobody. The first that is set counts: credentials, NKey, token, user.
    std::string credentialsFile;     ///< a user's JWT and seed, as nsc writes them
    std::string nkey, nkeySeedFile;  ///< the public key ("U..."), and the file that has the seed
    std::string token;
    std::string user, password;

    bool tls = false;                      ///< as if all servers were "tls://"
    std::string caFile;                    ///< PEM; empty: the system's authorities
    std::string certificateFile, keyFile;  ///< PEM; of this client, when the server asks for one
    std::string expectedHost;              ///< in the server's certificate; empty: the host of its address

    eta::Duration connectTimeout = std::chrono::seconds(2);
    eta::Duration pingEvery = std::chrono::seconds(2);  ///< two pings without an answer: the connection is lost
    eta::Duration writeTimeout = std::chrono::seconds(5);
    reactor::session::ReconnectOptions reconnect{.minDelay = std::chrono::milliseconds(200)};

    std::size_t outBytes = std::size_t{16} << 20;  ///< frames that wait to be sent; at least 1 MiB
    std::size_t inFrames = 8192;                   ///< frames that wait for receive()
    std::size_t inBytes = std::size_t{64} << 20;   ///< their bytes
    std::string libraryFile;                       ///< of libnats; empty: the one that the hub was built for
};

}  // namespace emissary::hub::nats

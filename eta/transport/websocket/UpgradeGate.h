// eta/transport/websocket: asks a listener whether a connection may become a WebSocket.
#pragma once

#include "transport/websocket/http_upgrade.h"

namespace emissary::eta::transport::ws {

/// Knows how many connections there are, and how many may be. Thread of the connection.
class UpgradeGate {
public:
    struct Answer {
        int status = 0;            ///< HTTP; 0: it may
        std::string why;           ///< with a status: for the client and the log
        bool sameMachine = false;  ///< the client's address is of the loopback
    };
    virtual ~UpgradeGate() = default;
    /// A whole request has come, and nothing of it was looked at.
    [[nodiscard]] virtual Answer mayUpgrade(const UpgradeRequest& request) = 0;
    virtual void headRefused() noexcept = 0;
    virtual void originRefused() noexcept = 0;
};

}  // namespace emissary::eta::transport::ws

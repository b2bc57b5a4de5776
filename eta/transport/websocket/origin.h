// eta/transport/websocket: which pages of browsers may open a WebSocket (web-streaming.md section 4).
#pragma once

#include "eta/core/Refused.h"
#include "eta/transport/options.h"

#include <optional>
#include <string>
#include <string_view>

namespace emissary::eta::transport::ws {

/// What an upgrade request says of its sender, and what the connection below it does.
struct Requester {
    std::string_view host;              ///< the header Host
    std::optional<std::string> origin;  ///< the header Origin; none: no browser
    bool encrypted = false;             ///< there is TLS below
    bool sameMachine = false;           ///< the peer's address is of the loopback
    std::uint16_t port = 0;             ///< that the connection came to
};

/// The text says what is wrong and which parameter changes it; it has the Origin escaped and cut.
[[nodiscard]] Refused checkOrigin(const OriginOptions& rules, const Requester& from);

/// The origin is what the request was sent to: host and port are those of this port, and no TLS ended before it. False
/// when in doubt, as where the port is reached by another number, or the host by a name that is not in `rules.hosts`.
[[nodiscard]] bool isOfPort(const OriginOptions& rules, const Requester& from) noexcept;

/// For logs: escaped, at most 128 bytes.
[[nodiscard]] std::string shownOrigin(std::string_view origin);

}  // namespace emissary::eta::transport::ws

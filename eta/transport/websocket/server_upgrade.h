// eta/transport/websocket: what a server answers to a request for a WebSocket or for events (transport.md 6,
// web-streaming.md sections 4 and 5). No I/O in here.
#pragma once

#include "transport/websocket/cookie_login.h"
#include "transport/websocket/http_upgrade.h"

#include <optional>
#include <string>
#include <string_view>

namespace emissary::eta::transport::ws {

/// What the server knows beside the bytes of the request; the referents outlive the call.
struct ServerRules {
    const WebSocketOptions& options;
    bool encrypted = false;  ///< there is TLS below
    bool anyPrefix = false;  ///< the request came through a trusted proxy, which may have a path of its own
    bool deflate = false;    ///< agree to it (JSON only)
    /// What no JSON client gets past, and in which words; null, or nothing in it: nothing. Events are JSON too.
    const std::optional<std::string>* refusal = nullptr;
    UpgradeGate* gate = nullptr;  ///< null: any number of connections may be
};

/// The answer to the bytes received so far.
struct UpgradeDecision {
    /// needMore: nothing else is set. complete: the connection is one for the protocol below. bad: it ends behind
    /// `answer`, and with a browser's question about events, which is answered well, it ends too.
    Progress progress = Progress::needMore;
    std::string answer;         ///< bytes for the peer
    std::size_t consumed = 0;   ///< complete: bytes of the request; nothing is behind them
    std::string reason;         ///< bad: for the log
    bool refused = false;       ///< bad: `refusal` was why
    std::string protocol;       ///< complete: the name that the client wrote; with events kEventStream
    bool json = false;          ///< complete: messages are JSON
    bool events = false;        ///< complete: they go out as text/event-stream, and nothing comes in
    FirstMessage login;         ///< complete: what is read before anything from the peer, if there is something
    Deflate deflate;            ///< complete: what was agreed
    std::string origin;         ///< of a browser whose page may connect, as logs show it; whether or not it is refused
    bool originOfPort = false;  ///< isOfPort()
};

/// Asks the gate as the request earns it: mayUpgrade() for one that can be read, withinRate() for one that nothing else
/// is wrong with. Thread of the connection.
[[nodiscard]] UpgradeDecision decideUpgrade(std::string_view received, const ServerRules& rules);

}  // namespace emissary::eta::transport::ws

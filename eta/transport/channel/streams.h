// Opens and serves connections by their type: the calls behind the rows of eta/transport/connection_types.h.
#pragma once

#include "transport/tcp/StreamListener.h"
#include "transport/websocket/http_upgrade.h"

#include <memory>
#include <optional>
#include <string>

namespace emissary::eta::transport {

/// The functions of a connection type that Channel and Server call. No member is null.
///
/// A type that is not a stream of bytes makes a ByteStream with a MessageSource (ByteStream.h): send() gets the frames
/// of the output queue (frame.h: plain, packed and fragments, never compressed), messages come from the source, and
/// describe() says what the RIPC handshake would have. Channel does the rest: output arena, flushing, pings, state,
/// counters.
struct ConnectionCalls {
    /// What makes no sense in the options.
    Refused (*checkConnect)(const ConnectOptions&);
    /// A client's stream, `upon` a socket that is connecting where the type stands on TCP. Null when refused.
    std::unique_ptr<ByteStream> (*open)(Descriptor upon, const ConnectOptions&, Refused& refused);
    Refused (*checkBind)(const BindOptions&);
    /// Null when refused.
    std::unique_ptr<StreamListener> (*listen)(const BindOptions&, Refused& refused);
};

[[nodiscard]] Refused checkOptions(const ConnectOptions& options);
[[nodiscard]] Refused checkOptions(const BindOptions& options);
/// The connection goes to the proxy first.
[[nodiscard]] bool usesProxy(const ConnectOptions& options) noexcept;
/// The frames go inside a WebSocket, encrypted or not.
[[nodiscard]] bool usesWebSocket(const ConnectOptions& options) noexcept;
/// What the server knows of a connection that turns out to be a WebSocket; the referents outlive its handshake.
struct WebSocketPeer {
    const std::optional<std::string>& refusal;  ///< the words for a client that is not wanted, once there are any
    ws::UpgradeGate& gate;
    bool proxied = false;  ///< it comes from a trusted proxy
};
/// An accepted connection whose first bytes (`received`) are those of a WebSocket client.
[[nodiscard]] std::unique_ptr<ByteStream> asWebSocket(std::unique_ptr<ByteStream> stream, const BindOptions& options,
                                                      Bytes received, const WebSocketPeer& peer);

}  // namespace emissary::eta::transport

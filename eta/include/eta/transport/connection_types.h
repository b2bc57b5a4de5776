// The ways to carry a connection, one row each. A new one adds its number, its row, and its calls
// (transport/streams.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emissary::eta::transport {

/// What carries a connection (transport.md 8).
enum class ConnectionType : std::uint8_t {
    socket = 0,     ///< RIPC over TCP
    encrypted = 1,  ///< RIPC or WebSocket inside TLS
    http = 2,       ///< the legacy tunnel: refused with a word on what to use instead
    sharedMemory = 3,
    reliableMulticast = 4,   ///< datagrams to a group, repaired on request (docs/wire/multicast.md)
    sequencedMulticast = 6,  ///< datagrams to a group, numbered and never repaired
    webSocket = 7            ///< RIPC or JSON inside WebSocket
};

/// How the ends of a connection know that the other one lives.
enum class KeepAlive : std::uint8_t {
    agreed,  ///< the idle side sends pings: one side or both, as the handshake says
    heard,   ///< the idle side sends pings to all peers, and expects them from those that it has heard
    asked,   ///< of JSON, whatever carries it: the server asks steadily, the client answers (transport.md 6.6)
};

/// What opens and serves connections of a type; inside the transport only.
struct ConnectionCalls;
extern const ConnectionCalls kTcpCalls, kTlsCalls, kTunnelCalls, kSharedMemoryCalls, kReliableCalls, kSequencedCalls,
    kWebSocketCalls;

/// All that the rest of the library may know of a connection type.
struct ConnectionTypeRow {
    ConnectionType type;    ///< its number on the API and in configuration
    const char* name;       ///< as in configuration
    std::string_view tool;  ///< as the options of the performance tools call it; empty: they do not offer it
    const ConnectionCalls* calls;
    KeepAlive keepAlive = KeepAlive::agreed;
    const char* instead = nullptr;  ///< it is not supported; what to use, as the end of a sentence
    /// The steps of which one is missing when a client's connection does not open in time, for the error text.
    const char* notOpen = "connection, TLS or WebSocket upgrade not complete";
    /// The likely reason of a server that closes without an answer, for the error text; null: no reason is known.
    const char* closedHint = nullptr;
    bool overTcp = false;       ///< stands on a TCP socket: a host to look up, several addresses, socket buffers
    bool encrypted = false;     ///< TLS below whatever else there is
    bool proxied = false;       ///< may go through an HTTP proxy
    bool insideTls = false;     ///< a name for what runs inside TLS
    bool multicast = false;     ///< groups instead of a host: all ends connect, nobody listens
    bool sharedMemory = false;  ///< one host only
    bool fragments = true;      ///< carries messages larger than one frame
    bool tellsWritable = true;  ///< its descriptor becomes writable when output that was pushed back may go on
    bool listens = false;       ///< has a server side
    bool configured = false;    ///< ChannelType and ServerType know its name
    /// Queued bytes that are handed on at the latest, whatever the high-water mark: handing on costs no system call.
    /// 0: the high-water mark decides, and grows in bursts.
    std::size_t handOnAt = 0;
};

inline constexpr std::array kConnectionTypes = {
    ConnectionTypeRow{.type = ConnectionType::socket,
                      .name = "RSSL_SOCKET",
                      .tool = "socket",
                      .calls = &kTcpCalls,
                      .notOpen = "not connected",
                      .closedHint = "an encrypted port closes like this: is RSSL_ENCRYPTED meant?",
                      .overTcp = true,
                      .insideTls = true,
                      .listens = true,
                      .configured = true},
    ConnectionTypeRow{.type = ConnectionType::encrypted,
                      .name = "RSSL_ENCRYPTED",
                      .tool = "encrypted",
                      .calls = &kTlsCalls,
                      .overTcp = true,
                      .encrypted = true,
                      .proxied = true,
                      .listens = true,
                      .configured = true},
    ConnectionTypeRow{.type = ConnectionType::http,
                      .name = "RSSL_HTTP",
                      .tool = "",
                      .calls = &kTunnelCalls,
                      .instead =
                          "use RSSL_ENCRYPTED, through ProxyHost and ProxyPort where there is a proxy, or RSSL_SOCKET",
                      .insideTls = true,
                      .configured = true},
    ConnectionTypeRow{.type = ConnectionType::sharedMemory,
                      .name = "RSSL_UNIDIR_SHMEM",
                      .tool = "shmem",
                      .calls = &kSharedMemoryCalls,
                      .sharedMemory = true,
                      .listens = true,
                      .configured = true,
                      .handOnAt = 1024},
    ConnectionTypeRow{.type = ConnectionType::reliableMulticast,
                      .name = "RSSL_RELIABLE_MCAST",
                      .tool = "reliableMCast",
                      .calls = &kReliableCalls,
                      .keepAlive = KeepAlive::heard,
                      .multicast = true,
                      .tellsWritable = false,
                      .configured = true},
    ConnectionTypeRow{.type = ConnectionType::sequencedMulticast,
                      .name = "RSSL_SEQ_MCAST",
                      .tool = "seqMCast",
                      .calls = &kSequencedCalls,
                      .keepAlive = KeepAlive::heard,
                      .multicast = true,
                      .fragments = false,
                      .tellsWritable = false},
    ConnectionTypeRow{.type = ConnectionType::webSocket,
                      .name = "RSSL_WEBSOCKET",
                      .tool = "websocket",
                      .calls = &kWebSocketCalls,
                      .overTcp = true,
                      .proxied = true,
                      .insideTls = true,
                      .listens = true,
                      .configured = true},
};

/// Null for a number that is no connection type.
[[nodiscard]] constexpr const ConnectionTypeRow* findConnectionType(std::int64_t number) noexcept {
    for (const ConnectionTypeRow& row : kConnectionTypes)
        if (static_cast<std::int64_t>(row.type) == number) return &row;
    return nullptr;
}
/// The row of one of the enumerators.
[[nodiscard]] constexpr const ConnectionTypeRow& rowOf(ConnectionType type) noexcept {
    const ConnectionTypeRow* const row = findConnectionType(static_cast<std::int64_t>(type));
    return row != nullptr ? *row : kConnectionTypes.front();
}
/// True for the types that join groups instead of connecting to a host.
[[nodiscard]] constexpr bool isMulticast(ConnectionType type) noexcept {
    return rowOf(type).multicast;
}
[[nodiscard]] constexpr const char* describe(ConnectionType type) noexcept {  ///< "RSSL_SOCKET" ...; never null
    const ConnectionTypeRow* const row = findConnectionType(static_cast<std::int64_t>(type));
    return row != nullptr ? row->name : "unknown connection type";
}

}  // namespace emissary::eta::transport

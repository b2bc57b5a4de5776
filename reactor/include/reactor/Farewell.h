// The last message to a peer before this side ends the connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace emissary::reactor {

/// Close codes of WebSocket that this side ends connections with. A program at the other end acts on them:
/// docs/emissary-hub.md says how.
namespace close_code {
inline constexpr std::uint16_t normal = 1000,  ///< nothing to be said
    payload = 1007,                            ///< what the peer sent cannot be read
    policy = 1008,                             ///< rights, limits, requests: connecting again would not help
    internal = 1011,                           ///< a fault of this side's
    restart = 1012,                            ///< this side goes down, and may be back
    slow = 1013,                               ///< the peer does not read what it is sent
    expired = 4001;                            ///< the peer's token has expired: log in with another one
}  // namespace close_code

/// The end of a connection (Link::part).
struct Farewell {
    /// Time for the peer to read what was sent, and the end behind it. Slow peers that read on at all empty the buffers
    /// of both systems (some hundred KiB) within it; the connection costs its place no longer.
    static constexpr std::chrono::milliseconds kLinger{5000};

    std::uint16_t code = close_code::normal;
    std::string_view text;  ///< of the close frame, which holds 123 bytes of it
    std::chrono::milliseconds linger = kLinger;
};

}  // namespace emissary::reactor

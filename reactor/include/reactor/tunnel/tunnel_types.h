// The common types of tunnel streams of both roles: events, limits, counts (tunnel.md).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/Count.h"
#include "reactor/tunnel/ClassOfService.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emissary::reactor::tunnel {

/// A change of a tunnel, as its user sees it.
struct Status {
    eta::codec::State state;                         ///< the text lives until the call returns
    const eta::codec::Msg* login = nullptr;          ///< the login refresh or status inside that caused it; borrowed
    const ClassOfService* classOfService = nullptr;  ///< in force, or what a rejection offers; borrowed
};

/// Limits on memory and messages of each tunnel. A peer that goes beyond one ends the tunnel, unless the limit says
/// that the message is dropped.
struct Limits {
    /// Longest message taken or sent, in bytes, whatever the class of service says.
    std::uint64_t messageBytes = 64u << 20;
    std::uint32_t partialMessages = 16;      ///< fragmented messages under way at once
    std::uint64_t partialBytes = 64u << 20;  ///< of all of these, received so far
    std::uint32_t heldMessages = 4096;       ///< behind a gap; more are dropped, and asked for again
    std::uint64_t heldBytes = 1u << 20;      ///< of these
    std::uint32_t openTunnels = 1000;        ///< of one connection, requested by the peer
    bool operator==(const Limits&) const = default;
};

/// What the tunnels of a role count since it was made. Written under the session lock.
struct Counters {
    eta::Total<"emissary_tunnel_opened_total", "tunnels", "Tunnel streams that were open."> opened;
    eta::Total<"emissary_tunnel_refused_total", "tunnels",
               "Requests for tunnel streams that were rejected, by either end.">
        refused;
    eta::Total<"emissary_tunnel_broken_total", "tunnels",
               "Tunnel streams ended by what the peer sent, or did not send.">
        broken;
    eta::Total<"emissary_tunnel_messages_sent_total", "messages",
               "Data messages of tunnels sent for the first time, each fragment one.">
        sent;
    eta::Total<"emissary_tunnel_messages_repeated_total", "messages", "Data messages of tunnels sent again."> repeated;
    eta::Total<"emissary_tunnel_messages_received_total", "messages",
               "Data messages of tunnels received in order, each fragment one.">
        received;
    eta::Total<"emissary_tunnel_duplicates_total", "messages",
               "Data messages of tunnels that had been received before.">
        duplicates;
    eta::Total<"emissary_tunnel_held_total", "messages", "Data messages that arrived behind a gap and were kept."> held;
    eta::Total<"emissary_tunnel_dropped_total", "messages",
               "Data messages that arrived behind a gap and found no room.">
        dropped;
    eta::Total<"emissary_tunnel_gaps_total", "acknowledgements", "Acknowledgements that asked for missing messages.">
        gaps;
    eta::Total<"emissary_tunnel_window_exceeded_total", "messages",
               "Data messages beyond the receive window that was said.">
        windowExceeded;
    eta::Total<"emissary_tunnel_window_waits_total", "waits", "Times that a message waited for the peer's window.">
        windowWaits;
    eta::Total<"emissary_tunnel_buffers_full_total", "messages",
               "Messages of the application that found all buffers in use.">
        buffersFull;
    eta::Level<"emissary_tunnel_open", "tunnels", "Tunnel streams that are open, or being opened or closed."> open;
    eta::Level<"emissary_tunnel_buffers_used", "buffers", "Messages that are queued or unacknowledged."> buffersUsed;
    eta::Peak<"emissary_tunnel_buffers_peak", "buffers", "Most of these at once."> buffersPeak;
};

/// Why a message was not taken.
enum class SubmitFault : std::uint8_t {
    none,
    notOpen,         ///< the tunnel is not open (any more)
    authentication,  ///< a login is under way
    tooLong,         ///< longer than the class of service allows
    empty,           ///< without a byte
    full,            ///< all buffers are in use: again once the peer has acknowledged something
    encoding,        ///< the message cannot be encoded
};
/// A few words for people; never null.
[[nodiscard]] const char* describe(SubmitFault fault) noexcept;

}  // namespace emissary::reactor::tunnel

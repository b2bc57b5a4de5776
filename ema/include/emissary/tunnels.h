// Tunnel streams at the provider's end, which the EMA API has no calls for, and how full a tunnel stream is at either
// end. An addition to the EMA API; the performance tools use it for `-tunnel`.
//
//     OmmIProviderConfig config;
//     emissary::offerTunnels(config);
//     OmmProvider provider(config, client);
#pragma once

#include <cstdint>
#include <optional>

namespace refinitiv::ema::access {
class OmmConsumer;
class OmmIProviderConfig;
class OmmProvider;
}  // namespace refinitiv::ema::access

namespace emissary {

/// What a provider accepts tunnel streams with. It takes reliable ones with bidirectional flow control whose messages
/// are RWF of major version 14, with or without a login inside; others are rejected, naming what would do.
struct TunnelOffer {
    std::uint32_t outputBuffers = 50;  ///< fragments of each tunnel that may be queued or unacknowledged
    /// Bytes that each consumer may send unacknowledged; -1: 12,288. Raised to one fragment, which is 6144.
    std::int64_t recvWindowSize = -1;
    std::uint32_t perConnection = 1;  ///< tunnels that a connection may have open; more are rejected
};

/// Every interactive OmmProvider that is made from this configuration object from now on accepts tunnel streams; those
/// of other objects reject them. The configured services list the domain of tunnels, rdm::MMT_SYSTEM, among their
/// Capabilities.
///
/// Each tunnel is a client of its own to the application: OmmProviderEvent::getClientHandle() names the tunnel,
/// requests, posts and generic messages inside come to the OmmProviderClient like those of any client, and what is
/// submitted on their handles goes into the tunnel. A login inside comes as a request on the login domain, whose answer
/// admits what follows. When a tunnel ends, onClose() comes for each stream that is open inside. Requests without a
/// service are for that of the tunnel. closeChannel() with a tunnel's handle closes the tunnel; channel information and
/// statistics are those of its connection. A tunnel takes no PackedMsg, and ids of AckMsg are not checked.
///
/// Returns the configuration object. Not while another thread uses that object. Throws nothing.
refinitiv::ema::access::OmmIProviderConfig& offerTunnels(refinitiv::ema::access::OmmIProviderConfig& config,
                                                         const TunnelOffer& offer = {});

/// Messages of a tunnel stream, fragments each one, that are queued or unacknowledged. Empty when the handle names no
/// tunnel that is open: the handle of a TunnelStreamRequest, or at the provider the client handle of a tunnel. Any
/// thread, also inside callbacks; waits for the callback that is running, if another thread runs one.
[[nodiscard]] std::optional<std::uint32_t> tunnelBuffersUsed(const refinitiv::ema::access::OmmConsumer& consumer,
                                                             std::uint64_t handle);
[[nodiscard]] std::optional<std::uint32_t> tunnelBuffersUsed(const refinitiv::ema::access::OmmProvider& provider,
                                                             std::uint64_t clientHandle);

}  // namespace emissary

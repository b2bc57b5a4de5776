// How much of what an OmmProvider has submitted waits for a client to read. An addition to the EMA API: whoever
// publishes many images beside updates paces them by it, so that an update never waits behind all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace refinitiv::ema::access {
class OmmProvider;
}  // namespace refinitiv::ema::access

namespace emissary {

/// Bytes on the connection of a client (OmmProviderEvent::getClientHandle()) that the system has not taken yet; what
/// lies in socket buffers is not counted. At most the connection's output buffers, GuaranteedOutputBuffers of
/// MaxFragmentSize bytes. For a tunnel (emissary/tunnels.h): of the connection that it is in. Empty when the handle
/// names no connected client, as always for a non-interactive provider. Any thread, also inside callbacks; waits for
/// the callback that is running, if another thread runs one. Throws nothing.
[[nodiscard]] std::optional<std::size_t> outputQueued(const refinitiv::ema::access::OmmProvider& provider,
                                                      std::uint64_t clientHandle);

}  // namespace emissary

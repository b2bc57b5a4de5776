// The queued output of an OmmProvider: an addition to the EMA API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace refinitiv::ema::access {
class OmmProvider;
}  // namespace refinitiv::ema::access

namespace emissary {

namespace ema {
class Engine;
}

/// Bytes on the connection of a client (OmmProviderEvent::getClientHandle()) that the system has not taken yet; what
/// lies in socket buffers is not counted. At most the connection's output buffers, GuaranteedOutputBuffers of
/// MaxFragmentSize bytes. For a tunnel (emissary/tunnels.h): of the connection that it is in. A
/// non-interactive provider has one connection, to its server, whatever the handle. Empty when the handle names no
/// connected client, or there is no connection. Any thread, also inside callbacks; waits for the callback that is
/// running, if another thread runs one. Throws nothing.
///
/// A provider that sends many images beside updates can pace the images by it, so that no update waits behind them all.
[[nodiscard]] std::optional<std::size_t> outputQueued(const refinitiv::ema::access::OmmProvider& provider,
                                                      std::uint64_t clientHandle);

/// Bytes that the connection of a client (OmmProviderEvent::getClientHandle()) has been given since it was accepted,
/// before compression: those that wait, as outputQueued() says, and those that have left. What it grows by between two
/// calls is what was sent in between. For a tunnel, and of a non-interactive provider: as outputQueued(). Empty
/// when the handle names no connected client, or there is no connection. Any thread, also inside callbacks; waits for the
/// callback that is running, if another thread runs one. Throws nothing.
///
/// A provider that must share a connection out between images and updates can count by it what each has had.
[[nodiscard]] std::optional<std::uint64_t> outputAccepted(const refinitiv::ema::access::OmmProvider& provider,
                                                          std::uint64_t clientHandle);

/// Messages that this thread submits while the object lives leave together: when it is destroyed, and before that
/// whenever the high-water mark of a connection is reached, which stands at up to 64 KiB meanwhile. For callers
/// that know which messages belong together, all updates of a tick for example: the system is called once for all of
/// it, where otherwise the first message would leave at once and the others a little later. Where every message is to
/// leave by itself (DirectWrite) it still does.
///
///     {
///         const emissary::SubmitBurst burst(provider);
///         for (const Quote& quote : quotes)
///             provider.submit(updateOf(quote), quote.handle);
///     }
///
/// Keep it short, without waiting inside: what was submitted waits too. The provider outlives it. Created and destroyed
/// on one thread, also inside callbacks. One thread has a burst at a time; one that begins while another thread's, or
/// one of the same thread, goes on changes nothing, as does one of a provider that is starting or ending. What other
/// threads submit leaves as always. Throws nothing.
class SubmitBurst {
public:
    /// Begins the burst.
    explicit SubmitBurst(refinitiv::ema::access::OmmProvider& provider) noexcept;
    ~SubmitBurst();  ///< What has gathered leaves.
    SubmitBurst(const SubmitBurst&) = delete;
    SubmitBurst& operator=(const SubmitBurst&) = delete;

private:
    ema::Engine* const engine_;  // null: changes nothing
};

}  // namespace emissary

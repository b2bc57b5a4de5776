// Tunnel streams as the application of a provider sees them (tunnel.md 9.5).
#pragma once

#include "eta/core/Refused.h"
#include "reactor/tunnel/tunnel_types.h"

#include <cstdint>
#include <string_view>

namespace emissary::reactor::tunnel {

/// A tunnel that was accepted. Session lock held for every call. It is valid until the call of
/// TunnelUser::onTunnelStatus() that tells a stream state other than Open returns, or until close() without a final
/// status.
class OfferedTunnel {
public:
    /// Queues one message of any container type. Nothing is queued on a fault. Throws std::bad_alloc.
    [[nodiscard]] virtual SubmitFault submit(eta::codec::DataType type, eta::Bytes data) = 0;
    /// The same for a message, which is encoded.
    [[nodiscard]] virtual SubmitFault submit(const eta::codec::Msg& msg) = 0;
    /// Closes when all submitted messages have gone. Without a final status no call to the user follows.
    virtual void close(bool finalStatus) = 0;
    /// Messages, fragments each one, that are queued or unacknowledged.
    [[nodiscard]] virtual std::uint32_t buffersUsed() const noexcept = 0;
    /// What is in force.
    [[nodiscard]] virtual const ClassOfService& classOfService() const noexcept = 0;
    /// The connection that it runs on.
    [[nodiscard]] virtual std::uint64_t clientHandle() const noexcept = 0;
    virtual ~OfferedTunnel() = default;

    void* context = nullptr;  ///< the application's own word
};

/// Hears what happens in a tunnel. Session lock held, on the dispatching thread; calls of the tunnel may be made from
/// inside.
class TunnelUser {
public:
    virtual ~TunnelUser() = default;
    /// Open/Ok from inside accept(); Open/Suspect when the consumer wants to close; another stream state at the end.
    virtual void onTunnelStatus(OfferedTunnel& tunnel, const Status& status) = 0;
    /// One whole message; the bytes live until the call returns. With authentication the first one is the login
    /// request, whose answer the application submits.
    virtual void onTunnelMessage(OfferedTunnel& tunnel, eta::codec::DataType type, eta::Bytes data) = 0;
};

/// A request that waits for its answer; valid until TunnelListener::onTunnelRequest() returns.
class TunnelCall {
public:
    virtual ~TunnelCall() = default;
    std::uint64_t clientHandle = 0;  ///< the connection
    std::int32_t streamId = 0;
    std::uint8_t domain = 0;
    std::uint16_t serviceId = 0;
    std::string_view name;
    std::uint32_t filter = 0;  ///< parts of the class of service, as the key says it
    ClassOfService classOfService;
    /// Opens the tunnel with this class of service. `outputBuffers`: fragments that may be queued or unacknowledged;
    /// `user` outlives the tunnel. Refused for what cannot be provided, and when it was answered already.
    [[nodiscard]] virtual eta::Refused accept(const ClassOfService& offered, std::uint32_t outputBuffers,
                                              TunnelUser& user) = 0;
    /// Says no, and with `wanted` what would do. Refused for a state that is open, and when it was answered already.
    [[nodiscard]] virtual eta::Refused reject(const eta::codec::State& state,
                                              const ClassOfService* wanted = nullptr) = 0;
};

/// The application's side of requests for tunnels. Session lock held, on the dispatching thread.
class TunnelListener {
public:
    virtual ~TunnelListener() = default;
    /// Answers the call; a call that is not answered is rejected when this returns.
    virtual void onTunnelRequest(TunnelCall& call) = 0;
    /// What clients may take; asked once for each request, and the same object throughout.
    [[nodiscard]] virtual const Limits& tunnelLimits() const noexcept { return defaults_; }

private:
    const Limits defaults_{};
};

}  // namespace emissary::reactor::tunnel

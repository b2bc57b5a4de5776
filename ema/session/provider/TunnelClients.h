// ema/session/provider: the tunnel streams that an interactive provider accepts, and the streams inside them.
#pragma once

#include "Access/Include/Common.h"
#include "emissary/tunnels.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/tunnel/TunnelListener.h"
#include "session/engine/Engine.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::ema {

using access::UInt64;

/// Makes each tunnel a client of the provider's handler: streams inside have handles like those of the role, from
/// reactor::kForeignHandles on. Session lock held throughout; events come on the dispatching thread.
class TunnelClients final : private reactor::tunnel::TunnelListener, private reactor::tunnel::TunnelUser {
public:
    using Msg = eta::codec::Msg;

    TunnelClients(reactor::ProviderHandler& handler, Engine& engine) noexcept : handler_(handler), engine_(engine) {}

    /// What the provider's other clients are held to as well.
    struct Rules {
        reactor::ClientLimits limits;
        bool refreshFirst = true;
    };
    /// What is taken from now on. The role outlives every other call but the destructor.
    void serve(reactor::ProviderRole& role, const TunnelOffer& offer, const Rules& rules);

    /// The handle is of a tunnel, or of a stream inside one.
    [[nodiscard]] static bool owns(UInt64 handle) noexcept { return handle >= reactor::kForeignHandles; }

    /// What became of a message for a stream inside.
    struct Submitted {
        reactor::SubmitFault checked = reactor::SubmitFault::none;                 ///< before it was queued
        reactor::tunnel::SubmitFault queued = reactor::tunnel::SubmitFault::none;  ///< after that
        [[nodiscard]] bool ok() const noexcept {
            return checked == reactor::SubmitFault::none && queued == reactor::tunnel::SubmitFault::none;
        }
    };
    /// Stream id, domain (of refresh, update, status) and private flag are filled in. A final state ends the stream.
    [[nodiscard]] Submitted submit(UInt64 handle, Msg& m);
    /// The stream is open.
    [[nodiscard]] bool isOpen(UInt64 handle) const noexcept { return find(handle) != nullptr; }
    /// The client handle of the connection that a tunnel runs on; 0 when there is no such tunnel.
    [[nodiscard]] UInt64 connectionOf(UInt64 tunnel) const noexcept;
    [[nodiscard]] std::optional<std::uint32_t> buffersUsed(UInt64 tunnel) const noexcept;
    /// Closes a tunnel after what was submitted has gone; false when there is none of that handle.
    bool close(UInt64 tunnel);
    /// A stream, for texts.
    [[nodiscard]] std::string describe(UInt64 handle) const;

private:
    struct Tunnel {
        reactor::tunnel::OfferedTunnel* end = nullptr;
        UInt64 handle = 0, connection = 0;
        std::uint16_t serviceId = 0;
        std::string name;
        bool admitted = false;                                          // no login is due (any more)
        boost::unordered_flat_map<std::int32_t, std::uint32_t> inside;  // slots by stream id
        std::size_t keyBytes = 0;                                       // of all of these
    };
    // A stream inside.
    struct Stream {
        Tunnel* tunnel = nullptr;  // null: a free slot
        std::int32_t streamId = 0;
        std::uint32_t serial = 0;  // of its handle
        std::uint16_t serviceId = 0;
        std::uint8_t domain = 0;
        bool isPrivate = false, refreshed = false;
        std::string name;
    };

    // --- TunnelListener, TunnelUser
    void onTunnelRequest(reactor::tunnel::TunnelCall& call) override;
    void onTunnelStatus(reactor::tunnel::OfferedTunnel& end, const reactor::tunnel::Status& status) override;
    void onTunnelMessage(reactor::tunnel::OfferedTunnel& end, eta::codec::DataType type, eta::Bytes data) override;

    void onRequest(Tunnel& tunnel, Msg& m);
    void onInside(Tunnel& tunnel, const Msg& m);
    void refuse(Tunnel& tunnel, const Msg& request, std::uint8_t code, const std::string& text);
    void drop(const Tunnel& tunnel, const std::string& what);
    [[nodiscard]] std::string whyRefused(const Tunnel& tunnel, const Msg& request, std::uint8_t& code) const;
    [[nodiscard]] reactor::SubmitFault check(const Stream& stream, Msg& m) const;
    [[nodiscard]] const Stream* find(UInt64 handle) const noexcept;
    [[nodiscard]] Tunnel* tunnelOf(UInt64 handle) const noexcept;
    [[nodiscard]] UInt64 handleOf(std::uint32_t slot) const noexcept;
    std::uint32_t add(Tunnel& tunnel, const Msg& request);
    void remove(std::uint32_t slot);
    void tellClosed(std::uint32_t slot);
    void end(Tunnel& tunnel);
    void trim();

    reactor::ProviderHandler& handler_;
    Engine& engine_;
    reactor::ProviderRole* role_ = nullptr;
    TunnelOffer offer_;
    Rules rules_;
    const reactor::tunnel::TunnelCall* asked_ = nullptr;  // while it is accepted
    std::vector<Stream> streams_;
    std::vector<std::uint32_t> free_;
    boost::unordered_flat_map<UInt64, std::unique_ptr<Tunnel>> tunnels_;
    boost::unordered_flat_map<UInt64, std::uint32_t> open_;  // tunnels of each connection that has some
    Msg inner_;
};

}  // namespace emissary::ema

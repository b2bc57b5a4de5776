// The client's way to an active channel: addresses, versions, request and ack (transport.md 1.2, 1.7).
#pragma once

#include "transport/channel/ChannelHandshake.h"
#include "transport/channel/Route.h"

#include <vector>

namespace emissary::eta::transport {

/// Opens the stream of a client: upon the addresses of its route one after the other, or whatever else the connection
/// type stands on.
class Dialler {
public:
    explicit Dialler(const Route& route);
    [[nodiscard]] const ConnectOptions& options() const noexcept { return options_; }
    [[nodiscard]] const ConnectionTypeRow& type() const noexcept { return rowOf(options_.connectionType); }
    /// The first stream that can be opened; null when refused.
    [[nodiscard]] std::unique_ptr<ByteStream> first(Refused& refused);
    /// From the next address on; null when there is none; refused when one was tried.
    [[nodiscard]] std::unique_ptr<ByteStream> next(Refused& refused);
    /// To the same address once more; null when refused.
    [[nodiscard]] std::unique_ptr<ByteStream> again(Refused& refused);

private:
    ConnectOptions options_;
    std::vector<SocketAddress> addresses_;
    std::size_t at_ = 0;
};

/// The client's half of the handshake: driven until the channel is active, or no address and no version is left. On the
/// thread that drives its channel.
class ClientHandshake final : public ChannelHandshake {
public:
    ClientHandshake(const HandshakeEnds& ends, Dialler dialler, TimePoint now);

    [[nodiscard]] InitStatus drive(TimePoint now) override;
    [[nodiscard]] const ChannelOptions& options() const noexcept override { return dialler_.options(); }
    [[nodiscard]] ConnectionType connectionType() const noexcept override { return client().connectionType; }

private:
    enum class Phase : std::uint8_t {
        connecting,  // and whatever else the stream needs: proxy, TLS, WebSocket upgrade
        awaitingAck,
        sendingKey,
    };

    [[nodiscard]] const ConnectOptions& client() const noexcept { return dialler_.options(); }
    [[nodiscard]] InitStatus open(TimePoint now);
    [[nodiscard]] InitStatus awaitAck(TimePoint now);
    [[nodiscard]] InitStatus lostBeforeAck(const IoResult& io);
    [[nodiscard]] InitStatus readAck();
    [[nodiscard]] InitStatus tryNextAddress(std::string reason);
    [[nodiscard]] InitStatus tryOlderVersion(std::string reason);
    [[nodiscard]] InitStatus use(std::unique_ptr<ByteStream> fresh);
    [[nodiscard]] InitStatus stillWaiting(TimePoint now);
    [[nodiscard]] WireBytes request();

    Dialler dialler_;
    Phase phase_ = Phase::connecting;
    bool awaitsProxy_ = false;  // the deadline is the proxy's
    std::string unanswered_;    // what became of the request of the newer version, for the reason
};

}  // namespace emissary::eta::transport

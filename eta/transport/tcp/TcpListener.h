// Listening on a TCP port.
#pragma once

#include "transport/tcp/StreamListener.h"

namespace emissary::eta::transport {

class ServerTls;

/// Gives TCP streams, inside TLS where the type says so; what they speak shows when they have spoken.
class TcpListener final : public StreamListener {
public:
    /// Null when refused.
    [[nodiscard]] static std::unique_ptr<StreamListener> open(const BindOptions& options, Refused& refused);

    [[nodiscard]] int fd() const noexcept override { return listener_.get(); }
    [[nodiscard]] std::uint16_t port() const noexcept override { return port_; }
    [[nodiscard]] Knock next() noexcept override;
    [[nodiscard]] int socket() const noexcept override { return caller_.get(); }
    [[nodiscard]] SocketAddress peer() const noexcept override { return peerOf(caller_.get()); }
    [[nodiscard]] std::unique_ptr<ByteStream> take() override;
    void turnAway() noexcept override { caller_.reset(); }
    void close() noexcept override;

private:
    TcpListener(const BindOptions& options, std::shared_ptr<ServerTls> tls, Descriptor listener);

    const ChannelOptions options_;
    const std::shared_ptr<ServerTls> tls_;  // null: not encrypted
    Descriptor listener_;
    Descriptor spare_;  // given up for a moment to accept and close when descriptors run out
    Descriptor caller_;
    const std::uint16_t port_;
};

}  // namespace emissary::eta::transport

// The way through an HTTP proxy: CONNECT, then plain bytes (transport.md 4).
#pragma once

#include "transport/stream/ByteStream.h"

#include <memory>
#include <string>

namespace emissary::eta::transport {

class ProxyStream final : public ByteStream {
public:
    /// `below` connects to the proxy; `options` name the server and the proxy's user.
    ProxyStream(std::unique_ptr<ByteStream> below, const ConnectOptions& options);
    [[nodiscard]] IoResult handshake() noexcept override;
    [[nodiscard]] bool handshakeWantsWrite() const noexcept override;
    [[nodiscard]] bool pathOpen() const noexcept override { return done_; }
    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override { return below_->receive(into); }
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept override { return below_->send(parts); }
    void shutdown() noexcept override { below_->shutdown(); }
    void close() noexcept override { below_->close(); }
    [[nodiscard]] int fd() const noexcept override { return below_->fd(); }
    [[nodiscard]] std::string reason() const override { return reason_; }

private:
    std::unique_ptr<ByteStream> below_;
    std::string request_, answer_, reason_;
    std::size_t sent_ = 0;
    bool belowReady_ = false, done_ = false;
};

}  // namespace emissary::eta::transport

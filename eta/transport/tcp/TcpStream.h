// TCP sockets: names to addresses, options, a ByteStream over a descriptor.
#pragma once

#include "eta/core/Refused.h"
#include "eta/transport/options.h"
#include "transport/stream/ByteStream.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sys/socket.h>

namespace emissary::eta::transport {

/// Owns a descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    Descriptor(Descriptor&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& o) noexcept {
        if (this != &o) reset(std::exchange(o.fd_, -1));
        return *this;
    }
    ~Descriptor() { reset(); }
    void reset(int fd = -1) noexcept;
    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
    explicit operator bool() const noexcept { return fd_ >= 0; }

private:
    int fd_ = -1;
};

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
    [[nodiscard]] const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&storage); }
    [[nodiscard]] sockaddr* get() noexcept { return reinterpret_cast<sockaddr*>(&storage); }
    [[nodiscard]] int family() const noexcept { return storage.ss_family; }
    [[nodiscard]] std::uint16_t port() const noexcept;
    void setPort(std::uint16_t port) noexcept;
    /// "127.0.0.1"; an IPv4 address mapped into IPv6 is shown as IPv4.
    [[nodiscard]] std::string ip() const;
    /// "127.0.0.1:14002", "[::1]:14002"
    [[nodiscard]] std::string text() const;
    /// The address alone in IPv6 form: a key for counting peers.
    [[nodiscard]] std::array<std::uint8_t, 16> key() const noexcept;
};

[[nodiscard]] SocketAddress peerOf(int fd) noexcept;
[[nodiscard]] SocketAddress localOf(int fd) noexcept;
[[nodiscard]] std::string errnoText(int error);

/// Addresses of a host and port (number or service name). Blocking. Empty when refused.
[[nodiscard]] std::vector<SocketAddress> resolve(const std::string& host, const std::string& port, bool forBind,
                                                 Refused& refused);
/// Address of an interface given as an address, a host name or a device name; `family` AF_UNSPEC takes any.
[[nodiscard]] Refused interfaceAddress(const std::string& name, int family, SocketAddress& out);

/// Options of a connected or connecting socket. Failures are not fatal: info() shows the values in effect.
void applySocketOptions(int fd, const ChannelOptions& options) noexcept;
void applyBufferSizes(int fd, std::uint32_t send, std::uint32_t receive) noexcept;
[[nodiscard]] std::uint32_t socketBufferSize(int fd, int option) noexcept;

/// Starts a non-blocking connect; invalid when it was refused at once.
[[nodiscard]] Descriptor startConnect(const SocketAddress& to, const ChannelOptions& options, Refused& refused);
/// A socket that listens where the options say; invalid when refused.
[[nodiscard]] Descriptor openListener(const BindOptions& options, Refused& refused);

class TcpStream final : public ByteStream {
public:
    TcpStream(Descriptor socket, bool connected) noexcept : socket_(std::move(socket)), connected_(connected) {}
    [[nodiscard]] IoResult handshake() noexcept override;
    [[nodiscard]] IoResult receive(std::span<std::byte> into) noexcept override;
    [[nodiscard]] IoResult send(std::span<const iovec> parts) noexcept override;
    [[nodiscard]] bool finishes() const noexcept override { return true; }
    void finish(std::uint16_t code, std::string_view text) noexcept override;
    void shutdown() noexcept override;
    void close() noexcept override { socket_.reset(); }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] bool heard() const noexcept override { return heard_; }

private:
    Descriptor socket_;
    bool heard_ = false;  // input owner
    bool connected_;
};

}  // namespace emissary::eta::transport

// eta/transport/multicast: UDP sockets of multicast connections: groups, interfaces, batches of datagrams.
#pragma once

#include "transport/multicast/datagram.h"
#include "transport/tcp/TcpStream.h"

#include <memory>
#include <string>
#include <vector>

namespace emissary::eta::transport::mcast {

/// The address of a group and a port; `what` names them for the reader of the refusal ("receive").
[[nodiscard]] Refused resolveGroup(const std::string& address, const std::string& port, const char* what,
                                   SocketAddress& out);

/// An interface by its number and, for IPv4, its address; number 0: the system chooses.
struct Interface {
    unsigned number = 0;
    SocketAddress address;
};
/// By device name or by one of its addresses; an empty name leaves it to the system.
[[nodiscard]] Refused findInterface(const std::string& name, int family, Interface& out);

/// Hears a group; invalid when refused.
[[nodiscard]] Descriptor openGroupSocket(const SocketAddress& group, const Interface& on, std::uint32_t receiveBuffer,
                                         Refused& refused);
/// Sends to groups of this family, and has a port of its own: `port`, or the next free one of `roam` further ones.
/// Invalid when refused.
[[nodiscard]] Descriptor openSendSocket(int family, const std::string& port, std::uint16_t roam, const Interface& on,
                                        std::uint8_t ttl, bool loopback, std::uint32_t sendBuffer, Refused& refused);

[[nodiscard]] Endpoint endpointOf(const SocketAddress& address) noexcept;
/// The way back, for a socket of `family`.
[[nodiscard]] SocketAddress addressOf(const Endpoint& endpoint, int family) noexcept;

/// Receives many datagrams with one system call.
class Batch {
public:
    static constexpr std::size_t kDatagrams = 32;
    Batch();
    /// How many arrived; 0: nothing there for now, or an error that concerns single datagrams only.
    [[nodiscard]] std::size_t receive(int socket) noexcept;
    [[nodiscard]] Bytes datagram(std::size_t i) const noexcept;
    /// It was larger than any datagram of ours may be.
    [[nodiscard]] bool cut(std::size_t i) const noexcept;
    [[nodiscard]] const SocketAddress& from(std::size_t i) const noexcept { return from_[i]; }
    /// Datagrams the system has dropped on this socket for want of room since the last call.
    [[nodiscard]] std::uint32_t takeDropped() noexcept;

private:
    static constexpr std::size_t kSlot = 9216;
    static_assert(kSlot > kMaxDatagram);
    std::unique_ptr<std::byte[]> bytes_;
    std::vector<SocketAddress> from_;
    std::array<std::size_t, kDatagrams> lengths_{};
    std::array<bool, kDatagrams> cut_{};
    std::uint32_t dropped_ = 0, told_ = 0;
};

}  // namespace emissary::eta::transport::mcast

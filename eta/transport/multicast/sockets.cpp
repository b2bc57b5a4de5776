// eta/transport/multicast: joins groups on the right interface, and receives datagrams in batches.
#include "transport/multicast/sockets.h"

#include <cerrno>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace emissary::eta::transport::mcast {
namespace {

constexpr std::uint32_t kLeastReceiveBuffer = 4u << 20;  // a burst must not be lost before it can be read

bool set(int fd, int level, int option, int value) noexcept {
    return ::setsockopt(fd, level, option, &value, sizeof value) == 0;
}

bool isGroup(const SocketAddress& a) noexcept {
    const auto k = a.key();
    // 224.0.0.0/4 and ff00::/8 (docs/wire/multicast.md).
    if (a.family() == AF_INET6) return k[0] == 0xFF;
    return a.family() == AF_INET && (k[12] & 0xF0) == 0xE0;
}

}  // namespace

Refused resolveGroup(const std::string& address, const std::string& port, const char* what, SocketAddress& out) {
    const std::string name = std::string(what) + " address \"" + address + '"';
    Refused unknown;
    const auto found = resolve(address, port, false, unknown);
    if (found.empty()) return {name + ": " + unknown.text};
    out = found.front();
    if (!isGroup(out))
        return {name + " is no multicast group: use one of 224.0.0.0/4, such as 239.1.2.3, or of ff00::/8"};
    if (out.port() == 0) return {std::string(what) + " port \"" + port + "\": it must not be 0"};
    return {};
}

Refused findInterface(const std::string& name, int family, Interface& out) {
    if (name.empty()) return {};
    if (Refused refused = interfaceAddress(name, family, out.address)) return refused;
    out.number = ::if_nametoindex(name.c_str());
    ifaddrs* list = nullptr;
    if (out.number == 0 && ::getifaddrs(&list) == 0) {
        for (const ifaddrs* i = list; i != nullptr && out.number == 0; i = i->ifa_next) {
            if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != family) continue;
            SocketAddress a;
            a.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
            std::memcpy(&a.storage, i->ifa_addr, a.length);
            if (a.key() == out.address.key()) out.number = ::if_nametoindex(i->ifa_name);
        }
        ::freeifaddrs(list);
    }
    // Not found by name, so the address is looked for among those of this host.
    if (out.number != 0) return {};
    return {"interface \"" + name + "\" is not an interface of this host"};
}

Descriptor openGroupSocket(const SocketAddress& where, const Interface& on, std::uint32_t receiveBuffer,
                           Refused& refused) {
    SocketAddress group = where;
    // Addresses of a link mean nothing without the interface.
    if (group.family() == AF_INET6)  // groups of one link or one host belong to an interface
        reinterpret_cast<sockaddr_in6*>(&group.storage)->sin6_scope_id = on.number;
    Descriptor s(::socket(group.family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const auto failed = [&](const char* what) {
        refused.text = std::string(what) + ' ' + group.text() + ": " + errnoText(errno);
        return Descriptor{};
    };
    if (!s) return failed("socket for group");
    // Several programs on one host may hear one group.
    set(s.get(), SOL_SOCKET, SO_REUSEADDR, 1);
    set(s.get(), SOL_SOCKET, SO_RXQ_OVFL, 1);
    const auto wanted = static_cast<int>(std::min(std::max(receiveBuffer, kLeastReceiveBuffer), 0x3FFFFFFFu));
    // FORCE works for root only; the plain option is cut to the system's limit.
    if (!set(s.get(), SOL_SOCKET, SO_RCVBUFFORCE, wanted)) set(s.get(), SOL_SOCKET, SO_RCVBUF, wanted);
    if (::bind(s.get(), group.get(), group.length) != 0) return failed("listening to group");
    if (group.family() == AF_INET) {
        set(s.get(), IPPROTO_IP, IP_MULTICAST_ALL, 0);  // only what is joined here
        ip_mreqn join{};
        std::memcpy(&join.imr_multiaddr, group.key().data() + 12, 4);
        join.imr_ifindex = static_cast<int>(on.number);
        if (::setsockopt(s.get(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof join) != 0)
            return failed("joining group");
    } else {
        ipv6_mreq join{};
        std::memcpy(&join.ipv6mr_multiaddr, group.key().data(), 16);
        join.ipv6mr_interface = on.number;
        if (::setsockopt(s.get(), IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &join, sizeof join) != 0)
            return failed("joining group");
    }
    return s;
}

Descriptor openSendSocket(int family, const std::string& port, std::uint16_t roam, const Interface& on,
                          std::uint8_t ttl, bool loopback, std::uint32_t sendBuffer, Refused& refused) {
    const auto places = resolve(family == AF_INET ? "0.0.0.0" : "::", port, true, refused);
    if (places.empty()) {
        refused.text = "unicast " + refused.text;
        return Descriptor{};
    }
    SocketAddress own = places.front();
    const std::uint16_t first = own.port();
    for (unsigned extra = 0; extra <= roam && first + extra <= 65535; ++extra) {
        Descriptor s(::socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        if (!s) break;
        own.setPort(static_cast<std::uint16_t>(first == 0 ? 0 : first + extra));
        // PortRoamRange: the next port is tried when one is taken, so several programs need no configuration of their
        // own.
        if (::bind(s.get(), own.get(), own.length) != 0) {
            if (errno == EADDRINUSE) continue;
            break;
        }
        if (sendBuffer != 0) set(s.get(), SOL_SOCKET, SO_SNDBUF, static_cast<int>(std::min(sendBuffer, 0x3FFFFFFFu)));
        bool ok = true;
        if (family == AF_INET) {
            // No path MTU discovery: a datagram that is larger than a link is divided instead of being refused.
            set(s.get(), IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DONT);
            ok = set(s.get(), IPPROTO_IP, IP_MULTICAST_TTL, ttl) &&
                 set(s.get(), IPPROTO_IP, IP_MULTICAST_LOOP, loopback ? 1 : 0);
            ip_mreqn via{};
            via.imr_ifindex = static_cast<int>(on.number);
            // Without an interface the system chooses address and route.
            if (on.number != 0) std::memcpy(&via.imr_address, on.address.key().data() + 12, 4);  // our source address
            if (ok && on.number != 0) ok = ::setsockopt(s.get(), IPPROTO_IP, IP_MULTICAST_IF, &via, sizeof via) == 0;
        } else {
            ok = set(s.get(), IPPROTO_IPV6, IPV6_MULTICAST_HOPS, ttl) &&
                 set(s.get(), IPPROTO_IPV6, IPV6_MULTICAST_LOOP, loopback ? 1 : 0);
            if (ok && on.number != 0) ok = set(s.get(), IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(on.number));
        }
        if (ok) return s;
        break;
    }
    refused.text = "unicast port " + port +
                   (roam != 0 ? " and the " + std::to_string(roam) + " after it" : std::string()) + ": " +
                   errnoText(errno);
    return Descriptor{};
}

Endpoint endpointOf(const SocketAddress& address) noexcept {
    return {address.key(), address.port()};
}

SocketAddress addressOf(const Endpoint& e, int family) noexcept {
    SocketAddress a;
    if (family == AF_INET) {
        sockaddr_in v4{};
        v4.sin_family = AF_INET;
        std::memcpy(&v4.sin_addr, e.address.data() + 12, 4);
        std::memcpy(&a.storage, &v4, sizeof v4);
        a.length = sizeof v4;
    } else {
        sockaddr_in6 v6{};
        v6.sin6_family = AF_INET6;
        std::memcpy(&v6.sin6_addr, e.address.data(), 16);
        std::memcpy(&a.storage, &v6, sizeof v6);
        a.length = sizeof v6;
    }
    a.setPort(e.port);
    return a;
}

// --- batches ---------------------------------------------------------------------------------------------------------

Batch::Batch() : bytes_(std::make_unique_for_overwrite<std::byte[]>(kDatagrams * kSlot)), from_(kDatagrams) {}

std::size_t Batch::receive(int socket) noexcept {
    std::array<mmsghdr, kDatagrams> messages{};
    std::array<iovec, kDatagrams> parts;
    struct alignas(cmsghdr) Control {
        char bytes[CMSG_SPACE(sizeof(std::uint32_t))];
    };
    std::array<Control, kDatagrams> controls;
    for (std::size_t i = 0; i < kDatagrams; ++i) {
        parts[i] = {bytes_.get() + i * kSlot, kSlot};
        msghdr& m = messages[i].msg_hdr;
        m.msg_name = from_[i].get();
        m.msg_namelen = sizeof from_[i].storage;
        m.msg_iov = &parts[i];
        m.msg_iovlen = 1;
        m.msg_control = controls[i].bytes;
        m.msg_controllen = sizeof controls[i].bytes;
    }
    // No wait: the loop has said that something is there, and the next turn takes the rest.
    int n = 0;
    do
        n = ::recvmmsg(socket, messages.data(), kDatagrams, MSG_DONTWAIT, nullptr);
    while (n < 0 && errno == EINTR);
    if (n <= 0) return 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        msghdr& m = messages[i].msg_hdr;
        lengths_[i] = std::min<std::size_t>(messages[i].msg_len, kSlot);
        // A datagram larger than the slot is no packet of this protocol.
        cut_[i] = (m.msg_flags & MSG_TRUNC) != 0;
        from_[i].length = m.msg_namelen;
        for (cmsghdr* c = CMSG_FIRSTHDR(&m); c != nullptr; c = CMSG_NXTHDR(&m, c))
            if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_RXQ_OVFL)
                std::memcpy(&dropped_, CMSG_DATA(c), sizeof dropped_);
    }
    return static_cast<std::size_t>(n);
}

Bytes Batch::datagram(std::size_t i) const noexcept {
    return {bytes_.get() + i * kSlot, lengths_[i]};
}

bool Batch::cut(std::size_t i) const noexcept {
    return cut_[i];
}

// The system counts from the start of the socket; what is reported is the difference.
std::uint32_t Batch::takeDropped() noexcept {
    return dropped_ - std::exchange(told_, dropped_);
}

}  // namespace emissary::eta::transport::mcast

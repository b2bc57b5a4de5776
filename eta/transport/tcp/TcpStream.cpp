// eta/transport/tcp: resolves names, opens and configures sockets, and sends and receives over them.
#include "transport/tcp/TcpStream.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

void setInt(int fd, int level, int option, int value) noexcept {
    static_cast<void>(::setsockopt(fd, level, option, &value, sizeof value));
}

sockaddr_in asV4(const SocketAddress& a) noexcept {
    sockaddr_in v4{};
    std::memcpy(&v4, &a.storage, sizeof v4);
    return v4;
}
sockaddr_in6 asV6(const SocketAddress& a) noexcept {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &a.storage, sizeof v6);
    return v6;
}

}  // namespace

void Descriptor::reset(int fd) noexcept {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
}

std::uint16_t SocketAddress::port() const noexcept {
    if (family() == AF_INET) return reorder<std::endian::big>(asV4(*this).sin_port);
    if (family() == AF_INET6) return reorder<std::endian::big>(asV6(*this).sin6_port);
    return 0;
}

void SocketAddress::setPort(std::uint16_t port) noexcept {
    const std::uint16_t wire = reorder<std::endian::big>(port);
    if (family() == AF_INET) std::memcpy(reinterpret_cast<char*>(&storage) + offsetof(sockaddr_in, sin_port), &wire, 2);
    if (family() == AF_INET6)
        std::memcpy(reinterpret_cast<char*>(&storage) + offsetof(sockaddr_in6, sin6_port), &wire, 2);
}

// IPv4 as an IPv6 address, so that one key covers both.
std::array<std::uint8_t, 16> SocketAddress::key() const noexcept {
    std::array<std::uint8_t, 16> k{};
    if (family() == AF_INET6) {
        const sockaddr_in6 v6 = asV6(*this);
        std::memcpy(k.data(), &v6.sin6_addr, 16);
    } else if (family() == AF_INET) {
        const sockaddr_in v4 = asV4(*this);
        k[10] = k[11] = 0xFF;
        std::memcpy(k.data() + 12, &v4.sin_addr, 4);
    }
    return k;
}

std::string SocketAddress::ip() const {
    char text[INET6_ADDRSTRLEN] = "";
    const auto k = key();
    // An IPv4 address that came over an IPv6 socket is shown as IPv4.
    constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (family() != AF_INET && family() != AF_INET6) return "unknown";
    if (std::equal(mapped.begin(), mapped.end(), k.begin())) ::inet_ntop(AF_INET, k.data() + 12, text, sizeof text);
    else ::inet_ntop(AF_INET6, k.data(), text, sizeof text);
    return text;
}

std::string SocketAddress::text() const {
    const std::string address = ip();
    const bool v6 = address.find(':') != std::string::npos;
    return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port());
}

SocketAddress peerOf(int fd) noexcept {
    SocketAddress a;
    a.length = sizeof a.storage;
    if (::getpeername(fd, a.get(), &a.length) != 0) a = {};
    return a;
}

SocketAddress localOf(int fd) noexcept {
    SocketAddress a;
    a.length = sizeof a.storage;
    if (::getsockname(fd, a.get(), &a.length) != 0) a = {};
    return a;
}

std::string errnoText(int error) {
    return std::generic_category().message(error);
}

std::vector<SocketAddress> resolve(const std::string& host, const std::string& port, bool forBind, Refused& refused) {
    // getaddrinfo() would take a larger number modulo 65536.
    std::uint32_t number = 0;
    const auto parsed = std::from_chars(port.data(), port.data() + port.size(), number);
    const bool whole = !port.empty() && parsed.ptr == port.data() + port.size();
    if (whole && (parsed.ec != std::errc() || number > 65535)) {
        refused.text = "port " + port + " is beyond 65535";
        return {};
    }
    // A number is checked here, because the system would wrap it.
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = forBind ? AI_PASSIVE : AI_ADDRCONFIG;
    addrinfo* list = nullptr;
    const char* const node = host.empty() ? nullptr : host.c_str();
    int rc = ::getaddrinfo(node, port.c_str(), &hints, &list);
    if (rc != 0 && !forBind) {  // without any configured interface only loopback is left, which AI_ADDRCONFIG hides
        hints.ai_flags = 0;
        rc = ::getaddrinfo(node, port.c_str(), &hints, &list);
    }
    std::vector<SocketAddress> found;
    if (rc != 0) {
        refused.text = rc == EAI_SERVICE  ? "port \"" + port + "\" is neither a number nor a known service"
                       : rc == EAI_SYSTEM ? errnoText(errno)
                                          : std::string(::gai_strerror(rc));
        return found;
    }
    for (const addrinfo* a = list; a != nullptr; a = a->ai_next) {
        if (a->ai_addrlen > sizeof(sockaddr_storage)) continue;
        SocketAddress& s = found.emplace_back();
        std::memcpy(&s.storage, a->ai_addr, a->ai_addrlen);
        s.length = a->ai_addrlen;
    }
    ::freeaddrinfo(list);
    if (found.empty()) refused.text = "no address";
    return found;
}

Refused interfaceAddress(const std::string& name, int family, SocketAddress& out) {
    ifaddrs* list = nullptr;
    // The device may have several addresses; the first of the wanted family counts.
    if (::getifaddrs(&list) == 0) {
        bool found = false;
        for (const ifaddrs* i = list; i != nullptr && !found; i = i->ifa_next) {
            if (i->ifa_addr == nullptr || name != i->ifa_name) continue;
            const int f = i->ifa_addr->sa_family;
            if ((f != AF_INET && f != AF_INET6) || (family != AF_UNSPEC && f != family)) continue;
            out.length = f == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
            std::memcpy(&out.storage, i->ifa_addr, out.length);
            found = true;
        }
        ::freeifaddrs(list);
        if (found) return {};
    }
    // Not a device of this host: it may be an address or a name.
    Refused unknown;
    for (const SocketAddress& a : resolve(name, "0", true, unknown)) {
        if (family != AF_UNSPEC && a.family() != family) continue;
        out = a;
        return {};
    }
    return {"interface \"" + name + "\": no such address or device"};
}

void applyBufferSizes(int fd, std::uint32_t send, std::uint32_t receive) noexcept {
    if (send != 0) setInt(fd, SOL_SOCKET, SO_SNDBUF, static_cast<int>(std::min(send, 0x7FFFFFFFu)));
    if (receive != 0) setInt(fd, SOL_SOCKET, SO_RCVBUF, static_cast<int>(std::min(receive, 0x7FFFFFFFu)));
}

void applySocketOptions(int fd, const ChannelOptions& options) noexcept {
    // A peer that vanishes without a word is found by the system as well, in hours.
    setInt(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    setInt(fd, IPPROTO_TCP, TCP_NODELAY, options.tcpNoDelay ? 1 : 0);
    applyBufferSizes(fd, options.sysSendBufSize, options.sysRecvBufSize);
}

std::uint32_t socketBufferSize(int fd, int option) noexcept {
    int value = 0;
    socklen_t size = sizeof value;
    if (::getsockopt(fd, SOL_SOCKET, option, &value, &size) != 0 || value < 0) return 0;
    return static_cast<std::uint32_t>(value);
}

Descriptor startConnect(const SocketAddress& to, const ChannelOptions& options, Refused& refused) {
    Descriptor s(::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
    if (!s) {
        refused.text = errnoText(errno);
        return s;
    }
    applySocketOptions(s.get(), options);
    if (!options.interfaceName.empty()) {
        SocketAddress from;
        if (refused = interfaceAddress(options.interfaceName, to.family(), from); refused) return Descriptor{};
        from.setPort(0);
        if (::bind(s.get(), from.get(), from.length) != 0) {
            refused.text = "interface \"" + options.interfaceName + "\": " + errnoText(errno);
            return Descriptor{};
        }
    }
    int rc = 0;
    do
        rc = ::connect(s.get(), to.get(), to.length);
    while (rc != 0 && errno == EINTR);
    // EINPROGRESS: the rest happens while the loop waits for writability.
    if (rc != 0 && errno != EINPROGRESS) {
        refused.text = errnoText(errno);
        return Descriptor{};
    }
    return s;
}

Descriptor openListener(const BindOptions& options, Refused& refused) {
    std::vector<SocketAddress> places;
    // Bound to one address, so the search for others is not needed.
    if (!options.interfaceName.empty()) {
        SocketAddress own;
        if (refused = interfaceAddress(options.interfaceName, AF_UNSPEC, own); refused) return Descriptor{};
        const auto numbered = resolve("", options.port, true, refused);
        if (numbered.empty()) return Descriptor{};
        own.setPort(numbered.front().port());
        places.push_back(own);
    } else {
        const auto any = resolve("", options.port, true, refused);
        for (const auto& a : any)  // one IPv6 socket serves IPv4 too, where the system has IPv6
            if (a.family() == AF_INET6) places.push_back(a);
        for (const auto& a : any)
            if (a.family() == AF_INET) places.push_back(a);
    }
    for (const SocketAddress& at : places) {
        Descriptor s(::socket(at.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
        if (!s) {
            refused.text = errnoText(errno);
            continue;
        }
        // A restarted server takes its port at once, although old connections are still in the system.
        setInt(s.get(), SOL_SOCKET, SO_REUSEADDR, 1);
        // Several threads listen on one port, and the system spreads the connections.
        if (options.sharedSocket) setInt(s.get(), SOL_SOCKET, SO_REUSEPORT, 1);
        if (at.family() == AF_INET6) setInt(s.get(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
        applyBufferSizes(s.get(), options.sysSendBufSize, options.sysRecvBufSize);
        if (::bind(s.get(), at.get(), at.length) == 0 && ::listen(s.get(), SOMAXCONN) == 0) return s;
        if (errno == EADDRINUSE) {
            refused.text = "is in use by another program";
            return Descriptor{};
        }
        refused.text = errnoText(errno);
    }
    return Descriptor{};
}

IoResult TcpStream::handshake() noexcept {
    if (connected_) return {};
    pollfd p{socket_.get(), POLLOUT, 0};
    // The connection is established or has failed; SO_ERROR says which.
    if (::poll(&p, 1, 0) <= 0) return {IoResult::Kind::wouldBlock, 0, 0};
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
    if (error != 0) return {IoResult::Kind::error, 0, error};
    connected_ = true;
    return {};
}

IoResult TcpStream::receive(std::span<std::byte> into) noexcept {
    for (;;) {
        const ssize_t n = ::recv(socket_.get(), into.data(), into.size(), 0);
        if (n > 0) {
            heard_ = true;
            return {IoResult::Kind::ok, static_cast<std::size_t>(n), 0};
        }
        if (n == 0) return {IoResult::Kind::end, 0, 0};
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return {IoResult::Kind::wouldBlock, 0, 0};
        return {IoResult::Kind::error, 0, errno};
    }
}

IoResult TcpStream::send(std::span<const iovec> parts) noexcept {
    for (;;) {
        ssize_t n = 0;
        // send() for one piece, because it needs no header.
        if (parts.size() == 1) {
            n = ::send(socket_.get(), parts[0].iov_base, parts[0].iov_len, MSG_NOSIGNAL);
        } else {
            msghdr m{};
            m.msg_iov = const_cast<iovec*>(parts.data());  // sendmsg does not write to it
            m.msg_iovlen = parts.size();
            n = ::sendmsg(socket_.get(), &m, MSG_NOSIGNAL);
        }
        if (n >= 0) return {IoResult::Kind::ok, static_cast<std::size_t>(n), 0};
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return {IoResult::Kind::wouldBlock, 0, 0};
        return {IoResult::Kind::error, 0, errno};
    }
}

void TcpStream::finish(std::uint16_t, std::string_view) noexcept {
    // Half closed: the peer reads to the end of what was written, then sees the close.
    if (socket_) ::shutdown(socket_.get(), SHUT_WR);
}

void TcpStream::shutdown() noexcept {
    if (socket_) ::shutdown(socket_.get(), SHUT_RDWR);
}

}  // namespace emissary::eta::transport

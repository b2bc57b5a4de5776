// Raw sockets, listeners and channel pairs on loopback, and texts in hexadecimal.
#include "support.h"

#include "support/catch.hpp"
#include "support/paths.h"

#include <filesystem>
#include <fstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "transport/channel/handshake.h"

namespace transport_test {

ByteVector hex(std::string_view text) {
    ByteVector out;
    int high = -1;
    for (const char c : text) {
        if (c == ' ' || c == '|') continue;
        const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        if (high < 0) {
            high = digit;
        } else {
            out.push_back(static_cast<std::byte>(high << 4 | digit));
            high = -1;
        }
    }
    return out;
}

std::string toHex(Bytes bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const std::byte b : bytes) {
        out += digits[std::to_integer<unsigned>(b) >> 4];
        out += digits[std::to_integer<unsigned>(b) & 15];
    }
    return out;
}

std::vector<ByteVector> vectorLines(const std::string& name) {
    std::ifstream in(emissary::test::vectorPath("/ripc/") + name + ".hex");
    INFO("vector " << name);
    REQUIRE(in.good());
    std::vector<ByteVector> lines;
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#') lines.push_back(hex(line));
    }
    REQUIRE_FALSE(lines.empty());
    return lines;
}

ByteVector pattern(std::size_t bytes) {
    static constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    ByteVector out(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        out[i] = static_cast<std::byte>(alphabet[i % alphabet.size()]);
    return out;
}

ByteVector concat(const std::vector<ByteVector>& parts) {
    ByteVector out;
    for (const ByteVector& p : parts)
        out.insert(out.end(), p.begin(), p.end());
    return out;
}

namespace {

bool waitFor(int fd, short events, int milliseconds) {
    pollfd p{fd, events, 0};
    return ::poll(&p, 1, milliseconds) > 0;
}

}  // namespace

bool readable(int fd, int milliseconds) {
    return waitFor(fd, POLLIN, milliseconds);
}
bool writable(int fd, int milliseconds) {
    return waitFor(fd, POLLOUT, milliseconds);
}

std::size_t openDescriptors() {
    std::size_t n = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        ++n;
    return n;
}

RawSocket RawSocket::connectTo(std::uint16_t port) {
    RawSocket s(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(s.fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
    const int one = 1;
    ::setsockopt(s.fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return s;
}

RawSocket& RawSocket::operator=(RawSocket&& o) noexcept {
    if (this != &o) {
        close();
        fd_ = std::exchange(o.fd_, -1);
    }
    return *this;
}

RawSocket::~RawSocket() {
    close();
}

void RawSocket::close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void RawSocket::reset() {
    const linger abort{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
    close();
}

void RawSocket::send(Bytes bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return;  // the peer may have closed on purpose; the test sees that elsewhere
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

ByteVector RawSocket::receive(std::size_t n) {
    ByteVector out(n);
    std::size_t got = 0;
    while (got < n && readable(fd_)) {
        const ssize_t r = ::recv(fd_, out.data() + got, n - got, 0);
        if (r <= 0) break;
        got += static_cast<std::size_t>(r);
    }
    out.resize(got);
    return out;
}

ByteVector RawSocket::receiveFrame() {
    ByteVector frame = receive(2);
    if (frame.size() < 2) return {};
    const std::size_t length = loadBe<std::uint16_t>(frame.data());
    const ByteVector rest = receive(length - 2);
    frame.insert(frame.end(), rest.begin(), rest.end());
    return frame;
}

bool RawSocket::closedByPeer() {
    std::byte sink[4096];
    while (readable(fd_)) {
        if (::recv(fd_, sink, sizeof sink, 0) <= 0) return true;
    }
    return false;
}

RawListener::RawListener() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in on{};
    on.sin_family = AF_INET;
    on.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(fd_, reinterpret_cast<const sockaddr*>(&on), sizeof on) == 0);
    REQUIRE(::listen(fd_, 64) == 0);
    socklen_t size = sizeof on;
    REQUIRE(::getsockname(fd_, reinterpret_cast<sockaddr*>(&on), &size) == 0);
    port_ = ntohs(on.sin_port);
}

RawListener::~RawListener() {
    ::close(fd_);
}

RawSocket RawListener::accept() {
    REQUIRE(readable(fd_));
    RawSocket s(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC));
    REQUIRE(s.fd() >= 0);
    return s;
}

BindOptions bindOptions() {
    BindOptions o;
    o.port = "0";
    o.interfaceName = "127.0.0.1";
    return o;
}

ConnectOptions connectOptions(std::uint16_t port) {
    ConnectOptions o;
    o.host = "127.0.0.1";
    o.port = std::to_string(port);
    return o;
}

std::unique_ptr<Server> listen(const BindOptions& options) {
    Refused refused;
    auto server = Server::bind(options, refused);
    INFO(refused.text);
    REQUIRE(server != nullptr);
    return server;
}

std::unique_ptr<Channel> open(const ConnectOptions& options, TimePoint now) {
    Refused refused;
    auto channel = Channel::connect(options, now, refused);
    INFO(refused.text);
    REQUIRE(channel != nullptr);
    return channel;
}

std::unique_ptr<Channel> acceptOne(Server& server, TimePoint now) {
    REQUIRE(readable(server.fd()));
    auto channel = server.accept(now);
    REQUIRE(channel != nullptr);
    return channel;
}

InitStatus settle(Channel& channel, TimePoint now) {
    for (;;) {
        const InitStatus s = channel.init(now);
        if (s == InitStatus::active || s == InitStatus::failed) return s;
        if (!waitFor(channel.fd(), static_cast<short>(channel.wantsWrite() ? POLLIN | POLLOUT : POLLIN), 5000))
            return s;
    }
}

ConnectOptions multicastOptions(ConnectionType type, std::uint16_t receivePort, std::uint16_t sendPort) {
    ConnectOptions o;
    o.connectionType = type;
    o.interfaceName = "127.0.0.1";
    o.guaranteedOutputBuffers = 500;
    o.multicast.receiveAddress = "239.255.14.1";
    o.multicast.sendAddress = "239.255.14.1";
    o.multicast.receivePort = std::to_string(receivePort);
    o.multicast.sendPort = std::to_string(sendPort);
    o.multicast.unicastPort = "0";
    return o;
}

Pair makeGroupPair(ConnectOptions connect) {
    Pair p;
    std::string one = std::to_string(freeUdpPort()), two = one;
    while (two == one)
        two = std::to_string(freeUdpPort());
    for (auto* channel : {&p.client, &p.accepted}) {
        connect.multicast.receivePort = one;
        connect.multicast.sendPort = two;
        *channel = open(connect);
        REQUIRE((*channel)->init(at(0)) == InitStatus::active);
        std::swap(one, two);
    }
    return p;
}

Pair makePair(const BindOptions& bind, ConnectOptions connect) {
    if (isMulticast(connect.connectionType)) return makeGroupPair(connect);
    Pair p;
    p.server = listen(bind);
    connect.port = std::to_string(p.server->port());
    p.client = open(connect);
    p.accepted = acceptOne(*p.server);
    InitStatus client = InitStatus::inProgress, accepted = InitStatus::inProgress;
    for (int turn = 0; turn < 100000; ++turn) {
        if (client != InitStatus::active) client = p.client->init(at(0));
        if (accepted != InitStatus::active) accepted = p.accepted->init(at(0));
        if (client == InitStatus::active && accepted == InitStatus::active) return p;
        REQUIRE(client != InitStatus::failed);
        REQUIRE(accepted != InitStatus::failed);
        static_cast<void>(readable(p.client->fd(), 1));
    }
    FAIL("the pair did not become active");
    return p;
}

RawPeer makeRawPeer(int ripcVersion, const BindOptions& bind) {
    RawPeer p;
    p.server = listen(bind);
    p.raw = RawSocket::connectTo(p.server->port());
    ConnectionRequest request;
    request.ripcVersion = ripcVersion;
    request.hostName = "raw";
    request.ipAddress = "127.0.0.1";
    p.raw.send(encodeRequest(request));
    p.channel = acceptOne(*p.server);
    REQUIRE(settle(*p.channel) == InitStatus::active);
    REQUIRE(p.raw.receiveFrame().size() >= 19);
    return p;
}

ReadResult readWait(Channel& channel) {
    for (;;) {
        const ReadResult r = channel.read();
        if (r.kind != ReadResult::Kind::wouldBlock || r.more) return r;
        if (!readable(channel.fd())) return r;
    }
}

ByteVector readMessage(Channel& channel) {
    const ReadResult r = readWait(channel);
    if (r.kind != ReadResult::Kind::message) return {};
    return {r.message.begin(), r.message.end()};
}

bool flushWait(Channel& channel) {
    while (!channel.flush()) {
        if (channel.state() != ChannelState::active || !writable(channel.fd())) return false;
    }
    return true;
}

}  // namespace transport_test

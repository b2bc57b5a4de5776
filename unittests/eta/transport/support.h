// Helpers of the transport tests: vectors, raw sockets, pairs of channels. Real sockets on loopback, injected time.
#pragma once

#include "eta/transport/Channel.h"
#include "support/udp_port.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace transport_test {

using namespace emissary::eta;
using namespace emissary::eta::transport;
using ByteVector = std::vector<std::byte>;

/// Spaces and '|' are ignored.
ByteVector hex(std::string_view text);
std::string toHex(Bytes bytes);
/// The lines of vectors/ripc/NAME.hex as bytes, the comment left out.
std::vector<ByteVector> vectorLines(const std::string& name);
/// "ABC...Z0123456789" repeated, as in the captures.
ByteVector pattern(std::size_t bytes);
ByteVector concat(const std::vector<ByteVector>& parts);

/// A point in time that tests move by hand.
inline TimePoint at(double seconds) {
    return TimePoint{} + std::chrono::hours(1) +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Waits until the descriptor is readable (or writable); false after five seconds.
bool readable(int fd, int milliseconds = 5000);
bool writable(int fd, int milliseconds = 5000);
std::size_t openDescriptors();

/// A blocking socket that says exactly what a test wants, with a receive timeout of five seconds.
class RawSocket {
public:
    explicit RawSocket(int fd = -1) : fd_(fd) {}
    static RawSocket connectTo(std::uint16_t port);
    RawSocket(RawSocket&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
    RawSocket& operator=(RawSocket&& o) noexcept;
    ~RawSocket();
    void send(Bytes bytes);
    /// Exactly n bytes; fewer only at the end of the stream.
    ByteVector receive(std::size_t n);
    /// One frame by its length field; empty at the end of the stream.
    ByteVector receiveFrame();
    /// True when the peer closed (end of stream or reset) within five seconds.
    bool closedByPeer();
    void reset();  ///< close with a TCP reset
    void close();
    [[nodiscard]] int fd() const { return fd_; }

private:
    int fd_;
};

/// A listening raw socket on an ephemeral port.
class RawListener {
public:
    RawListener();
    ~RawListener();
    RawSocket accept();
    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    int fd_;
    std::uint16_t port_ = 0;
};

BindOptions bindOptions();
ConnectOptions connectOptions(std::uint16_t port);
std::unique_ptr<Server> listen(const BindOptions& options = bindOptions());
std::unique_ptr<Channel> open(const ConnectOptions& options, TimePoint now = at(0));
/// Waits for a pending connection.
std::unique_ptr<Channel> acceptOne(Server& server, TimePoint now = at(0));
/// Calls init() as the descriptor allows until it says active or failed.
InitStatus settle(Channel& channel, TimePoint now = at(0));

struct Pair {
    std::unique_ptr<Server> server;
    std::unique_ptr<Channel> client, accepted;
};
/// A connected, active pair.
Pair makePair(const BindOptions& bind = bindOptions(), ConnectOptions connect = connectOptions(0));

using emissary::test::freeUdpPort;
/// Options of a multicast client on the loopback interface: hears one group and sends to another.
ConnectOptions multicastOptions(ConnectionType type, std::uint16_t receivePort, std::uint16_t sendPort);
/// Two clients that hear each other; there is no server.
Pair makeGroupPair(ConnectOptions connect);

/// A server channel that is active with a raw socket at the other end.
struct RawPeer {
    std::unique_ptr<Server> server;
    std::unique_ptr<Channel> channel;
    RawSocket raw;
};
/// `ripcVersion` 11 .. 14, without key exchange.
RawPeer makeRawPeer(int ripcVersion = 14, const BindOptions& bind = bindOptions());

/// read() that waits for the descriptor when nothing is there; wouldBlock after five seconds.
ReadResult readWait(Channel& channel);
/// Next message as a copy; empty when something else came.
ByteVector readMessage(Channel& channel);
/// Flushes, reading nothing, until everything went.
bool flushWait(Channel& channel);

}  // namespace transport_test

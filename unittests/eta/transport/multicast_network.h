// A network for the multicast protocol, without sockets and with a clock that tests move: it loses, doubles, delays and
// reorders datagrams as it is told.
#pragma once

#include "transport/multicast/Receiver.h"
#include "transport/multicast/Sender.h"
#include "support.h"

#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <vector>

namespace transport_test {

class Network;

/// One program on the network: what MulticastStream does with sockets.
class Node final : private mcast::Outlet {
public:
    Node(Network& network, std::uint8_t number, const mcast::SenderOptions& send,
         const mcast::ReceiverOptions& receive);

    /// Sends one message: a plain frame, or fragments when it is larger than a frame.
    void write(Bytes message);
    void arrives(const ByteVector& datagram, const mcast::Endpoint& from);
    void turn();
    [[nodiscard]] TimePoint deadline() const { return std::min(sender->deadline(), receiver->deadline()); }
    void leave() { sender->farewell(*this); }
    /// A new program takes this one's place, with the same address and port.
    void restart(std::uint32_t session);

    mcast::Endpoint self;
    mcast::SenderOptions sendOptions;
    mcast::ReceiverOptions receiveOptions;
    std::unique_ptr<mcast::Sender> sender;
    std::unique_ptr<mcast::Receiver> receiver;
    std::vector<ByteVector> received;
    std::vector<std::uint32_t> gaps;  ///< sizes, in order
    unsigned slow = 0, pings = 0;
    bool reads = true;

private:
    void toGroup(Bytes datagram) noexcept override;
    void toPeer(const mcast::Endpoint& to, Bytes datagram) noexcept override;
    void transmit();
    void drain();

    Network& network_;
    std::uint16_t fragmentId_ = 0;
};

class Network {
public:
    explicit Network(std::uint32_t seed = 1) : random(seed) {}
    Node& add(const mcast::SenderOptions& send = {}, mcast::ReceiverOptions receive = {});
    /// Lets time pass.
    void run(std::chrono::milliseconds span);
    void toGroup(const Node& from, Bytes datagram);
    void toPeer(const Node& from, const mcast::Endpoint& to, Bytes datagram);
    /// Puts a datagram on the wire, as if `from` had sent it.
    void inject(const mcast::Endpoint& from, Bytes datagram);

    TimePoint now = at(0);
    double loss = 0, duplication = 0, reordering = 0;  ///< of each copy that is on its way to somebody
    std::mt19937 random;
    std::vector<std::unique_ptr<Node>> nodes;
    /// Sees every copy; true: it does not arrive.
    std::function<bool(const Node& to, Bytes datagram)> drops;
    std::size_t groupDatagrams = 0, unicastDatagrams = 0;

private:
    struct Flight {
        TimePoint at;
        std::uint64_t order;
        std::size_t to;
        mcast::Endpoint from;
        ByteVector datagram;
        bool operator<(const Flight& o) const { return at != o.at ? at > o.at : order > o.order; }
    };
    void carry(std::size_t to, const mcast::Endpoint& from, Bytes datagram);
    std::priority_queue<Flight> flights_;
    std::uint64_t order_ = 0;
};

}  // namespace transport_test

// Carries datagrams between nodes with losses, doubles and delays on a clock of its own.
#include "multicast_network.h"

#include "support/catch.hpp"

namespace transport_test {

using namespace mcast;

Node::Node(Network& network, std::uint8_t number, const SenderOptions& send, const ReceiverOptions& receive)
    : sendOptions(send), receiveOptions(receive), network_(network) {
    self.address[15] = number;
    self.port = static_cast<std::uint16_t>(5000 + number);
    restart(1000u + number);
}

void Node::restart(std::uint32_t session) {
    sendOptions.session = receiveOptions.ownSession = session;
    sendOptions.returnPort = receiveOptions.returnPort = self.port;
    receiveOptions.seed = session * 7919u;
    sender = std::make_unique<Sender>(sendOptions, network_.now);
    receiver = std::make_unique<Receiver>(receiveOptions);
}

void Node::write(Bytes message) {
    const std::size_t room = sender->maxFrame();
    ByteVector f;
    const auto head = [&](std::size_t length, std::uint8_t flags) {
        f.assign(3, std::byte{0});
        storeBe(f.data(), static_cast<std::uint16_t>(length));
        f[2] = std::byte{flags};
    };
    if (message.size() + frame::kHeader <= room) {
        head(message.size() + frame::kHeader, frame::kData);
        f.insert(f.end(), message.begin(), message.end());
        REQUIRE(sender->append(f, true));
    } else {
        ++fragmentId_;
        for (std::size_t done = 0; done < message.size();) {
            const std::size_t header = done == 0 ? frame::firstFragmentHeader(2) : frame::nextFragmentHeader(2);
            const std::size_t part = std::min(room - header, message.size() - done);
            head(header + part, frame::kData | frame::kExtended);
            f.resize(header);
            f[3] = std::byte{done == 0 ? frame::kFragmentHeader : frame::kFragment};
            if (done == 0) storeBe(f.data() + 4, static_cast<std::uint32_t>(message.size()));
            storeBe(f.data() + header - 2, fragmentId_);
            f.insert(f.end(), message.begin() + static_cast<std::ptrdiff_t>(done),
                     message.begin() + static_cast<std::ptrdiff_t>(done + part));
            REQUIRE(sender->append(f, done == 0));
            done += part;
        }
    }
    sender->seal();
    transmit();
}

void Node::transmit() {
    std::array<iovec, 16> parts;
    while (const std::size_t n = sender->unsent(parts)) {
        for (std::size_t i = 0; i < n; ++i)
            toGroup({static_cast<const std::byte*>(parts[i].iov_base), parts[i].iov_len});
        sender->sent(n, network_.now);
    }
}

void Node::toGroup(Bytes datagram) noexcept {
    network_.toGroup(*this, datagram);
}
void Node::toPeer(const Endpoint& to, Bytes datagram) noexcept {
    network_.toPeer(*this, to, datagram);
}

void Node::arrives(const ByteVector& datagram, const Endpoint& from) {
    const ByteVector exact = datagram;  // AddressSanitizer sees overreads
    Header h;
    Bytes body;
    if (parse(exact, h, body) != Fault::none) return;
    if (h.type == Type::request) {
        if (h.session != sendOptions.session) return;
        std::array<Range, kMaxRanges> ranges;
        const std::size_t n = readRanges(body, ranges);
        sender->requested({ranges.data(), n}, network_.now, *this);
    } else {
        Endpoint source = from;
        source.port = h.returnPort;
        receiver->receive(h, body, source, network_.now);
    }
    drain();
}

void Node::turn() {
    sender->expire(network_.now, *this);
    receiver->expire(network_.now, *this);
    drain();
}

void Node::drain() {
    if (!reads) return;
    for (;;) {
        Bytes message;
        switch (receiver->next(message)) {
        case Receiver::Event::message:
            received.emplace_back(message.begin(), message.end());
            break;
        case Receiver::Event::ping:
            ++pings;
            break;
        case Receiver::Event::gap:
            gaps.push_back(receiver->lost());
            break;
        case Receiver::Event::slowReader:
            ++slow;
            break;
        case Receiver::Event::nothing:
            CHECK_FALSE(receiver->ready());
            return;
        }
    }
}

Node& Network::add(const SenderOptions& send, ReceiverOptions receive) {
    nodes.push_back(std::make_unique<Node>(*this, static_cast<std::uint8_t>(nodes.size() + 1), send, receive));
    return *nodes.back();
}

void Network::carry(std::size_t to, const Endpoint& from, Bytes datagram) {
    const auto chance = [&](double p) { return std::uniform_real_distribution<>(0, 1)(random) < p; };
    if (drops && drops(*nodes[to], datagram)) return;
    if (chance(loss)) return;
    const int copies = chance(duplication) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
        const auto delay = std::chrono::microseconds(chance(reordering) ? 100 + random() % 5000 : 100);
        flights_.push({now + delay, order_++, to, from, {datagram.begin(), datagram.end()}});
    }
}

void Network::toGroup(const Node& from, Bytes datagram) {
    ++groupDatagrams;
    for (std::size_t i = 0; i < nodes.size(); ++i)  // the own ones come back too
        if (nodes[i].get() == &from) flights_.push({now, order_++, i, from.self, {datagram.begin(), datagram.end()}});
        else carry(i, from.self, datagram);
}

void Network::toPeer(const Node& from, const Endpoint& to, Bytes datagram) {
    ++unicastDatagrams;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i]->self == to) carry(i, from.self, datagram);
}

void Network::inject(const Endpoint& from, Bytes datagram) {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        flights_.push({now, order_++, i, from, {datagram.begin(), datagram.end()}});
}

void Network::run(std::chrono::milliseconds span) {
    const TimePoint end = now + span;
    for (;;) {
        TimePoint next = flights_.empty() ? end : std::min(end, flights_.top().at);
        for (const auto& n : nodes)
            next = std::min(next, n->deadline());
        now = std::max(now, next);
        for (const auto& n : nodes)
            if (n->deadline() <= now) n->turn();
        while (!flights_.empty() && flights_.top().at <= now) {
            const Flight f = flights_.top();
            flights_.pop();
            nodes[f.to]->arrives(f.datagram, f.from);
        }
        if (now >= end) return;
    }
}

}  // namespace transport_test

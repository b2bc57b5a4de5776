// eta/transport/multicast: sends and receives numbered datagrams, and counts the gaps that each sender's numbers show.
#include "transport/multicast/SequencedStream.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace mcast {

namespace {
constexpr std::uint8_t kSequencedVersion = 1;
}

bool parseSequenced(Bytes d, SequencedHeader& h, Bytes& body, std::uint8_t protocolType) noexcept {
    if (d.size() < kSequencedHeader) return false;
    const auto byteAt = [&](std::size_t i) { return std::to_integer<std::uint8_t>(d[i]); };
    // The header's length is a claim of the peer, and may grow in later versions.
    const std::size_t header = byteAt(3);
    if (byteAt(0) != kSequencedVersion || byteAt(2) != protocolType || header < kSequencedHeader || header > d.size())
        return false;
    h.flags = byteAt(1);
    h.protocolType = byteAt(2);
    h.instance = loadBe<std::uint16_t>(d.data() + 4);
    h.major = byteAt(6);
    h.minor = byteAt(7);
    h.sequence = loadBe<std::uint32_t>(d.data() + 8);
    body = d.subspan(header);
    // All lengths of a datagram are checked before any of its messages is handed out.
    BeReader r(body);
    while (r.remaining() != 0)
        static_cast<void>(r.take(r.u16()));
    return r.ok();
}

void writeSequencedHeader(std::byte* to, const SequencedHeader& h) noexcept {
    to[0] = std::byte{kSequencedVersion};
    to[1] = std::byte{h.flags};
    to[2] = std::byte{h.protocolType};
    to[3] = static_cast<std::byte>(kSequencedHeader);
    storeBe(to + 4, h.instance);
    to[6] = std::byte{h.major};
    to[7] = std::byte{h.minor};
    storeBe(to + 8, h.sequence);
}

std::uint32_t SequenceTracker::follows(const Endpoint& from, std::uint16_t instance, std::uint32_t sequence) noexcept {
    ++clock_;
    // A handful of senders, so the search is linear.
    for (Known& k : known_) {
        if (!(k.from == from) || k.instance != instance) continue;
        k.used = clock_;
        const std::int32_t ahead = distance(sequence, k.next);
        // A number that goes back is a restart or a repeated packet, and no loss.
        if (ahead < 0) return 0;
        k.next = sequence + 1;
        return static_cast<std::uint32_t>(ahead);
    }
    const Known fresh{from, instance, sequence + 1, clock_};
    if (known_.size() < kMaxSenders) {
        try {
            known_.push_back(fresh);
        } catch (const std::bad_alloc&) {}
        // A sender that was forgotten begins anew, without a gap.
    } else {  // in place of the one that has been silent longest
        *std::min_element(known_.begin(), known_.end(),
                          [](const Known& a, const Known& b) { return a.used < b.used; }) = fresh;
    }
    return 0;
}

}  // namespace mcast

namespace {

constexpr std::size_t kSendBatch = 64;
constexpr std::size_t kDefaultDatagram = 3000;

std::size_t datagramBytes(const MulticastOptions& o) noexcept {
    const std::size_t wanted = o.maxDatagramBytes != 0 ? o.maxDatagramBytes : kDefaultDatagram;
    return std::clamp(wanted, mcast::kMinDatagram, mcast::kMaxDatagram);
}

bool watch(int poll, int fd, int how, std::uint32_t events) noexcept {
    epoll_event e{};
    e.events = events;
    e.data.fd = fd;
    return ::epoll_ctl(poll, how, fd, &e) == 0;
}

mcast::SequencedHeader ownHeader(const ConnectOptions& c) noexcept {
    mcast::SequencedHeader h;
    h.protocolType = c.protocolType;
    h.major = c.protocolMajor;
    h.minor = c.protocolMinor;
    h.instance = c.multicast.instanceId;
    return h;
}

bool blocks(int error) noexcept {
    return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS;
}

}  // namespace

std::unique_ptr<SequencedStream> SequencedStream::open(const ConnectOptions& c, Refused& refused) {
    const MulticastOptions& o = c.multicast;
    Sockets s;
    // A segmented network has two groups; otherwise one is enough.
    const bool both = !o.sendAddress.empty();
    if (refused = mcast::resolveGroup(o.receiveAddress, o.receivePort, "receive", s.receiveGroup); refused)
        return nullptr;
    s.sendGroup = s.receiveGroup;
    if (both) refused = mcast::resolveGroup(o.sendAddress, o.sendPort, "send", s.sendGroup);
    if (refused) return nullptr;
    const int family = s.receiveGroup.family();
    if (family != s.sendGroup.family()) {
        refused.text = "send and receive address must both be IPv4 or both be IPv6";
        return nullptr;
    }
    mcast::Interface on;
    if (refused = mcast::findInterface(c.interfaceName, family, on); refused) return nullptr;
    s.group = mcast::openGroupSocket(s.receiveGroup, on, c.sysRecvBufSize, refused);
    if (!s.group) return nullptr;
    s.own = mcast::openSendSocket(family, o.unicastPort.empty() ? "0" : o.unicastPort, o.portRoamRange, on, o.packetTtl,
                                  o.loopback, c.sysSendBufSize, refused);
    if (!s.own) return nullptr;
    s.poll.reset(::epoll_create1(EPOLL_CLOEXEC));
    s.wake.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!s.poll || !s.wake || !watch(s.poll.get(), s.group.get(), EPOLL_CTL_ADD, EPOLLIN) ||
        !watch(s.poll.get(), s.wake.get(), EPOLL_CTL_ADD, EPOLLIN) ||
        !watch(s.poll.get(), s.own.get(), EPOLL_CTL_ADD, 0)) {
        refused.text = "waiting for datagrams: " + errnoText(errno);
        return nullptr;
    }
    return std::unique_ptr<SequencedStream>(new SequencedStream(c, std::move(s)));
}

// Own packets are recognised by address, port and instance: several programs of a host may share the group.
SequencedStream::SequencedStream(const ConnectOptions& c, Sockets sockets)
    : options_(c.multicast), own_(ownHeader(c)), sockets_(std::move(sockets)), datagram_(datagramBytes(c.multicast)) {
    ownPort_ = localOf(sockets_.own.get()).port();
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) return;
    for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
        if (i->ifa_addr == nullptr) continue;
        SocketAddress a;
        const int family = i->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6) continue;
        a.length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::memcpy(&a.storage, i->ifa_addr, a.length);
        ownAddresses_.push_back(a.key());
    }
    ::freeifaddrs(list);
}

void SequencedStream::shutdown() noexcept {
    shutDown_.store(true, std::memory_order_relaxed);
    const std::uint64_t one = 1;
    if (sockets_.wake && ::write(sockets_.wake.get(), &one, sizeof one) < 0) {}  // a full counter wakes as well
}

void SequencedStream::close() noexcept {
    shutDown_.store(true, std::memory_order_relaxed);
    for (Descriptor* d : {&sockets_.group, &sockets_.own, &sockets_.wake, &sockets_.poll})
        d->reset();
}

std::size_t SequencedStream::describe(ChannelInfo& info) const {
    info.peerAddress = sockets_.sendGroup.text();
    info.peerPort = sockets_.sendGroup.port();
    info.peerHost = options_.sendAddress.empty() ? options_.receiveAddress : options_.sendAddress;
    info.sysSendBufSize = socketBufferSize(sockets_.own.get(), SO_SNDBUF);
    info.sysRecvBufSize = socketBufferSize(sockets_.group.get(), SO_RCVBUF);
    return datagramBytes(options_) - mcast::kSequencedHeader - 2;
}

MulticastCounters SequencedStream::multicastCounters() const noexcept {
    MulticastCounters c;
    c.multicastSent = sent_.get();
    c.multicastReceived = received_.get();
    c.gaps = gaps_.get();
    c.rejected = rejected_.get();
    c.overflows = overflows_.get();
    return c;
}

// --- output ----------------------------------------------------------------------------------------------------------

// Asked for only while the socket takes nothing.
void SequencedStream::watchOutput(bool blocked) noexcept {
    if (blocked == blocked_.load(std::memory_order_relaxed)) return;
    blocked_.store(blocked, std::memory_order_relaxed);
    static_cast<void>(watch(sockets_.poll.get(), sockets_.own.get(), EPOLL_CTL_MOD, blocked ? EPOLLOUT : 0u));
}

// One frame is one datagram: a plain one holds a message, a packed one a list of messages, an empty one is a ping.
IoResult SequencedStream::send(std::span<const iovec> parts) noexcept {
    if (shutDown_.load(std::memory_order_relaxed)) return {IoResult::Kind::error, 0, EPIPE};
    const std::lock_guard guard(lock_);
    std::array<std::array<std::byte, mcast::kSequencedHeader + 2>, kSendBatch> heads;
    std::array<std::array<iovec, 2>, kSendBatch> pieces;
    std::array<mmsghdr, kSendBatch> messages;
    std::array<std::size_t, kSendBatch> lengths;
    // A ping repeats the last number, so that receivers find a loss at the end.
    std::array<bool, kSendBatch> numbered;  // a ping has no number of its own
    IoResult io;
    std::size_t count = 0;
    int error = 0;
    const auto flush = [&] {
        for (std::size_t done = 0; done < count && error == 0;) {
            const int n = ::sendmmsg(sockets_.own.get(), messages.data() + done, static_cast<unsigned>(count - done),
                                     MSG_DONTWAIT | MSG_NOSIGNAL);
            // What the system did not take stays in the channel's queue.
            if (n < 0 && errno != EINTR) error = errno;
            for (int i = 0; i < n; ++i)
                io.bytes += lengths[done++];
            if (n > 0) sent_.add(static_cast<std::uint64_t>(n));
            for (std::size_t i = done; error != 0 && i < count; ++i)
                // Numbers must not have holes that no packet was lost in.
                next_ -= numbered[i] ? 1u : 0u;  // used again
        }
        count = 0;
    };
    for (const iovec& part : parts) {
        Bytes in{static_cast<const std::byte*>(part.iov_base), part.iov_len};
        while (!in.empty() && error == 0) {
            const Bytes frame = in.first(loadBe<std::uint16_t>(in.data()));
            in = in.subspan(frame.size());
            const Bytes payload = frame.subspan(frame::kHeader);
            const bool whole = (frame[2] & std::byte{frame::kPacked}) != std::byte{0} || payload.empty();
            mcast::SequencedHeader h = own_;
            // Pings count nothing.
            h.sequence = payload.empty() ? next_ - 1 : next_++;
            mcast::writeSequencedHeader(heads[count].data(), h);
            storeBe(heads[count].data() + mcast::kSequencedHeader, static_cast<std::uint16_t>(payload.size()));
            // Head and payload in two pieces: the payload is sent from the queue, without a copy.
            pieces[count] = {iovec{heads[count].data(), mcast::kSequencedHeader + (whole ? 0u : 2u)},
                             iovec{const_cast<std::byte*>(payload.data()), payload.size()}};
            messages[count] = {};
            msghdr& m = messages[count].msg_hdr;
            m.msg_name = sockets_.sendGroup.get();
            m.msg_namelen = sockets_.sendGroup.length;
            m.msg_iov = pieces[count].data();
            m.msg_iovlen = 2;
            lengths[count] = frame.size();
            numbered[count] = !payload.empty();
            if (++count == kSendBatch) flush();
        }
    }
    if (error == 0) flush();
    watchOutput(blocks(error));
    if (error != 0 && !blocks(error)) return {IoResult::Kind::error, 0, error};
    if (io.bytes == 0 && error != 0) io.kind = IoResult::Kind::wouldBlock;
    return io;
}

Error SequencedStream::sendSequenced(Bytes message, std::uint32_t sequence, bool retransmission) noexcept {
    const std::lock_guard guard(lock_);
    mcast::SequencedHeader h = own_;
    h.flags = retransmission ? mcast::SequencedHeader::kRetransmission : std::uint8_t{0};
    h.sequence = sequence;
    const std::size_t length = mcast::kSequencedHeader + 2 + message.size();
    if (length > datagram_.size()) return {Errc::outOfRange, 0};
    mcast::writeSequencedHeader(datagram_.data(), h);
    storeBe(datagram_.data() + mcast::kSequencedHeader, static_cast<std::uint16_t>(message.size()));
    std::memcpy(datagram_.data() + mcast::kSequencedHeader + 2, message.data(), message.size());
    const ssize_t n = ::sendto(sockets_.own.get(), datagram_.data(), length, MSG_DONTWAIT | MSG_NOSIGNAL,
                               sockets_.sendGroup.get(), sockets_.sendGroup.length);
    if (n < 0) return {blocks(errno) ? Errc::noBuffers : Errc::system, 0};
    sent_.add();
    // A repeated message keeps its old number, and the counting goes on where it was.
    if (!retransmission) next_ = sequence + 1;
    return {};
}

// --- input -----------------------------------------------------------------------------------------------------------

SequencedStream::Opened SequencedStream::open(std::size_t datagram) noexcept {
    const Bytes d = batch_.datagram(datagram);
    const SocketAddress& from = batch_.from(datagram);
    mcast::SequencedHeader h;
    Bytes body;
    if (batch_.cut(datagram) || !mcast::parseSequenced(d, h, body, own_.protocolType)) {
        rejected_.add();
        return Opened::nothing;
    }
    const mcast::Endpoint sender = mcast::endpointOf(from);
    if (sender.port == ownPort_ && h.instance == options_.instanceId &&
        std::find(ownAddresses_.begin(), ownAddresses_.end(), sender.address) != ownAddresses_.end())
        return Opened::nothing;
    received_.add();
    bytes_.add(d.size());
    if (!(infoFrom_ == sender) || info_.address.empty()) {
        infoFrom_ = sender;
        try {
            info_.address = from.ip();
        } catch (const std::bad_alloc&) { return Opened::nothing; }
        info_.port = sender.port;
    }
    info_.instanceId = h.instance;
    info_.sequence = h.sequence;
    info_.retransmission = (h.flags & mcast::SequencedHeader::kRetransmission) != 0;
    if (body.empty()) return Opened::ping;
    body_ = body;
    // A repeated message may have any number, so it is no gap.
    const std::uint32_t lost = info_.retransmission ? 0 : tracker_.follows(sender, h.instance, h.sequence);
    if (lost == 0) return Opened::messages;
    gaps_.add(lost);
    told_ = {Condition::gap, lost};
    return Opened::gap;
}

MessageSource::Event SequencedStream::next(Bytes& message) noexcept {
    for (bool received = false;;) {
        while (!body_.empty()) {  // its lengths have been checked
            const std::size_t length = loadBe<std::uint16_t>(body_.data());
            message = body_.subspan(2, length);
            body_ = body_.subspan(2 + length);
            if (message.empty()) continue;
            messages_.add();
            return Event::message;
        }
        if (at_ < count_) {
            switch (open(at_++)) {
            case Opened::nothing:
            case Opened::messages:
                continue;
            case Opened::ping:
                return Event::ping;
            case Opened::gap:
                if (!options_.disconnectOnGaps) return Event::condition;
                reason_ = "packet gap (-61): " + std::to_string(told_.lost) + " packets of " + info_.address + ':' +
                          std::to_string(info_.port) + " are lost, and DisconnectOnGap is set";
                return Event::failed;
            }
        }
        if (received) return Event::needMore;
        if (shutDown_.load(std::memory_order_relaxed)) return Event::ended;
        count_ = batch_.receive(sockets_.group.get());
        at_ = 0;
        received = true;
        // Overflow comes first: it explains the gaps that follow.
        if (const std::uint32_t dropped = batch_.takeDropped(); dropped != 0) {
            overflows_.add(dropped);
            told_ = {Condition::slowReader, 0};
            return Event::condition;
        }
    }
}

}  // namespace emissary::eta::transport

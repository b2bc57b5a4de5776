// eta/transport/multicast: moves datagrams between the sockets and the protocol, keeps its timer, and tells the channel
// when the group is lost.
#include "transport/multicast/MulticastStream.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

using mcast::Duration;

constexpr std::chrono::milliseconds kUnit{100};
constexpr std::size_t kSendBatch = 64;
constexpr std::size_t kDefaultDatagram = 1472;  // one Ethernet packet
constexpr std::size_t kStatisticsCounters = 13;
constexpr std::chrono::milliseconds kRetry{2};  // after what nothing announces the end of

// Parameters count in tenths of a second.
Duration units(std::uint32_t n) {
    return kUnit * std::min<std::uint32_t>(n, 36'000);  // an hour
}

std::uint64_t randomNumber() noexcept {
    std::uint64_t v = 0;
    if (::getrandom(&v, sizeof v, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof v))
        // The session number has to differ from that of the process before; without random bytes, time and process do
        // that.
        v = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()) * 0x9E3779B97F4A7C15u ^
            static_cast<std::uint64_t>(::getpid());
    return v;
}

mcast::ReceiverOptions receiverOptions(const ConnectOptions& c, std::uint32_t session, std::uint16_t port,
                                       std::uint64_t seed) {
    const MulticastOptions& o = c.multicast;
    mcast::ReceiverOptions r;
    r.ownSession = session;
    r.returnPort = port;
    r.protocolType = c.protocolType;
    // Every limit is cut to what works: a file of the user must not make a receiver that keeps nothing, or asks for
    // ever.
    r.firstRequest = units(o.tdata);
    r.nextRequest = units(o.trreq);
    r.requests = std::clamp<std::uint32_t>(o.nrreq, 1, 1000);
    r.maxMissing = std::max<std::size_t>(o.nmissing, 1);
    r.maxWaiting = std::max<std::size_t>(o.userQLimit, 1);
    r.poolHigh = std::max<std::size_t>(o.pktPoolLimitHigh, 16);
    r.poolLow = std::min<std::size_t>(o.pktPoolLimitLow, r.poolHigh - 1);
    r.maxMessageBytes = c.maxMessageBytes;
    r.seed = seed;
    return r;
}

mcast::SenderOptions senderOptions(const ConnectOptions& c, std::uint32_t session, std::uint16_t port) {
    const MulticastOptions& o = c.multicast;
    mcast::SenderOptions s;
    s.session = session;
    s.returnPort = port;
    s.protocolType = c.protocolType;
    s.maxDatagram = std::clamp<std::size_t>(o.maxDatagramBytes != 0 ? o.maxDatagramBytes : kDefaultDatagram,
                                            mcast::kMinDatagram, mcast::kMaxDatagram);
    s.repairsPerPacket = std::max(o.ndata, 1u);
    s.ignoreRequests = units(o.twait);
    // As long as a receiver with the same options may ask, and the hold time on top.
    // A packet is kept for as long as a receiver with the same options would still ask for it.
    s.hold = receiverOptions(c, session, port, 1).giveUpAfter() + units(o.tbchold);
    s.poolHigh = std::max<std::size_t>(o.pktPoolLimitHigh, 16);
    s.poolLow = std::min<std::size_t>(o.pktPoolLimitLow, s.poolHigh - 1);
    return s;
}

bool watch(int poll, int fd, int how, std::uint32_t events) noexcept {
    epoll_event e{};
    e.events = events;
    e.data.fd = fd;
    return ::epoll_ctl(poll, how, fd, &e) == 0;
}

}  // namespace

// --- opening and closing ---------------------------------------------------------------------------------------------

// The group socket hears the group; the own socket sends, and gets the requests for repair on its port.
std::unique_ptr<MulticastStream> MulticastStream::open(const ConnectOptions& c, Refused& refused) {
    const MulticastOptions& o = c.multicast;
    Sockets s;
    if (refused = mcast::resolveGroup(o.sendAddress, o.sendPort, "send", s.sendGroup); refused) return nullptr;
    if (refused = mcast::resolveGroup(o.receiveAddress, o.receivePort, "receive", s.receiveGroup); refused)
        return nullptr;
    const int family = s.sendGroup.family();
    if (family != s.receiveGroup.family()) {
        refused.text = "send and receive address must both be IPv4 or both be IPv6";
        return nullptr;
    }
    mcast::Interface on;
    // Both groups are of one family, so one interface serves them.
    if (refused = mcast::findInterface(c.interfaceName, family, on); refused) return nullptr;
    s.group = mcast::openGroupSocket(s.receiveGroup, on, c.sysRecvBufSize, refused);
    if (!s.group) return nullptr;
    s.own = mcast::openSendSocket(family, o.unicastPort, o.portRoamRange, on, o.packetTtl, o.loopback, c.sysSendBufSize,
                                  refused);
    if (!s.own) return nullptr;
    if (o.hsmInterval != 0) {
        mcast::Interface via;
        refused = mcast::resolveGroup(o.hsmAddress, o.hsmPort, "host statistics", s.statisticsGroup);
        if (refused) return nullptr;
        refused = mcast::findInterface(o.hsmInterface.empty() ? c.interfaceName : o.hsmInterface,
                                       s.statisticsGroup.family(), via);
        if (refused) return nullptr;
        s.statistics =
            mcast::openSendSocket(s.statisticsGroup.family(), "0", 0, via, o.packetTtl, o.loopback, 0, refused);
        if (!s.statistics) return nullptr;
    }
    // One descriptor for the loop: it shows data, requests and the timer alike.
    s.poll.reset(::epoll_create1(EPOLL_CLOEXEC));
    s.timer.reset(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
    if (!s.poll || !s.timer || !watch(s.poll.get(), s.group.get(), EPOLL_CTL_ADD, EPOLLIN) ||
        !watch(s.poll.get(), s.own.get(), EPOLL_CTL_ADD, EPOLLIN) ||
        !watch(s.poll.get(), s.timer.get(), EPOLL_CTL_ADD, EPOLLIN)) {
        refused.text = "waiting for datagrams: " + errnoText(errno);
        return nullptr;
    }
    const std::uint64_t random = randomNumber();
    // Two different numbers of one random value: the session, and the seed for delays of requests.
    return std::unique_ptr<MulticastStream>(
        new MulticastStream(c, std::move(s), static_cast<std::uint32_t>(random), random * 0xD1342543DE82EF95u + 1));
}

MulticastStream::MulticastStream(const ConnectOptions& c, Sockets sockets, std::uint32_t session, std::uint64_t seed)
    : options_(c.multicast), session_(session), sockets_(std::move(sockets)),
      receiver_(receiverOptions(c, session, localOf(sockets_.own.get()).port(), seed)),
      sender_(senderOptions(c, session, localOf(sockets_.own.get()).port()), Clock::now()) {
    const TimePoint now = Clock::now();
    // The first statistics go out at once.
    if (options_.hsmInterval != 0) statisticsAt_ = now;
    const std::lock_guard guard(lock_);
    arm(now);  // the first heartbeat
}

MulticastStream::~MulticastStream() {
    close();
}

void MulticastStream::shutdown() noexcept {
    shutDown_.store(true, std::memory_order_relaxed);
    const std::lock_guard guard(lock_);
    // A timer in the past makes the descriptor readable, so the reading thread sees the end.
    if (sockets_.timer) arm(TimePoint{});  // the descriptor becomes readable
}

void MulticastStream::close() noexcept {
    shutDown_.store(true, std::memory_order_relaxed);
    if (!poll_) return;
    {
        const std::lock_guard guard(lock_);
        // What was sealed goes out before the farewell, which is not repeated.
        transmit(Clock::now());
        // Twice: it is not repaired, and those who miss it wait for us in vain.
        for (int i = 0; i < 2; ++i)
            sender_.farewell(*this);
    }
    for (Descriptor* d : {&sockets_.group, &sockets_.own, &sockets_.statistics, &sockets_.timer, &sockets_.poll})
        d->reset();
}

std::size_t MulticastStream::describe(ChannelInfo& info) const {
    info.peerAddress = sockets_.sendGroup.text();
    info.peerPort = sockets_.sendGroup.port();
    info.peerHost = options_.sendAddress;
    // Buffers of the two sockets: what is sent leaves by the own one, what is heard comes by the group's.
    info.sysSendBufSize = socketBufferSize(sockets_.own.get(), SO_SNDBUF);
    info.sysRecvBufSize = socketBufferSize(sockets_.group.get(), SO_RCVBUF);
    return sender_.maxFrame() - frame::kHeader;
}

// --- timer -----------------------------------------------------------------------------------------------------------

// Absolute times of the monotonic clock; max() switches the timer off.
void MulticastStream::arm(TimePoint at) noexcept {
    armed_ = at;
    itimerspec when{};
    if (at != TimePoint::max()) {
        const auto since = at.time_since_epoch();
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
        when.it_value.tv_sec = seconds.count();
        when.it_value.tv_nsec =
            // 0 would switch the timer off, so a time in the past becomes one nanosecond.
            std::max<long>(std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds).count(), 1);
    }
    static_cast<void>(::timerfd_settime(sockets_.timer.get(), TFD_TIMER_ABSTIME, &when, nullptr));
}

// EPOLLOUT is asked for only while the socket takes nothing, else the loop would turn without end.
void MulticastStream::watchOutput(bool blocked) noexcept {
    if (blocked == blocked_) return;
    blocked_ = blocked;
    static_cast<void>(watch(poll_.get(), sockets_.own.get(), EPOLL_CTL_MOD, blocked ? EPOLLIN | EPOLLOUT : EPOLLIN));
}

// --- output ----------------------------------------------------------------------------------------------------------

void MulticastStream::toGroup(Bytes datagram) noexcept {
    // A datagram that the system does not take is lost like one in the network, and is asked for again.
    const ssize_t n = ::sendto(sockets_.own.get(), datagram.data(), datagram.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                               sockets_.sendGroup.get(), sockets_.sendGroup.length);
    if (n >= 0) multicastSent_.add();  // otherwise: as if the network had lost it
}

void MulticastStream::toPeer(const mcast::Endpoint& to, Bytes datagram) noexcept {
    const SocketAddress address = mcast::addressOf(to, sockets_.sendGroup.family());
    const ssize_t n = ::sendto(sockets_.own.get(), datagram.data(), datagram.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                               address.get(), address.length);
    if (n >= 0) unicastSent_.add();
}

void MulticastStream::transmit(TimePoint now) noexcept {
    std::array<iovec, kSendBatch> parts;
    std::array<mmsghdr, kSendBatch> messages;
    // 64 datagrams for each system call.
    while (const std::size_t count = sender_.unsent(parts)) {
        for (std::size_t i = 0; i < count; ++i) {
            messages[i] = {};
            msghdr& m = messages[i].msg_hdr;
            m.msg_name = sockets_.sendGroup.get();
            m.msg_namelen = sockets_.sendGroup.length;
            m.msg_iov = &parts[i];
            m.msg_iovlen = 1;
        }
        const int n =
            ::sendmmsg(sockets_.own.get(), messages.data(), static_cast<unsigned>(count), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n > 0) {
            multicastSent_.add(static_cast<std::uint64_t>(n));
            sender_.sent(static_cast<std::size_t>(n), now);
            continue;
        }
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return watchOutput(true);
        if (errno == ENOBUFS) {  // the interface is busy, the socket is writable: waiting for that would not wait
            watchOutput(false);
            retryAt_ = now + kRetry;
            return;
        }
        // Any other error ends the channel: the group cannot be reached.
        error_.store(errno, std::memory_order_relaxed);
        return;
    }
    watchOutput(false);
}

IoResult MulticastStream::send(std::span<const iovec> parts) noexcept {
    const std::lock_guard guard(lock_);
    // Cleared first: a turn of the reading thread may set it again while this call runs.
    progress_.store(false, std::memory_order_relaxed);
    if (shutDown_.load(std::memory_order_relaxed)) return {IoResult::Kind::error, 0, EPIPE};
    IoResult io;
    const TimePoint now = Clock::now();
    bool full = false;
    for (const iovec& part : parts) {
        Bytes in{static_cast<const std::byte*>(part.iov_base), part.iov_len};
        while (!in.empty() && !full) {
            // Full while too many packets wait for the network: the channel keeps the rest in its own queue.
            full = sender_.backlogged();
            if (full) {
                sender_.seal();
                transmit(now);
                full = sender_.backlogged();
                if (full) break;
            }
            const Bytes frame = in.first(loadBe<std::uint16_t>(in.data()));
            // The channel writes whole frames, so each begins with its length (transport.md 2.1).
            const bool extended = (frame[2] & std::byte{frame::kExtended}) != std::byte{0};
            // A receiver that lost packets goes on at the next beginning of a message, so each datagram says where one
            // begins.
            const bool continues = extended && frame[3] == std::byte{frame::kFragment};
            if (!sender_.append(frame, !continues)) {  // memory is short
                full = true;
                retryAt_ = now + kRetry;
                break;
            }
            io.bytes += frame.size();
            in = in.subspan(frame.size());
        }
        if (full) break;
    }
    // No datagram waits for more messages: latency counts for more than a full datagram.
    sender_.seal();
    transmit(now);
    if (sender_.takeCongestion()) congested_.store(true, std::memory_order_relaxed);
    // The timer is set only when it has to come earlier.
    if (const TimePoint deadline = std::min(sender_.deadline(), retryAt_); deadline < armed_) arm(deadline);
    if (const int error = error_.load(std::memory_order_relaxed); error != 0) return {IoResult::Kind::error, 0, error};
    if (full && io.bytes == 0) io.kind = IoResult::Kind::wouldBlock;
    return io;
}

std::size_t MulticastStream::held() noexcept {
    const std::lock_guard guard(lock_);
    return sender_.unsentBytes();
}

// --- input -----------------------------------------------------------------------------------------------------------

MessageSource::Event MulticastStream::failGap(std::uint32_t lost) {
    reason_ = "unrecoverable packet gap (-61): " + std::to_string(lost) + " packets of " +
              mcast::addressOf(receiver_.lastSender(), sockets_.sendGroup.family()).text() +
              " are lost, and DisconnectOnGap is set";
    return Event::failed;
}

void MulticastStream::showSender() noexcept {
    // Asked for by applications that show where messages come from; it changes rarely, so the text is made once.
    infoFrom_ = receiver_.lastSender();
    info_.port = infoFrom_.port;
    try {
        info_.address = mcast::addressOf(infoFrom_, sockets_.sendGroup.family()).ip();
    } catch (const std::bad_alloc&) { info_.address.clear(); }
}

MessageSource::Event MulticastStream::next(Bytes& message) noexcept {
    // Two rounds: what is there, then one turn of the sockets, then what that has brought.
    for (bool turned = false;; turned = true) {
        switch (receiver_.next(message)) {
        case mcast::Receiver::Event::message:
            if (!(receiver_.lastSender() == infoFrom_)) showSender();
            return Event::message;
        case mcast::Receiver::Event::ping:
            return Event::ping;
        case mcast::Receiver::Event::gap:
            if (options_.disconnectOnGaps) return failGap(receiver_.lost());
            told_ = {Condition::gap, receiver_.lost()};
            return Event::condition;
        case mcast::Receiver::Event::slowReader:
            told_ = {Condition::slowReader, 0};
            return Event::condition;
        case mcast::Receiver::Event::nothing:
            break;
        }
        // Congestion was found by the sending side, possibly on another thread.
        if (congested_.load(std::memory_order_relaxed) && congested_.exchange(false, std::memory_order_relaxed)) {
            told_ = {Condition::congestion, 0};
            return Event::condition;
        }
        if (turned) return Event::needMore;
        if (const int error = error_.load(std::memory_order_relaxed); error != 0) {
            reason_ = errnoText(error);
            return Event::ended;
        }
        if (shutDown_.load(std::memory_order_relaxed)) return Event::ended;
        turn();
    }
}

// Reading thread only; the sender's state is under lock_, since writers use it too.
void MulticastStream::turn() noexcept {
    const TimePoint now = Clock::now();
    takeGroup(now);
    // The system counts what it dropped because the buffer was full.
    if (const std::uint32_t dropped = batch_.takeDropped(); dropped != 0) receiver_.overflowed(dropped);
    takeRequests(now);
    if (now >= receiver_.deadline()) receiver_.expire(now, *this);
    if (now >= statisticsAt_) sendStatistics(now);
    const std::lock_guard guard(lock_);
    if (blocked_ || now >= retryAt_) {
        retryAt_ = TimePoint::max();
        transmit(now);
        // The channel's output is asked to go on, since nothing else would tell it that there is room.
        if (!blocked_ && retryAt_ == TimePoint::max()) progress_.store(true, std::memory_order_relaxed);
    }
    if (now >= sender_.deadline()) sender_.expire(now, *this);
    if (sender_.takeCongestion()) congested_.store(true, std::memory_order_relaxed);
    const TimePoint deadline = std::min({sender_.deadline(), receiver_.deadline(), statisticsAt_, retryAt_});
    if (deadline < armed_ || now >= armed_) arm(deadline);
}

void MulticastStream::takeGroup(TimePoint now) noexcept {
    const std::size_t n = batch_.receive(sockets_.group.get());
    batchFull_ = n == mcast::Batch::kDatagrams;
    for (std::size_t i = 0; i < n; ++i) {
        mcast::Header h;
        Bytes body;
        // Requests come to the own socket and statistics are for tools: in the group both are strays.
        if (batch_.cut(i) || mcast::parse(batch_.datagram(i), h, body) != mcast::Fault::none ||
            h.type == mcast::Type::request || h.type == mcast::Type::statistics) {
            rejected_.add();
            continue;
        }
        // Our own packets come back when loopback is on.
        if (h.session == session_) continue;
        multicastReceived_.add();
        bytes_.add(batch_.datagram(i).size());
        mcast::Endpoint from = mcast::endpointOf(batch_.from(i));
        // The sender's port in the datagram is where its repairs are asked for, not the port the datagram came from.
        from.port = h.returnPort;
        receiver_.receive(h, body, from, now);
    }
}

void MulticastStream::takeRequests(TimePoint now) noexcept {
    // The batch is used up: what receive() was given has been copied.
    const std::size_t n = batch_.receive(sockets_.own.get());
    for (std::size_t i = 0; i < n; ++i) {
        mcast::Header h;
        Bytes body;
        if (batch_.cut(i) || mcast::parse(batch_.datagram(i), h, body) != mcast::Fault::none ||
            // A request that names another session is for a process that had this port before.
            h.type != mcast::Type::request || h.session != session_) {
            rejected_.add();
            continue;
        }
        unicastReceived_.add();
        std::array<mcast::Range, mcast::kMaxRanges> ranges;
        const std::size_t count = mcast::readRanges(body, ranges);
        const std::lock_guard guard(lock_);
        sender_.requested({ranges.data(), count}, now, *this);
    }
}

// --- statistics ------------------------------------------------------------------------------------------------------

MulticastCounters MulticastStream::multicastCounters() const noexcept {
    MulticastCounters c;
    c.multicastSent = multicastSent_.get();
    c.multicastReceived = multicastReceived_.get();
    c.unicastSent = unicastSent_.get();
    c.unicastReceived = unicastReceived_.get();
    c.gaps = receiver_.gaps.get();
    c.requestsSent = receiver_.requestsSent.get();
    c.requestsReceived = sender_.packetsRequested.get();
    c.repairsSent = sender_.repairsSent.get();
    c.repairsReceived = receiver_.repairsReceived.get();
    c.duplicates = receiver_.duplicates.get();
    c.rejected = rejected_.get() + receiver_.rejected.get() + sender_.requestsIgnored.get();
    c.overflows = receiver_.overflows.get();
    c.senders = receiver_.heard.get();
    c.sendersLost = receiver_.sendersLost.get();
    return c;
}

/// docs/wire/multicast.md, "Host statistics".
void MulticastStream::sendStatistics(TimePoint now) noexcept {
    statisticsAt_ = now + std::chrono::seconds(options_.hsmInterval);
    char host[65] = "";
    // The name is cut to 64 bytes so that the datagram has a fixed bound.
    static_cast<void>(::gethostname(host, sizeof host - 1));
    const std::string_view name(host);
    const MulticastCounters c = multicastCounters();
    const std::array<std::uint64_t, kStatisticsCounters> values{
        c.multicastSent, c.multicastReceived, c.unicastSent, c.unicastReceived, c.gaps,
        c.requestsSent,  c.requestsReceived,  c.repairsSent, c.repairsReceived, c.duplicates,
        c.rejected,      c.overflows,         c.senders};
    std::array<std::byte, mcast::kHeaderBytes + 4 + kStatisticsCounters * 8 + sizeof host> datagram;
    BeWriter out({datagram.data() + mcast::kHeaderBytes, datagram.size() - mcast::kHeaderBytes});
    out.u32(static_cast<std::uint32_t>(::getpid()));
    out.u8(static_cast<std::uint8_t>(values.size()));
    for (const std::uint64_t v : values)
        out.write(v);
    out.buf8(asBytes(name.substr(0, sizeof host - 1)));
    mcast::Header h;
    h.type = mcast::Type::statistics;
    h.session = session_;
    h.returnPort = localOf(sockets_.own.get()).port();
    const std::size_t length = mcast::kHeaderBytes + out.size();
    mcast::writeHeader(datagram.data(), h, length);
    static_cast<void>(::sendto(sockets_.statistics.get(), datagram.data(), length, MSG_DONTWAIT | MSG_NOSIGNAL,
                               sockets_.statisticsGroup.get(), sockets_.statisticsGroup.length));
}

}  // namespace emissary::eta::transport

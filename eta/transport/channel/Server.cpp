// Binds the listener of a server's type and accepts channels from it.
#include "eta/transport/Server.h"

#include "eta/core/addresses.h"
#include "transport/channel/ChannelImpl.h"
#include "transport/channel/streams.h"
#include "transport/websocket/forwarded.h"
#include "transport/websocket/websocket_frames.h"

#include <new>

namespace emissary::eta::transport {

struct Server::Impl {
    explicit Impl(const BindOptions& options) : shared(std::make_shared<ServerShared>(options)) {}
    std::unique_ptr<StreamListener> listener;
    std::uint16_t port = 0;
    std::shared_ptr<ServerShared> shared;
    std::uint64_t accepted = 0, refusedBusy = 0;
};

Server::Server(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Server::~Server() = default;

std::unique_ptr<Server> Server::bind(const BindOptions& options, Refused& refused) {
    auto impl = std::make_unique<Impl>(options);
    BindOptions& o = impl->shared->options;
    Admission::Limits limits;
    limits.initializing = o.maxInitializing;
    limits.initializingPerAddress = o.maxInitializingPerAddress;
    limits.connections = o.maxConnections;
    limits.connectionsPerAddress = o.maxConnectionsPerAddress;
    // A place is taken from silent connections after the time in which they should have spoken.
    if (o.firstByteTimeout.count() != 0) limits.grace = o.firstByteTimeout;
    impl->shared->admission = std::make_shared<Admission>(limits);
    if (o.partialBudgetBytes != 0) impl->shared->partialBudget = std::make_shared<PartialBudget>(o.partialBudgetBytes);
    Refused wrong = checkOptions(options);
    if (!wrong) {
        // JSON frames have a limit of their own, beyond what RIPC can announce.
        // Valid sizes are 25 to 65,535, more for JSON; others become 6,144 (transport.md 3.3).
        if (o.maxFragmentSize < 25 || o.maxFragmentSize > ws::kMaxFrameLimit) o.maxFragmentSize = 6144;
        o.webSocket.maxMessageBytes = o.maxFragmentSize;
        if (o.maxFragmentSize > frame::kMaxMessage) o.maxFragmentSize = 6144;
        impl->listener = rowOf(o.connectionType).calls->listen(o, wrong);
    }
    if (impl->listener == nullptr) {
        // Texts that begin with "is" continue the port's name.
        refused.text = "port " + options.port + (wrong.text.starts_with("is ") ? " " : ": ") + wrong.text;
        return nullptr;
    }
    impl->port = impl->listener->port();
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

int Server::fd() const noexcept {
    return impl_->listener->fd();
}
std::uint16_t Server::port() const noexcept {
    return impl_->port;
}
// Channels that were accepted stay: only the door closes.
void Server::close() noexcept {
    impl_->listener->close();
}

std::unique_ptr<Channel> Server::accept(TimePoint now) noexcept {
    Impl& i = *impl_;
    StreamListener& listener = *i.listener;
    ServerShared& shared = *i.shared;
    const ConnectionTypeRow& type = rowOf(shared.options.connectionType);
    try {
        for (;;) {
            const StreamListener::Knock knock = listener.next();
            if (knock == StreamListener::Knock::nobody) return nullptr;
            if (knock == StreamListener::Knock::turnedAway) {
                ++i.refusedBusy;
                shared.admission->shed(now);  // the next one gets in
                continue;
            }
            const SocketAddress peer = listener.peer();
            // All peers of shared memory are the same host, so they count as one address.
            Arrived who;
            if (type.overTcp) who.address = peer.key();
            who.port = type.overTcp ? i.port : std::uint16_t{0};
            who.proxy = type.overTcp && ws::isTrusted(shared.options.webSocket.trustedProxies, who.address);
            // Only a handshake, which is what costs, could carry an answer to the one too many. It is turned away
            // before anybody leaves for it.
            const AddressKey share = Admission::keyOf(who.address);
            if (type.encrypted && !shared.tls.take(now, who.proxy || isLoopback(who.address) ? nullptr : &share)) {
                shared.refusedRate.fetch_add(1, std::memory_order_relaxed);
                continue;
            }
            auto impl = std::make_unique<Channel::Impl>();
            who.full = Admission::admit(
                shared.admission, impl->place, type.overTcp ? Admission::keyOf(who.address) : Admission::Key{},
                listener.socket(), now, who.proxy ? Admission::OfAddress::unlimited : Admission::OfAddress::limited);
            if (who.full != Admission::Full::nothing) {
                ++i.refusedBusy;
                (who.full == Admission::Full::address ? shared.refusedAddress : shared.refusedFull)
                    .fetch_add(1, std::memory_order_relaxed);
                const WebSocketOptions& web = shared.options.webSocket;
                if (!web.served || !web.answersWhenFull ||
                    shared.unplaced.load(std::memory_order_relaxed) >= ServerHandshake::kMostUnplaced)
                    continue;
            }
            impl->stream = listener.take();
            impl->shared = i.shared;
            impl->peer = type.overTcp ? peer.text() : type.name;
            if (type.overTcp) {
                impl->info.peerAddress = impl->peer;
                impl->info.peerPort = peer.port();
            }
            std::unique_ptr<Channel> channel(new Channel(std::move(impl)));
            Channel::Impl& made = *channel->impl_;
            // From here on the connection costs memory and time; its deadline is in the handshake.
            made.handshake = std::make_unique<ServerHandshake>(made.ends(*channel), shared, made.place, who, now);
            ++i.accepted;
            return channel;
        }
        // Out of memory must not close the listener.
    } catch (const std::bad_alloc&) {
        listener.turnAway();
        return nullptr;
    }
}

ServerCounters Server::counters() const noexcept {
    const ServerShared& s = *impl_->shared;
    ServerCounters c;
    c.accepted = impl_->accepted;
    c.refusedBusy = impl_->refusedBusy;
    c.evicted = s.admission->evictions();
    c.handshakesDone = s.handshakesDone.load(std::memory_order_relaxed);
    c.handshakeFailures = s.handshakeFailures.load(std::memory_order_relaxed);
    c.handshakeTimeouts = s.handshakeTimeouts.load(std::memory_order_relaxed);
    c.naksSent = s.naksSent.load(std::memory_order_relaxed);
    c.originsRefused = s.originsRefused.load(std::memory_order_relaxed);
    c.protocolErrors = s.protocolErrors.load(std::memory_order_relaxed);
    c.headsRefused = s.headsRefused.load(std::memory_order_relaxed);
    c.refusedAddress = s.refusedAddress.load(std::memory_order_relaxed);
    c.refusedFull = s.refusedFull.load(std::memory_order_relaxed);
    c.unreadableForwards = s.unreadableForwards.load(std::memory_order_relaxed);
    c.refusedRate = s.refusedRate.load(std::memory_order_relaxed);
    const auto certificates = [&s](CertificateFault fault) {
        return s.certificates[static_cast<std::size_t>(fault)].load(std::memory_order_relaxed);
    };
    c.certificatesMissing = certificates(CertificateFault::missing);
    c.certificatesUntrusted = certificates(CertificateFault::untrusted);
    c.certificatesExpired = certificates(CertificateFault::expired);
    c.certificatesNotYetValid = certificates(CertificateFault::notYetValid);
    c.certificatesWrongPurpose = certificates(CertificateFault::wrongPurpose);
    c.certificatesRevoked = certificates(CertificateFault::revoked);
    c.certificatesBad = certificates(CertificateFault::other);
    return c;
}

}  // namespace emissary::eta::transport

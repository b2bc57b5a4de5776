#include "transport/ChannelImpl.h"
#include "transport/TlsContext.h"
#include "transport/websocket_frames.h"

#include <cerrno>
#include <new>

#include <fcntl.h>
#include <sys/socket.h>

namespace emissary::eta::transport {

struct Server::Impl {
    Descriptor listener;
    std::unique_ptr<StreamListener> foreign;  // instead of the socket
    Descriptor spare;                         // given up for a moment to accept and close when descriptors run out
    std::uint16_t port = 0;
    std::shared_ptr<ServerShared> shared = std::make_shared<ServerShared>();
    std::uint64_t accepted = 0, refusedBusy = 0;
};

Server::Server(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Server::~Server() = default;

std::unique_ptr<Server> Server::bind(const BindOptions& options, std::string& errorText) {
    std::string reason;
    auto impl = std::make_unique<Impl>();
    BindOptions& o = impl->shared->options;
    o = options;
    Admission::Limits limits;
    limits.initializing = o.maxInitializing;
    limits.initializingPerAddress = o.maxInitializingPerAddress;
    limits.connections = o.maxConnections;
    limits.connectionsPerAddress = o.maxConnectionsPerAddress;
    if (o.firstByteTimeout.count() != 0) limits.grace = o.firstByteTimeout;
    impl->shared->admission = std::make_shared<Admission>(limits);
    if (o.partialBudgetBytes != 0) impl->shared->partialBudget = std::make_shared<PartialBudget>(o.partialBudgetBytes);
    const auto failed = [&](const std::string& why) {
        errorText = "port " + options.port + (why.starts_with("is ") ? " " : ": ") + why;
        return nullptr;
    };
    if (reason = checkOptions(options); !reason.empty()) return failed(reason);
    if (o.connectionType == ConnectionType::encrypted) {
        impl->shared->tls = TlsContext::server(o.tls, reason);
        if (impl->shared->tls == nullptr) return failed(reason);
    }
    // JSON frames have a limit of their own, beyond what RIPC can announce.
    if (o.maxFragmentSize < 25 || o.maxFragmentSize > ws::kMaxFrameLimit) o.maxFragmentSize = 6144;
    o.webSocket.maxMessageBytes = o.maxFragmentSize;
    if (o.maxFragmentSize > frame::kMaxMessage) o.maxFragmentSize = 6144;
    if (isForeign(o.connectionType)) {
        impl->foreign = listenForeign(o, reason);
        if (impl->foreign == nullptr) return failed(reason);
        impl->port = impl->foreign->port();
        return std::unique_ptr<Server>(new Server(std::move(impl)));
    }
    impl->listener = openListener(o, reason);
    if (!impl->listener) return failed(reason);
    impl->port = localOf(impl->listener.get()).port();
    impl->spare.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

int Server::fd() const noexcept {
    return impl_->foreign != nullptr ? impl_->foreign->fd() : impl_->listener.get();
}
std::uint16_t Server::port() const noexcept {
    return impl_->port;
}

void Server::close() noexcept {
    if (impl_->foreign != nullptr) impl_->foreign->close();
    impl_->listener.reset();
    impl_->spare.reset();
}

std::unique_ptr<Channel> Server::accept(TimePoint now) noexcept try {
    Impl& i = *impl_;
    const auto made = [&](std::unique_ptr<Channel::Impl> channel, std::unique_ptr<ByteStream> stream) {
        channel->server = true;
        channel->phase = Channel::Impl::Phase::opening;
        channel->shared = i.shared;
        channel->options = static_cast<const ChannelOptions&>(i.shared->options);
        channel->deadline = channel->handshakeDeadline = now + i.shared->options.initializationTimeout;
        // Shared memory is there, heard, from the start.
        if (const auto first = i.shared->options.firstByteTimeout; first.count() != 0 && i.foreign == nullptr)
            channel->deadline = std::min(channel->deadline, now + first);
        channel->stream = std::move(stream);
        ++i.accepted;
        return std::unique_ptr<Channel>(new Channel(std::move(channel)));
    };
    if (i.foreign != nullptr) {
        while (auto stream = i.foreign->accept()) {
            auto channel = std::make_unique<Channel::Impl>();
            if (!Admission::admit(i.shared->admission, channel->place, {}, -1, now)) {  // all come from this host
                ++i.refusedBusy;
                continue;
            }
            channel->peer = describe(i.shared->options.connectionType);
            return made(std::move(channel), std::move(stream));
        }
        return nullptr;
    }
    while (i.listener) {
        Descriptor s(::accept4(i.listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!s) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            if ((errno != EMFILE && errno != ENFILE) || !i.spare) return nullptr;
            // Left in the queue the connection would wake the loop for ever: take it and hang up.
            i.spare.reset();
            Descriptor victim(::accept4(i.listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
            const bool took = static_cast<bool>(victim);
            victim.reset();
            i.spare.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
            if (!took) return nullptr;
            ++i.refusedBusy;
            i.shared->admission->shed(now);  // the next one gets in
            continue;
        }
        const SocketAddress peer = peerOf(s.get());
        auto channel = std::make_unique<Channel::Impl>();
        if (!Admission::admit(i.shared->admission, channel->place, Admission::keyOf(peer.key()), s.get(), now)) {
            ++i.refusedBusy;
            continue;
        }
        applySocketOptions(s.get(), i.shared->options);
        channel->peer = peer.text();
        channel->info.peerAddress = channel->peer;
        channel->info.peerPort = peer.port();
        return made(std::move(channel), layersOfServer(std::move(s), i.shared->tls));
    }
    return nullptr;
} catch (const std::bad_alloc&) {
    return nullptr;  // the connection that was taken is closed
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
    c.protocolErrors = s.protocolErrors.load(std::memory_order_relaxed);
    return c;
}

}  // namespace emissary::eta::transport

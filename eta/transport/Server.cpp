#include "transport/ChannelImpl.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/socket.h>

namespace emissary::eta::transport {

bool HalfOpenSlot::take(std::shared_ptr<ServerShared> shared, const std::array<std::uint8_t, 16>& peer) {
    const std::lock_guard guard(shared->mutex);
    std::uint32_t& ofPeer = shared->halfOpen[peer];
    if (shared->halfOpenTotal >= shared->options.maxInitializing ||
        ofPeer >= shared->options.maxInitializingPerAddress) {
        if (ofPeer == 0) shared->halfOpen.erase(peer);
        return false;
    }
    ++ofPeer;
    ++shared->halfOpenTotal;
    peer_ = peer;
    shared_ = std::move(shared);
    return true;
}

void HalfOpenSlot::release() noexcept {
    if (shared_ == nullptr) return;
    {
        const std::lock_guard guard(shared_->mutex);
        const auto found = shared_->halfOpen.find(peer_);
        if (found != shared_->halfOpen.end() && --found->second == 0) shared_->halfOpen.erase(found);
        --shared_->halfOpenTotal;
    }
    shared_.reset();
}

struct Server::Impl {
    Descriptor listener;
    Descriptor spare;  // given up for a moment to accept and close when descriptors run out
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
    if (o.maxFragmentSize < 25 || o.maxFragmentSize > frame::kMaxMessage) o.maxFragmentSize = 6144;
    impl->listener = openListener(o, reason);
    if (!impl->listener) {
        errorText = "port " + options.port + (reason.starts_with("is ") ? " " : ": ") + reason;
        return nullptr;
    }
    impl->port = localOf(impl->listener.get()).port();
    impl->spare.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

int Server::fd() const noexcept {
    return impl_->listener.get();
}
std::uint16_t Server::port() const noexcept {
    return impl_->port;
}

void Server::close() noexcept {
    impl_->listener.reset();
    impl_->spare.reset();
}

std::unique_ptr<Channel> Server::accept(TimePoint now) noexcept {
    Impl& i = *impl_;
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
            continue;
        }
        const SocketAddress peer = peerOf(s.get());
        auto channel = std::make_unique<Channel::Impl>();
        if (!channel->halfOpen.take(i.shared, peer.key())) {
            ++i.refusedBusy;
            continue;
        }
        applySocketOptions(s.get(), i.shared->options);
        channel->server = true;
        channel->phase = Channel::Impl::Phase::awaitingRequest;
        channel->shared = i.shared;
        channel->options = i.shared->options;
        channel->peer = peer.text();
        channel->info.peerAddress = channel->peer;
        channel->info.peerPort = peer.port();
        channel->deadline = now + i.shared->options.initializationTimeout;
        channel->stream = std::make_unique<TcpStream>(std::move(s), true);
        ++i.accepted;
        return std::unique_ptr<Channel>(new Channel(std::move(channel)));
    }
    return nullptr;
}

ServerCounters Server::counters() const noexcept {
    const ServerShared& s = *impl_->shared;
    ServerCounters c;
    c.accepted = impl_->accepted;
    c.refusedBusy = impl_->refusedBusy;
    c.handshakesDone = s.handshakesDone.load(std::memory_order_relaxed);
    c.handshakeFailures = s.handshakeFailures.load(std::memory_order_relaxed);
    c.handshakeTimeouts = s.handshakeTimeouts.load(std::memory_order_relaxed);
    c.naksSent = s.naksSent.load(std::memory_order_relaxed);
    c.protocolErrors = s.protocolErrors.load(std::memory_order_relaxed);
    return c;
}

}  // namespace emissary::eta::transport

// Listens, accepts a bounded number of connections in a turn, and pauses when there is no room.
#include "provider/ClientPort.h"

#include "reactor/metrics/Snapshot.h"

#include <new>
#include <utility>

#include <sys/epoll.h>

namespace emissary::reactor {

namespace {

constexpr int kAcceptsPerTurn = 64;
constexpr std::uint32_t kEmptyAcceptsBeforePause = 32;
constexpr auto kPause = std::chrono::milliseconds(50);
constexpr std::uint32_t kWatch = EPOLLIN | EPOLLEXCLUSIVE;  // one of the roles that share a listener wakes

}  // namespace

ClientPort::~ClientPort() {
    stop();
}

void ClientPort::stop() noexcept {
    context_.reactor.cancelTimer(std::exchange(timer_, 0));
    if (!listener_) return;
    context_.reactor.unwatch(listener_->fd());
    context_.reactor.unwatch(member_->fd());
    listener_->leave(std::move(member_));
    listener_.reset();
}

eta::Refused ClientPort::listen() {
    eta::Refused refused;
    listener_ = SharedListener::open(context_.options.bind, refused);
    if (!listener_) return refused;
    port_ = listener_->port();
    member_ = listener_->join();
    context_.reactor.watch(listener_->fd(), kWatch, *this);
    context_.reactor.watch(member_->fd(), EPOLLIN, inbox_);
    return {};
}

eta::transport::ServerCounters ClientPort::counters() const {
    return listener_ ? listener_->counters() : eta::transport::ServerCounters{};
}

void ClientPort::collect(metrics::Snapshot& into, bool ofListener) const {
    if (!listener_) return;
    if (ofListener) into.add(listener_->counters(), {{"role", "provider"}});
    into.add(member_->inboxCounts(), {{"queue", "connections"}});
}

void ClientPort::onReady(std::uint32_t) noexcept {
    try {
        acceptWaiting();
    } catch (const std::bad_alloc&) {}  // memory is short: the connection is refused
}

void ClientPort::acceptWaiting() {
    // 64 for each turn, so that a flood of connections does not hold up the clients that are here.
    for (int i = 0; i < kAcceptsPerTurn; ++i) {
        SharedListener::Accepted accepted = listener_->accept(*member_, context_.reactor.now());
        if (!accepted.any) {
            // The socket is ready again and again and yet there is nothing to accept: descriptors have run out, or
            // somebody floods this port. The backlog holds the rest while the clients that are connected are served.
            if (i != 0) emptyAccepts_ = 0;
            else if (++emptyAccepts_ >= kEmptyAcceptsBeforePause) pause();
            return;
        }
        if (accepted.channel) to_.onConnection(std::move(accepted.channel));
    }
}

void ClientPort::pause() {
    emptyAccepts_ = 0;
    context_.reactor.unwatch(listener_->fd());
    timer_ = context_.reactor.startTimer(kPause, [this] { context_.reactor.watch(listener_->fd(), kWatch, *this); });
}

void ClientPort::takeHandedOver() {
    for (auto& channel : listener_->take(*member_))
        to_.onConnection(std::move(channel));
}

}  // namespace emissary::reactor

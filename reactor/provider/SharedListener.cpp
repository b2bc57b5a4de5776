// Opens a listening socket or joins one that exists, and gives connections to the least loaded role.
#include "provider/SharedListener.h"

#include "reactor/provider/ListenTogether.h"

#include <algorithm>
#include <new>
#include <tuple>

#include <unistd.h>

namespace emissary::reactor {

using eta::transport::BindOptions;
using eta::transport::Server;

namespace {

/// Channels take their options from the listener: only roles that want the same may share one. TLS listeners are never
/// shared.
[[nodiscard]] bool mayShare(const BindOptions& a, const BindOptions& b) {
    const auto values = [](const BindOptions& o) {
        return std::tie(o.port, o.interfaceName, o.componentInfo, o.connectionType, o.webSocket, o.forceCompression,
                        o.compressionLevel, o.compression, o.compressionThreshold, o.maxFragmentSize,
                        o.guaranteedOutputBuffers, o.maxOutputBuffers, o.numInputBuffers, o.sysSendBufSize,
                        o.sysRecvBufSize, o.highWaterMark, o.pingTimeoutSeconds, o.minPingTimeoutSeconds,
                        o.protocolType, o.protocolMajor, o.protocolMinor, o.tcpNoDelay, o.directWrite,
                        o.serverToClientPings, o.clientToServerPings, o.initializationTimeout, o.maxMessageBytes,
                        o.maxPartialMessages, o.maxInitializing, o.maxInitializingPerAddress, o.maxConnections,
                        o.maxConnectionsPerAddress, o.firstByteTimeout, o.partialBudgetBytes);
    };
    return a.connectionType != eta::transport::ConnectionType::encrypted && values(a) == values(b);
}

struct Shared {
    BindOptions options;
    std::weak_ptr<SharedListener> listener;
};
/// The process's shared listeners; a handful at most.
struct Registry {
    std::mutex mutex;
    std::vector<Shared> entries;  // guarded by mutex
};
[[nodiscard]] Registry& registry() {
    static Registry one;
    return one;
}

/// Of a ListenTogether of this thread.
thread_local bool together = false;
thread_local std::shared_ptr<SharedListener> common;

}  // namespace

ListenTogether::ListenTogether() noexcept {
    together = true;
}
ListenTogether::~ListenTogether() {
    together = false;
    common.reset();
}

SharedListener::SharedListener(std::unique_ptr<Server> server) noexcept : server_(std::move(server)) {}
SharedListener::~SharedListener() = default;

std::shared_ptr<SharedListener> SharedListener::open(const BindOptions& options, eta::Refused& refused) {
    if (together) {
        if (common) return common;
        auto server = Server::bind(options, refused);
        if (server) common = std::make_shared<SharedListener>(std::move(server));
        return common;
    }
    const bool share = options.sharedSocket && options.port != "0";
    if (!share) {
        auto server = Server::bind(options, refused);
        return server ? std::make_shared<SharedListener>(std::move(server)) : nullptr;
    }
    Registry& all = registry();
    const std::lock_guard guard(all.mutex);
    std::erase_if(all.entries, [](const Shared& s) { return s.listener.expired(); });
    for (const Shared& s : all.entries) {
        if (!mayShare(s.options, options)) continue;
        if (auto listener = s.listener.lock()) return listener;
    }
    auto server = Server::bind(options, refused);
    if (!server) return nullptr;
    auto listener = std::make_shared<SharedListener>(std::move(server));
    all.entries.push_back({options, listener});
    return listener;
}

std::unique_ptr<SharedListener::Member> SharedListener::join() {
    auto member = std::make_unique<Member>();
    const std::lock_guard guard(mutex_);
    members_.push_back(member.get());
    return member;
}

// Connections that wait for this member go to the others; those that nobody takes end.
void SharedListener::leave(std::unique_ptr<Member> member) noexcept {
    const std::lock_guard guard(mutex_);
    std::erase(members_, member.get());
    if (members_.empty()) return;
    for (auto& channel : member->inbox_.take()) {
        try {
            if (!handOver(leastLoaded(), channel))
                static_cast<void>(
                    std::any_of(members_.begin(), members_.end(), [&](Member* m) { return handOver(*m, channel); }));
        } catch (const std::bad_alloc&) {}  // that connection ends
    }
}

/// Needs the mutex and at least one member.
SharedListener::Member& SharedListener::leastLoaded() noexcept {
    // Begins behind the last one that got a connection, so that equal loads share evenly.
    std::size_t best = nextMember_ % members_.size();
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const std::size_t at = (nextMember_ + i) % members_.size();
        if (members_[at]->connections_ < members_[best]->connections_) best = at;
    }
    nextMember_ = best + 1;
    return *members_[best];
}

// A member whose queue is full keeps the connection with the caller.
bool SharedListener::handOver(Member& to, std::unique_ptr<Channel>& channel) {
    if (!to.inbox_.tryPost(channel)) return false;
    ++to.connections_;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = ::write(to.wakeFd_, &one, sizeof one);
    return true;
}

// Under the lock: several members may accept at the same moment.
SharedListener::Accepted SharedListener::accept(Member& member, TimePoint now) {
    const std::lock_guard guard(mutex_);
    Accepted accepted;
    std::unique_ptr<Channel> channel = server_->accept(now);
    if (!channel) return accepted;
    accepted.any = true;
    Member& to = leastLoaded();
    if (&to != &member && handOver(to, channel)) return accepted;
    ++member.connections_;
    accepted.channel = std::move(channel);
    return accepted;
}

std::vector<std::unique_ptr<SharedListener::Channel>> SharedListener::take(Member& member) {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto n = ::read(member.wakeFd_, &count, sizeof count);
    return member.inbox_.take();
}

eta::transport::ServerCounters SharedListener::counters() {
    const std::lock_guard guard(mutex_);
    return server_->counters();
}

void SharedListener::ended(Member& member) noexcept {
    const std::lock_guard guard(mutex_);
    --member.connections_;
}

}  // namespace emissary::reactor

// Where a provider role's connections come from: a listening socket of its own, or one that several roles of the
// process serve together.
#pragma once

#include "loop/Mailbox.h"
#include "reactor/OpenDescriptor.h"
#include "reactor/Reactor.h"

#include "eta/transport/Channel.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::reactor {

/// A listening socket and the roles that take its connections.
///
/// Roles of one process that bind the same port with `sharedSocket` and the same options share one SharedListener: each
/// watches its descriptor, the member that is woken accepts, and every connection goes to the member that has the
/// fewest. Left to itself the kernel spreads connections over SO_REUSEPORT sockets by a hash of their addresses, so
/// that one of four threads easily gets most of eight clients. Other processes on the port have sockets of their own,
/// as ever.
///
/// Threads: any thread; but accept() and take() of a member only the dispatching thread of its role. `mutex_` is a leaf
/// lock, held only for an accept and a few pointer moves.
class SharedListener {
public:
    using Channel = eta::transport::Channel;

    /// Upper bound on connections queued for one member. If a member's queue is full, the accepting member keeps the
    /// connection.
    static constexpr std::size_t kMostHandedOver = 1024;

    /// One role's part in a listener.
    class Member {
    public:
        /// Readable when another member has handed over a connection.
        [[nodiscard]] int fd() const noexcept { return wakeFd_; }
        [[nodiscard]] QueueCounts inboxCounts() const noexcept { return inbox_.counts(); }

    private:
        friend class SharedListener;
        OpenDescriptor wakeFd_ = OpenDescriptor::event();
        std::size_t connections_ = 0;  // accepted for this member and not ended; the listener's mutex
        Mailbox<std::unique_ptr<Channel>> inbox_{kMostHandedOver};
    };

    /// Binds, or joins the listener of this process that is there already. Null when refused: the text names the port.
    [[nodiscard]] static std::shared_ptr<SharedListener> open(const eta::transport::BindOptions& options,
                                                        eta::Refused& refused);
    explicit SharedListener(std::unique_ptr<eta::transport::Server> server) noexcept;
    ~SharedListener();

    [[nodiscard]] int fd() const noexcept { return server_->fd(); }
    [[nodiscard]] std::uint16_t port() const noexcept { return server_->port(); }

    [[nodiscard]] std::unique_ptr<Member> join();
    /// Hands the connections in the member's inbox to other members; if all inboxes are full, those connections end.
    void leave(std::unique_ptr<Member> member) noexcept;

    struct Accepted {
        std::unique_ptr<Channel> channel;  ///< for the asking member; null when another one got it, or none waits
        bool any = false;                  ///< a connection was taken from the queue
    };
    [[nodiscard]] Accepted accept(Member& member, TimePoint now);
    /// Connections that other members handed over; clears the descriptor.
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> take(Member& member);
    [[nodiscard]] eta::transport::ServerCounters counters();
    /// A connection of the member has ended.
    void ended(Member& member) noexcept;

private:
    [[nodiscard]] Member& leastLoaded() noexcept;
    /// False when the inbox is full: the channel stays.
    [[nodiscard]] bool handOver(Member& to, std::unique_ptr<Channel>& channel);

    std::unique_ptr<eta::transport::Server> server_;  // accept(): under mutex_
    std::mutex mutex_;
    std::vector<Member*> members_;  // guarded by mutex_
    std::size_t nextMember_ = 0;    // among equals the turn goes round; guarded by mutex_
};

}  // namespace emissary::reactor

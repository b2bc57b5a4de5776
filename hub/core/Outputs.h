// All outputs of items side by side: connections of clients, sinks without a connection, and observers that only count.
#pragma once

#include "hub/core/Sink.h"

#include <memory>

namespace emissary::hub {

class ClientTable;
struct Client;

/// Where ItemFlow sends. As long as there are only connections, a call goes to them as if they stood here; the first
/// sink or observer puts a list in between. Stage thread only, with the session lock held.
class Outputs {
public:
    /// Borrowed; both outlive this, and this outlives all mounts.
    Outputs(Deliveries& connections, ClientTable& clients) noexcept;
    ~Outputs();
    Outputs(const Outputs&) = delete;
    Outputs& operator=(const Outputs&) = delete;

    // --- who stands beside the connections
    /// A client for the sink, whose mounts come and go by ItemFlow::join() and leave(). Throws std::bad_alloc.
    [[nodiscard]] Client& attach(Sink& sink);
    /// The client of a sink goes. It has no mounts any more.
    void detach(Client& client) noexcept;
    /// Before the first mount. Throws std::bad_alloc.
    void observe(MountObserver& observer);
    void ignore(MountObserver& observer) noexcept;
    /// While it lives, no sink gets anything: for an output that has left messages out (ItemFlow::renew()).
    class ConnectionsOnly {
    public:
        explicit ConnectionsOnly(Outputs& outputs) noexcept : outputs_(outputs) { outputs_.onlyConnections(true); }
        ~ConnectionsOnly() { outputs_.onlyConnections(false); }
        ConnectionsOnly(const ConnectionsOnly&) = delete;
        ConnectionsOnly& operator=(const ConnectionsOnly&) = delete;

    private:
        Outputs& outputs_;
    };

    // --- for ItemFlow: see Deliveries
    void send(Item& item, const Msg& msg, To to) { to_->send(item, msg, to); }
    void send(Item& item, const Mount& mount, const Msg& msg) { to_->send(item, mount, msg); }
    void sendToo(Item& item, const Mount& mount, const Msg& msg) { to_->sendToo(item, mount, msg); }
    [[nodiscard]] bool holdsFor(const Item& item, const Mount& mount) const noexcept {
        return to_->holdsFor(item, mount);
    }
    void mounted(Item& item, const Mount& mount) { to_->mounted(item, mount); }
    void unmounted(Item& item, const Mount& mount, Leaves how) noexcept { to_->unmounted(item, mount, how); }
    void touched(const Item& item) noexcept { to_->touched(item); }
    void quietened(Item& item, Mount& mount) noexcept { to_->quietened(item, mount); }
    void enlivened(const Item& item, const Mount& mount) noexcept { to_->enlivened(item, mount); }
    [[nodiscard]] TurnBudget& work() noexcept { return connections_.work(); }

private:
    class Several;
    [[nodiscard]] Several& several();
    void onlyConnections(bool on) noexcept;
    /// Back to the connections alone when nobody is left beside them.
    void settle() noexcept;

    Deliveries& connections_;
    ClientTable& clients_;
    Deliveries* to_;
    std::unique_ptr<Several> several_;  ///< null until somebody comes
};

}  // namespace emissary::hub

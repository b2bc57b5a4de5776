// The tunnel streams of a provider's clients (tunnel.md 1.6, 6.2).
#pragma once

#include "provider/Outbox.h"
#include "provider/ProviderContext.h"
#include "provider/Session.h"
#include "reactor/TurnEnd.h"
#include "reactor/tunnel/TunnelListener.h"

#include <map>
#include <memory>
#include <vector>

namespace emissary::reactor {

class ClientGuard;

class ProviderTunnels final : private TurnEnd {
public:
    using Msg = eta::codec::Msg;

    ProviderTunnels(ProviderContext& context, ClientGuard& guard, Outbox& outbox);
    ~ProviderTunnels();

    void serve(tunnel::TunnelListener& listener) noexcept { listener_ = &listener; }
    /// The message asks for a tunnel, or is for one that is open.
    [[nodiscard]] bool onMessage(Session& session, const Msg& m);
    /// Login or connection of the client have ended. Its tunnels end at once, or from the loop unless `tell` is now:
    /// the application may be inside another callback.
    void clientGone(Session& session, Tell tell);
    void trim() noexcept;
    [[nodiscard]] tunnel::Counters& counters() noexcept { return counters_; }

private:
    class Port;
    class Client;
    class Call;

    void onRequest(Session& session, const Msg& m);
    void ended(Port& port);
    void endAll(std::unique_ptr<Client> client);
    void onTurnEnd() noexcept override;
    [[nodiscard]] Client& clientOf(Session& session);

    ProviderContext& context_;
    ClientGuard& guard_;
    Outbox& outbox_;
    tunnel::TunnelListener* listener_ = nullptr;  // null: requests are rejected
    tunnel::Counters counters_;
    std::map<const Session*, std::unique_ptr<Client>> clients_;  // those that have or had a tunnel
    std::vector<std::unique_ptr<Port>> gone_;                    // may be on the stack: freed at the end of the turn
    std::vector<std::unique_ptr<Client>> leaving_;               // whose tunnels end from the loop
    std::vector<std::unique_ptr<Client>> goneClients_;
    bool endsPosted_ = false;  // a call from the loop is on its way for those in leaving_
    std::vector<Port*> due_;
};

}  // namespace emissary::reactor

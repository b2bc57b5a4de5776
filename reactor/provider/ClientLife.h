// reactor/provider: the beginning and the end of clients.
#pragma once

#include "provider/ClientGuard.h"
#include "provider/ClientPort.h"
#include "provider/HandshakeReports.h"
#include "provider/OpenStreams.h"
#include "provider/OwnRequests.h"
#include "provider/ProviderTunnels.h"

#include <vector>

namespace emissary::reactor {

/// Records change first, callbacks run after. A client that ends inside a callback is destroyed from the loop, so that
/// code on the stack may still look at it.
class ClientLife final : public NewConnections {
public:
    ClientLife(ProviderRole::Impl& role, ProviderContext& context, ClientTable& clients, OpenStreams& streams,
               ClientGuard& guard, Outbox& outbox, OwnRequests& ownRequests, ProviderTunnels& tunnels,
               ClientPort& port) noexcept
        : role_(role), context_(context), clients_(clients), streams_(streams), guard_(guard), outbox_(outbox),
          ownRequests_(ownRequests), tunnels_(tunnels), port_(port) {}

    void onConnection(std::unique_ptr<eta::transport::Channel> channel) override;
    // ClientEnds
    void endClient(Session& session, const std::string& reason, Tell tell);
    void endClient(Session& session, const std::string& reason, Tell tell, const ClientFarewell& farewell);
    void endLogin(Session& session, Tell tell);
    void handOver(Session& session, Bytes login);
    void handshakeFailed(const std::string& reason, const std::string& peer);

private:
    void say(Session& session, const std::string& reason, const ClientFarewell& farewell) noexcept;
    void tidyLater() noexcept;

    ProviderRole::Impl& role_;
    ProviderContext& context_;
    ClientTable& clients_;
    OpenStreams& streams_;
    ClientGuard& guard_;
    Outbox& outbox_;
    OwnRequests& ownRequests_;
    ProviderTunnels& tunnels_;
    ClientPort& port_;
    HandshakeReports handshakeReports_{context_};
    bool tidyPosted_ = false;
    std::vector<OpenStreams::EndedLogin> untold_;  // ends of logins that could not be posted
};

}  // namespace emissary::reactor

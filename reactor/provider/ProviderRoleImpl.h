// reactor/provider: the parts of a provider role, and how they stand on each other.
#pragma once

#include "provider/ClientGuard.h"
#include "provider/ClientLife.h"
#include "provider/ClientPort.h"
#include "provider/ClientRequests.h"
#include "provider/ClientTable.h"
#include "provider/DictionaryAnswers.h"
#include "provider/DirectoryAnswers.h"
#include "provider/FanOut.h"
#include "provider/OpenStreams.h"
#include "provider/Outbox.h"
#include "provider/OwnRequests.h"
#include "provider/ProvidedServices.h"
#include "provider/ProviderContext.h"
#include "provider/ProviderTunnels.h"
#include "provider/Submits.h"

namespace emissary::reactor {

/// Built from top to bottom: a part uses those above it, and reaches ClientLife through ClientEnds.
struct ProviderRole::Impl final : MemoryOwner, ClientEnds {
    Impl(Reactor& r, ProviderOptions o, ProviderHandler& h);
    ~Impl();

    void endClient(Session& session, const std::string& reason, Tell tell) override {
        life.endClient(session, reason, tell);
    }
    void endClient(Session& session, const std::string& reason, Tell tell, const ClientFarewell& farewell) override {
        life.endClient(session, reason, tell, farewell);
    }
    void endLogin(Session& session, Tell tell) override { life.endLogin(session, tell); }
    void releaseEarly(Session& session) override { requests.releaseEarly(session); }
    void handOver(Session& session, Bytes login) override { life.handOver(session, login); }
    void serve(ServedDictionary dictionary);
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override;

    ProviderContext context;
    rdm::Directory directory;
    ClientTable clients;
    OpenStreams streams{context};
    ClientGuard guard{context, clients, *this};
    DictionaryAnswers dictionaries{context, streams};
    Outbox outbox{context, dictionaries, *this};
    DirectoryAnswers directories{context, directory, outbox, *this};
    OwnRequests ownRequests{context, clients, directory, outbox};
    ProviderTunnels tunnels{context, guard, outbox};
    ProvidedServices services{context, directory, streams, ownRequests};
    Submits submits{context, streams, clients, directory, services, guard, *this};
    FanOut fanOut{context, streams, clients, services, submits};
    ClientRequests requests{context,     clients,      streams,     directory, guard, outbox,
                            directories, dictionaries, ownRequests, tunnels,   *this};
    ClientLife life{*this, context, clients, streams, guard, outbox, ownRequests, tunnels, port};
    ClientPort port{context, life};
};

}  // namespace emissary::reactor

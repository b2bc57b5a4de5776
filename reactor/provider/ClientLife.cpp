// Makes and ends client sessions, and hands connections over to another role of the process.
#include "provider/ClientLife.h"

#include <new>
#include <utility>

namespace emissary::reactor {

void ClientLife::onConnection(std::unique_ptr<eta::transport::Channel> channel) {
    try {
        // All that needs memory comes first: a client is there in full or not at all.
        clients_.reserve();
        auto fresh = std::make_unique<Session>(role_, streams_.table());
        fresh->link = context_.reactor.adopt(std::move(channel), *fresh);
        clients_.add(std::move(fresh));
    } catch (const std::bad_alloc&) {
        return port_.connectionEnded();  // memory is short: the connection is refused
    }
    ++context_.counters.clientsAccepted;
}

void ClientLife::endClient(Session& session, const std::string& reason, Tell tell) {
    if (session.dead) return;
    session.dead = true;
    const bool wasUp = std::exchange(session.up, false);
    const std::uint64_t handle = session.handle;
    if (session.link) session.link->close();
    const bool first = clients_.retire(session);
    port_.connectionEnded();
    ++context_.counters.clientsLost;
    if (first) context_.post([this] { clients_.bury(); });
    void* const context = std::exchange(session.context, nullptr);
    if (wasUp) context_.handler.onClientDown(handle, context, reason);
    endLogin(session, tell);
}

void ClientLife::endLogin(Session& session, Tell tell) {
    session.loggedIn = false;
    session.dropEarly();
    OpenStreams::Forgotten had = streams_.forgetAll(session);
    outbox_.clear(session);
    tunnels_.clientGone(session);
    if (!session.dead) guard_.beginStranger(session);
    streams_.removeAll(had);
    ownRequests_.endAllOf(session, tell == Tell::now ? Tell::now : Tell::later,
                          session.dead ? "the connection to the client ended" : "the client's login was closed");
    if (!had.login || tell == Tell::nothing) return;
    if (tell == Tell::now) return tellClosed(context_.handler, had.login->event, had.login->stream);
    auto login = std::make_shared<OpenStreams::EndedLogin>(std::move(*had.login));
    context_.post([this, login] { tellClosed(context_.handler, login->event, login->stream); });
}

void ClientLife::handOver(Session& session, Bytes login) {
    context_.handler.onProviderLogin({session.handle, session.context}, std::move(session.link), login);
    endClient(session, "it publishes", Tell::now);
}

void ClientLife::handshakeFailed(const std::string& reason, const std::string& peer) {
    ++context_.counters.handshakesFailed;
    handshakeReports_.failed(reason, peer);
}

}  // namespace emissary::reactor

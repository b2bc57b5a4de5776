// Makes and ends client sessions, and hands connections over to another role of the process.
#include "provider/ClientLife.h"

#include "reactor/rdm/login_user.h"

#include <new>
#include <utility>

namespace emissary::reactor {

using namespace eta::codec;

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
    clients_.retire(session);
    port_.connectionEnded();
    ++context_.counters.clientsLost;
    tidyLater();
    // The context is taken away before the callback, so that it cannot be used twice.
    void* const context = std::exchange(session.context, nullptr);
    if (wasUp) context_.handler.onClientDown(handle, context, reason);
    endLogin(session, tell);
}

/// Buries clients in a turn of its own: one may be on the stack of its own link.
void ClientLife::tidyLater() noexcept {
    if (tidyPosted_) return;
    try {
        context_.post([this] {
            tidyPosted_ = false;
            clients_.bury();
            for (const OpenStreams::EndedLogin& login : std::exchange(untold_, {}))
                tellClosed(context_.handler, login.event, login.stream);
        });
        tidyPosted_ = true;
    } catch (const std::bad_alloc&) {}  // the client ends all the same; the next one that ends tries again for both
}

void ClientLife::endClient(Session& session, const std::string& reason, Tell tell, const ClientFarewell& farewell) {
    if (session.dead) return;
    // The reason goes to the handler before the connection ends, so that it can name a better one.
    if (session.up) context_.handler.onClientEnding(session.handle, session.context, farewell);
    if (session.link && session.link->active()) {
        say(session, reason, farewell);
        session.link->part({.code = farewell.closeCode, .text = reason});
    }
    endClient(session, reason, tell);
}

/// On the login stream, if there is one. A token that is in the place of a name is not sent back.
void ClientLife::say(Session& session, const std::string& reason, const ClientFarewell& farewell) noexcept {
    // A client that does not read would not see its status behind megabytes of output (hub.md 8.4).
    if (farewell.dropsUnsent) session.link->dropUnsent();
    const std::uint32_t slot = session.streams.login;
    // 0: this end has no status.
    if (farewell.stream == 0 || slot == StreamTable::kNone) return;
    const Stream& login = streams_.table()[slot];
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = rdm::kLoginDomain;
    m.streamId = login.streamId;
    m.flags = StatusFlag::state;
    MsgKey key;
    if (decodeKey(login.key(), key).ok()) {
        m.flags |= StatusFlag::msgKey;
        m.key.flags = key.flags & (KeyFlag::name | KeyFlag::nameType);
        m.key.nameType = key.nameType;
        if (key.has(KeyFlag::nameType) && key.nameType == rdm::LoginNameType::authnToken)
            m.key.flags &= static_cast<std::uint16_t>(~KeyFlag::name);
        else m.key.name = key.name;
    }
    m.state = {farewell.stream, farewell.data, farewell.code, eta::asBytes(reason)};
    static_cast<void>(session.link->send(m));  // a client that the reason cannot reach ends all the same
}

void ClientLife::endLogin(Session& session, Tell tell) {
    // A login that ends takes all streams along (rdm.md 2.4), while the connection may stay.
    session.loggedIn = false;
    session.dropEarly();
    OpenStreams::Forgotten had = streams_.forgetAll(session);
    outbox_.clear(session);
    // The client is a stranger again, with the limits of one.
    if (!session.dead) guard_.beginStranger(session);
    // Before the first callback, in which the application may still name their handles.
    streams_.removeAll(had);
    tunnels_.clientGone(session, tell);
    ownRequests_.endAllOf(session, tell == Tell::now ? Tell::now : Tell::later,
                          session.dead ? "the connection to the client ended" : "the client's login was closed");
    if (!had.login || tell == Tell::nothing) return;
    if (tell == Tell::now) return tellClosed(context_.handler, had.login->event, had.login->stream);
    // The record is gone when the posted call runs, so it travels along.
    const auto login = std::make_shared<OpenStreams::EndedLogin>(std::move(*had.login));
    try {
        context_.post([this, login] { tellClosed(context_.handler, login->event, login->stream); });
    } catch (const std::bad_alloc&) { untold_.push_back(std::move(*login)); }
}

void ClientLife::handOver(Session& session, Bytes login) {
    // The link is moved out first: endClient() must not close what another role uses now.
    context_.handler.onProviderLogin({session.handle, session.context}, std::move(session.link), login);
    endClient(session, "it publishes", Tell::now);
}

void ClientLife::handshakeFailed(const std::string& reason, const std::string& peer) {
    ++context_.counters.handshakesFailed;
    handshakeReports_.failed(reason, peer);
}

}  // namespace emissary::reactor

// Starts the consumer role of a session channel, and passes its events on to the router.
#include "routing/Session.h"

#include "routing/RouterImpl.h"

#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

Session::Session(Router::Impl& r, std::size_t i, SessionChannel channel)
    : router(r), index(i), name(std::move(channel.name)),
      role(std::make_unique<ConsumerRole>(r.reactor, std::move(channel.options), *this)) {
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = rdm::kLoginDomain;
    Refusal refusal;
    login = role->registerClient({m, {}}, {&loginClient, nullptr, 0}, refusal);
}

void Session::requestDirectory() {
    if (directory != 0) return;
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = rdm::kDirectoryDomain;
    m.flags = RequestFlag::streaming;
    Refusal refusal;
    directory = role->registerClient({m, {}}, {&directoryClient, nullptr, 0}, refusal);
}

void Session::onMessage(const Msg& msg, const Recipient& to, std::string_view serviceName) {
    if (router.sessions.shutDown) return;
    Session* const before = std::exchange(router.sessions.delivering, this);
    if (to.client == &loginClient) {
        if (msg.cls == MsgClass::Ack) router.onLoginAck(*this, msg, serviceName);
        else router.onLogin(*this, msg);
    } else if (to.client == &directoryClient) {
        Msg m = msg;  // what the directory says comes through onDirectory()
        if (m.cls == MsgClass::Generic) { router.directory.onGeneric(m); }
    } else if (to.client == &tunnelClient) {
        router.tunnels.onMessage(*this, msg, to, serviceName);
    } else {
        router.delivery.onItem(*this, msg, *static_cast<Item*>(to.client), serviceName);
    }
    router.sessions.delivering = before;
}

void Session::onConnection(ConnectionEvent event, const std::string& text) {
    if (!router.sessions.shutDown) router.onEvent(*this, event, text);
}

void Session::onWarning(const std::string& text) {
    router.sink.onWarning(labelled(text));
}

void Session::onJsonFailure(const consumer::JsonFailure& failure) {
    router.sink.onJsonFailure({labelled(failure.text), failure.channel, failure.info, name});
}

void Session::onDirectory(bool there) {
    if (!router.sessions.shutDown) router.onDirectory(*this, there);
}

}  // namespace emissary::reactor::routing

// Takes connections of one port in, gives each message to its room, and logs why connections end.
#include "hub/client/Listener.h"

#include "eta/core/printable.h"
#include "hub/client/Directories.h"
#include "hub/client/Logins.h"
#include "hub/client/Pace.h"
#include "hub/client/RoundTrips.h"
#include "hub/client/cert_user.h"
#include "hub/client/ServiceUses.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;
using reactor::ItemClient;
using reactor::StreamEvent;

namespace {

[[nodiscard]] reactor::ProviderOptions optionsOf(const ListenerSettings& settings, const ClientOptions& options) {
    reactor::ProviderOptions o;
    o.bind = settings.bind;
    o.limits = settings.limits;
    // Items are dealt with here and not by the role, which knows login, directory and dictionary only.
    o.itemsByHandler = true;
    o.directoryByUser = true;
    // A second login stream gets AlreadyOpen, and the first one lives on (hub.md 2.1).
    o.closeSecondLogin = true;
    // What a client sends behind its login request waits for the verdict, which may come later (hub.md 2.1).
    o.holdsUntilVerdict = true;
    o.acceptDirectoryWithoutMinFilters = true;
    o.handsOverProviders = settings.anyRole && options.publisher;
    return o;
}

[[nodiscard]] Client* clientOf(void* context) noexcept {
    return static_cast<Client*>(context);
}

}  // namespace

Service* defaultService(Context& context, const Client& client) noexcept {
    ServiceTable& services = context.rooms.services;
    const std::string& named = ClientSession::of(client).listener->defaultService();
    if (!named.empty()) {
        std::uint16_t id = 0;
        const char* const end = named.data() + named.size();
        const auto [at, ec] = std::from_chars(named.data(), end, id);
        // A name wins over a number that looks like one.
        Service* service = services.find(std::string_view(named));
        if (service == nullptr && ec == std::errc() && at == end) service = services.find(id);
        return service != nullptr && client.sees(service->name) ? service : nullptr;
    }
    // Without DefaultService a key without a service is clear only while there is exactly one service.
    const auto& all = context.told->services();
    if (client.services == nullptr) return all.size() == 1 ? services.find(all.front()->id) : nullptr;
    const reactor::rdm::Service* only = nullptr;
    for (const auto& one : all) {
        if (!client.sees(one->name())) continue;
        if (only != nullptr) return nullptr;
        only = &*one;
    }
    return only != nullptr ? services.find(only->id) : nullptr;
}

bool lacksDefault(Context& context, const Client& client) noexcept {
    if (defaultService(context, client) != nullptr) return false;
    if (!ClientSession::of(client).listener->defaultService().empty()) return true;
    const auto& all = context.told->services();
    return std::ranges::none_of(all, [&](const auto& one) { return client.sees(one->name()); });
}

Listener::Listener(const Duties& duties, const ListenerSettings& settings, std::uint32_t number)
    : duties_(duties), context_(duties.context), settings_(settings), web_(settings_.web, context_.options),
      number_(number), keyBytesPerClient_(settings.limits.keyBytesPerClient) {
    // With fronts, the connections live on other threads and the listener gets their events through the relay.
    if (context_.rooms.elsewhere != nullptr) {
        connections_ = context_.rooms.elsewhere->make(optionsOf(settings, context_.options), *this);
        return;
    }
    auto own = std::make_unique<OwnConnections>(context_.rooms.reactor, context_.rooms.out,
                                                optionsOf(settings, context_.options), *this);
    own_ = own.get();
    connections_ = std::move(own);
}

void Listener::end(Client& client, EndReason reason, const std::string& text) {
    end(client, endingOf(reason, text));
}

void Listener::end(Client& client, const Ending& ending) {
    // closeSoon(): the caller may still hold this client's records; endNow() is for callers that return at once.
    ClientSession::of(client).end = ending.reason;
    connections_->closeSoon(client, ending);
}

void Listener::endNow(Client& client, const Ending& ending) {
    ClientSession::of(client).end = ending.reason;
    connections_->close(client, ending);
}

Client& Listener::arrived(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info,
                          std::weak_ptr<eta::transport::Channel> wire) {
    auto session = std::make_shared<ClientSession>();
    session->wire = std::move(wire);
    session->listener = this;
    session->channel = info;
    Client& client = context_.rooms.clients.add();
    client.handle = clientHandle;
    client.listener = number_;
    client.json = info.protocolType == eta::transport::kProtocolJson;
    client.expandsEnums = settings_.expandEnums;
    client.session = std::move(session);
    client.address = info.peerAddress;
    if (const auto* const certificate = certificateOf(info)) client.certSubject = eta::printable(certificate->subject);
    if (!info.webSocketProtocol.empty()) web_.apply(client);
    // The number of the connection since the start: it tells two connections of one client record apart, in logs and
    // audit.
    client.connection = ++context_.counts.of.connects;
    ++context_.counts.of.clients;
    return client;
}

/// Refusals do not stop it: each costs more than the post did.
void Listener::endIfFlooding(Client& client) {
    if (client.posts.floods() && ClientSession::of(client).end == EndReason::lost)
        end(client, EndReason::requestRate, "the client goes on posting faster than it may (WebPostsPerSecond)");
}

void Listener::onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) {
    reactor::Link* const link = own_->role().link(clientHandle);
    Client& client = arrived(clientHandle, info, link->sharedChannel());
    client.link = link;
    context_.rooms.out.admit(client);
    (void)own_->role().setContext(clientHandle, &client);
}

/// The role has found a reason by itself, unless a room has named one before.
// A room that ends a client sets the reason first, so only `lost` may be overwritten.
void Listener::onClientEnding(std::uint64_t, void* context, const reactor::ClientFarewell& farewell) {
    Client* const client = clientOf(context);
    if (client == nullptr) return;
    EndReason& end = ClientSession::of(*client).end;
    if (end == EndReason::lost) end = reasonOf(farewell);
}

void Listener::onClientDown(std::uint64_t, void* context, const std::string& reason) {
    Client* const client = clientOf(context);
    if (client == nullptr) return;
    context_.rooms.out.flush();  // its number may be another's before the turn ends
    // Read now: the channel and its counters go with the link.
    if (client->link != nullptr)
        ClientSession::of(*client).bytesOut = client->link->channel()->counters().bytesWritten.get();
    client->link = nullptr;
    // ended() reads user, position and login, which logOut() clears.
    ended(*client, reason);
    logOut(*client);
    duties_.pace.depart(*client);
}

void Listener::forget(Client& client) {
    connections_->released(client);
    context_.rooms.clients.remove(client);
}

void Listener::ended(const Client& client, const std::string& reason) {
    const ClientSession& session = ClientSession::of(client);
    ++context_.counts.ends[session.end].connections;
    context_.counts.of.clients -= 1;
    if (session.stopped) context_.counts.of.paused -= 1;
    if (session.throttle != 0) context_.counts.of.throttled -= 1;
    if (session.end != EndReason::publisher)
        context_.ends.add({context_.rooms.reactor.timeOfDay(), session.channel.peerAddress, client.user,
                           client.position, settings_.name, session.end, reason, session.bytesOut});
    auditEnd(client, reason);
    if (client.loggedIn) logEnd(client, reason);
}

void Listener::logEnd(const Client& client, const std::string& reason) {
    switch (ClientSession::of(client).end) {
    case EndReason::lost:
        // A peer that closes between two messages left on purpose; everything else is worth a warning.
        if (reason.find("closed by peer") != std::string::npos && reason.find("in the middle") == std::string::npos)
            return context_.note(nameOf(client) + " is gone: " + reason);
        return context_.log(nameOf(client) + " is gone: " + reason);
    case EndReason::drained:
        return context_.note(nameOf(client) + " was let go: " + reason);
    case EndReason::ejected:
        return context_.note(nameOf(client) + " was ejected: " + reason);
    case EndReason::publisher:
        return context_.note(nameOf(client) + " publishes");
    case EndReason::silent:
        return;  // Logins has logged why
    case EndReason::loginRefused:
    case EndReason::requestRate:
    case EndReason::slow:
    case EndReason::memory:
    case EndReason::expired:
    case EndReason::limit:
    case EndReason::fault:
    case EndReason::textLimit:
        break;
    }
    context_.log(nameOf(client) + " was cut off: " + reason);
}

/// A login that is refused has its own event, and so has a client that closed its login before.
void Listener::auditEnd(const Client& client, const std::string& reason) {
    const ClientSession& session = ClientSession::of(client);
    const bool lost = session.end == EndReason::lost;
    if (session.end == EndReason::publisher || (!client.loggedIn && (lost || session.end == EndReason::loginRefused)))
        return;
    context_.audit(lost ? AuditEvent::Kind::logout : AuditEvent::Kind::disconnected, client, [&](AuditEvent& e) {
        e.code = kEndReasonNames[static_cast<std::size_t>(session.end)];
        e.text = reason;
        e.parameter = parameterOf(session.end);
    });
}

std::string nameOf(const Client& client) {
    std::string name = !client.user.empty() ? "user '" + client.user + "'"
                       : client.loggedIn    ? "a user with a token"
                                            : "a client without a login";
    name += " at " + (client.position.empty() ? "no position" : client.position);
    if (client.session != nullptr) name += " on listener '" + ClientSession::of(client).listener->name() + "'";
    return name;
}

void Listener::logOut(Client& client) {
    duties_.logins.forget(client);
    duties_.directories.forget(client);
    duties_.uses.forget(client);
    context_.rooms.posts.onClientGone(client);
    duties_.pace.logOut(client);
}

void Listener::onRequest(const StreamEvent& event, const Msg& m) {
    Client* const client = clientOf(event.context);
    if (client == nullptr) return;
    guarded(*client, [&] {
        if (m.domain == kLoginDomain) duties_.logins.onRequest(*client, event.handle, m);
        else duties_.pace.onDirectory(*client, event.handle, m);
    });
}

void Listener::onReissue(const StreamEvent& event, const Msg& m) {
    Client* const client = clientOf(event.context);
    if (client == nullptr) return;
    guarded(*client, [&] {
        if (m.domain == kLoginDomain) duties_.logins.onReissue(*client, m);
        else duties_.pace.onDirectory(*client, event.handle, m);
    });
}

void Listener::onClose(const StreamEvent& event, const Msg& m) {
    Client* const client = clientOf(event.context);
    if (client == nullptr) return;
    // Closing the login closes every stream of the connection (rdm.md), while the connection itself stays.
    if (m.domain == kLoginDomain) {
        if (client->loggedIn)
            context_.audit(AuditEvent::Kind::logout, *client, [](AuditEvent& e) {
                e.code = "closed";
                e.text = "the client has closed its login";
            });
        return logOut(*client);
    }
    duties_.directories.onClose(*client, event.handle);
    duties_.pace.onDirectoryClosed(*client, event.handle);
}

void Listener::onPost(const StreamEvent& event, const Msg& m) {
    Client* const client = clientOf(event.context);
    if (client == nullptr) return;
    guarded(*client, [&] {
        client->posts.arrive(context_.rooms.reactor.now());
        if (event.handle == ClientSession::of(*client).login) onLoginPost(*client, m);
        else context_.rooms.posts.onPost(*client, nullptr, m);
        endIfFlooding(*client);
    });
}

// A post on the login stream carries the service in its key; without one it goes to the default service (rdm.md).
void Listener::onLoginPost(Client& client, const Msg& m) {
    if (!m.hasKey() || m.key.has(KeyFlag::serviceId) || !carriedService(client, m).empty())
        return context_.rooms.posts.onPost(client, nullptr, m);
    Msg named = m;
    if (const Service* const service = client::defaultService(context_, client)) {
        named.key.flags |= KeyFlag::serviceId;
        named.key.serviceId = service->id;
    }
    context_.rooms.posts.onPost(client, nullptr, named);
}

void Listener::onGeneric(const StreamEvent& event, const Msg& m) {
    Client* const client = clientOf(event.context);
    if (client == nullptr) return;
    guarded(*client, [&] {
        if (event.handle == ClientSession::of(*client).login) return onLoginGeneric(*client, m);
        // It needs no answer.
        if (reactor::rdm::isConsumerStatus(m)) return duties_.uses.onMessage(*client, m);
        context_.rooms.posts.onGeneric(*client, nullptr, m);
    });
}

void Listener::onLoginGeneric(Client& client, const Msg& m) {
    // The only generic message without a key on a login stream is the answer to a round-trip request (rdm.md).
    if (!m.hasKey() && m.containerType == DataType::ElementList) return duties_.roundTrips.onAnswer(client, m);
    if (!duties_.logins.onGeneric(client, m)) context_.rooms.posts.onGeneric(client, nullptr, m);
}

bool Listener::onItemMessage(const ItemClient& from, const Msg& m) {
    Client* const client = clientOf(from.context);
    if (client == nullptr) return false;
    bool known = true;
    // Unknown streams are reported back, so that the front can count what its client sent for nothing.
    guarded(*client, [&] {
        if (m.cls == MsgClass::Post) client->posts.arrive(context_.rooms.reactor.now());
        known = duties_.pace.onMessage(*client, m);
        if (m.cls == MsgClass::Post) endIfFlooding(*client);
    });
    return known;
}

bool Listener::isItemStream(const ItemClient& from, std::int32_t streamId) const noexcept {
    const Client* const client = clientOf(from.context);
    if (client == nullptr) return false;
    const ClientSession& session = ClientSession::of(*client);
    return client->mounts.contains(streamId) || session.waits.contains(streamId) ||
           (session.batch && session.batch->opens(streamId));
}

reactor::JsonSources Listener::jsonSources() const noexcept {
    return {duties_.dictionary.get(), &duties_.directories.told(), true, web_.services(), web_.textLimits()};
}

// The link moves to the publisher port with its login unread: the same port serves both roles.
void Listener::onProviderLogin(const ItemClient& from, std::unique_ptr<reactor::Link> link, eta::Bytes login) {
    context_.rooms.out.flush();
    if (Client* const client = clientOf(from.context); client != nullptr) publishes(*client);
    take(std::move(link), std::span(&login, 1));
}

void Listener::publishes(Client& client) noexcept {
    client.link = nullptr;
    ClientSession::of(client).end = EndReason::publisher;
}

void Listener::onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) {
    context_.log("connection to " + settings_.name + " failed: " + reason +
                 (suppressed == 0 ? std::string() : " (and " + std::to_string(suppressed) + " more)"));
}

void Listener::onRefused(std::uint64_t clientHandle, const std::string& text) {
    const eta::transport::ChannelInfo* const info = own_->role().channelInfo(clientHandle);
    context_.log((info != nullptr ? info->peerAddress : std::string("client")) + ": " + text);
}

}  // namespace emissary::hub::client

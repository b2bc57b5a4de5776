// Makes the parts of the port, opens its listeners, and drains it before the end.
#include "hub/client/ClientPort.h"

#include "reactor/metrics/Snapshot.h"

#include <utility>

namespace emissary::hub::client {

namespace {
// How often a drain looks whether the last client has left.
constexpr auto kDrainPeriod = std::chrono::milliseconds(50);
}  // namespace

ClientPort::ClientPort(const Rooms& rooms, ClientOptions options, LoginCheck& check,
                       const std::vector<ListenerSettings>& listeners)
    : context_(rooms, std::move(options)), logins_(context_, check, pace_),
      metrics_(rooms.reactor, [this](reactor::metrics::Snapshot& into) { collect(into); }) {
    // Set here because the rooms refer to each other: items_ and recheck_ are members that are made after context_.
    context_.told = &directories_.told();
    context_.serviceCame = [this](const Service& service) { items_.serviceCame(service); };
    context_.serviceGone = [this](std::uint16_t service) { uses_.serviceGone(service); };
    context_.rightsChanged = [this] { recheck_.begin(); };
    context_.rooms.out.setServices(&names_);
    tellUnknown(context_.loginViews.setClasses(context_.options.userClasses));
    const Duties duties{context_, logins_, roundTrips_, directories_, items_, pace_, uses_, dictionary_};
    for (const ListenerSettings& settings : listeners)
        listeners_.push_back(
            std::make_unique<Listener>(duties, settings, static_cast<std::uint32_t>(listeners_.size())));
}

/// Roles end without callbacks. The rooms above may be gone already, so mounts that are left end without a call.
// link is cleared first: a room that writes once more must not reach a channel that the roles have closed.
ClientPort::~ClientPort() {
    context_.rooms.reactor.cancelTimer(drainTimer_);
    context_.rooms.out.setServices(nullptr);
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        Client* const client = clients.find(i);
        if (client == nullptr || client->session == nullptr) continue;
        client->link = nullptr;
        if (client->loggedIn)
            context_.audit(AuditEvent::Kind::logout, *client, [](AuditEvent& e) {
                e.code = "stopped";
                e.text = "the hub stops";
            });
        logins_.forget(*client);
    }
}

eta::Refused ClientPort::listen() {
    // All or nothing: when one port cannot be opened, the others stop listening, so that no client gets into half a
    // hub.
    for (const auto& listener : listeners_) {
        eta::Refused refused = listener->listen();
        if (!refused) continue;
        for (const auto& open : listeners_)
            open->connections().stopListening();
        return refused;
    }
    roundTrips_.start();
    return {};
}

// 0 before listen(), or for a number without a listener.
std::uint16_t ClientPort::port(std::size_t listener) const noexcept {
    return listener < listeners_.size() ? listeners_[listener]->connections().port() : std::uint16_t{0};
}

void ClientPort::serve(const reactor::ServedDictionary& dictionary) {
    for (const auto& listener : listeners_)
        listener->connections().serve(dictionary);
}

void ClientPort::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    dictionary_ = std::move(dictionary);
    context_.rooms.out.setDictionary(dictionary_);
    // Names of fields may stand for others now, or for any at all.
    tellUnknown(context_.loginViews.setDictionary(dictionary_));
    if (context_.loginViews.used()) recheck_.begin();
}

void ClientPort::tellUnknown(const LoginViews::Unknown& fields) {
    for (const std::string& text : fields)
        tell(Severity::warning, text);
}

void ClientPort::cutOff(Client& client, const Ending& ending) {
    ClientSession::of(client).listener->endNow(client, ending);
}

void ClientPort::change(const HubSettings& settings, const std::vector<ListenerSettings>& listeners) {
    const auto before = context_.options.rttInterval;
    context_.options.take(settings);
    for (std::size_t i = 0; i < listeners_.size() && i < listeners.size(); ++i) {
        const std::string was = listeners_[i]->defaultService();
        if (was == listeners[i].defaultService) continue;
        listeners_[i]->setDefaultService(listeners[i].defaultService);
        items_.defaultServiceChanged(was);
    }
    if (context_.options.rttInterval != before) roundTrips_.restart();
    directories_.ratesChanged();
    tellUnknown(context_.loginViews.setClasses(context_.options.userClasses));
    classify();
    if (context_.loginViews.used()) recheck_.begin();
}

void ClientPort::classify() {
    ClientTable& clients = context_.rooms.clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i)
        if (Client* const client = clients.find(i); client != nullptr && client->loggedIn) logins_.classify(*client);
}

// Clients stop getting new connections and services before the time runs. Those that leave by themselves until then
// need no farewell; the others get one at drainEnd_.
void ClientPort::drain(std::chrono::milliseconds timeout, std::function<void()> done) {
    if (std::exchange(context_.draining, true)) return;
    for (const auto& listener : listeners_)
        listener->connections().stopListening();
    directories_.drain();
    drained_ = std::move(done);
    drainEnd_ = context_.rooms.reactor.now() + timeout;
    drainTimer_ = context_.rooms.reactor.startTimer({}, [this] { lookAfterDrain(); });
}

void ClientPort::lookAfterDrain() {
    drainTimer_ = 0;
    reactor::Reactor& loop = context_.rooms.reactor;
    if (loop.now() >= drainEnd_) {
        ClientTable& clients = context_.rooms.clients;
        // departs means that the connection has ended already and only its streams are left to close.
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (Client* const client = clients.find(i);
                client != nullptr && client->session != nullptr && !ClientSession::of(*client).departs)
                logins_.end(*client);
    }
    // A client counts until its last stream is gone, so the sources have seen each close before `done`.
    if (clients() != 0) {
        drainTimer_ = loop.startTimer(kDrainPeriod, [this] { lookAfterDrain(); });
        return;
    }
    if (const auto done = std::exchange(drained_, {})) done();
}

void ClientPort::collect(reactor::metrics::Snapshot& into) const {
    const AllCounts& c = context_.counts;
    into.add(c.of);
    for (std::size_t i = 0; i < kReasonNames.size(); ++i)
        into.add(c.refused.counts[i], {{"reason", kReasonNames[i]}});
    for (std::size_t i = 0; i < kLoginResultNames.size(); ++i)
        into.add(c.logins.counts[i], {{"result", kLoginResultNames[i]}});
    for (std::size_t i = 0; i < kEndReasonNames.size(); ++i)
        into.add(c.ends.counts[i], {{"reason", kEndReasonNames[i]}});
    for (std::size_t i = 0; i < reactor::rdm::kServiceUseNames.size(); ++i)
        into.add(c.uses.counts[i], {{"mode", reactor::rdm::kServiceUseNames[i]}});
    // The same counts once more under the name of the parameter, for pages that show which limit is hit.
    const auto limit = [&](const char* parameter, std::uint64_t refusals) {
        LimitCount count;
        count.refusals = refusals;
        into.add(count, {{"limit", parameter}});
    };
    limit("MaxMountsPerClient", c.refused[Reason::clientMounts].requests);
    limit("MaxKeyBytesPerClient", c.refused[Reason::clientKeys].requests);
    limit("MaxMountsPerUser", c.refused[Reason::userMounts].requests);
    limit("MaxBatchItems", c.refused[Reason::batchItems].requests);
    limit("MaxItems", c.refused[Reason::serviceItems].requests);
    limit("MaxLoginsPerUser", c.logins[LoginResult::tooManyLogins].logins);
    limit("RequestsPerSecondPerClient", c.ends[EndReason::requestRate].connections);
    limit("DisconnectAbove", c.ends[EndReason::slow].connections);
}

}  // namespace emissary::hub::client

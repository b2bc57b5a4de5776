// Listens for the fronts, and sends answers and closes to the front that has the connection.
#include "hub/relay/RelayedConnections.h"

#include "hub/relay/Relay.h"
#include "reactor/provider/ListenTogether.h"

namespace emissary::hub::relay {

using Kind = ToFront::Kind;

/// The first front binds, the others take part in its socket: a new connection goes to the one that has the fewest.
eta::Refused RelayedConnections::listen() {
    const reactor::ListenTogether together;
    eta::Refused refused;
    forEachFront(relay_, [&](Front& front) {
        if (refused) return;
        reactor::ProviderRole& role = front.port(listener_).role();
        refused = role.listen();
        port_ = role.port();
    });
    if (refused) stopListening();
    return refused;
}

void RelayedConnections::stopListening() {
    for (Line& line : relay_.lines())
        line.call([at = listener_](Front& front) { front.port(at).role().stopListening(); });
}

void RelayedConnections::serve(const reactor::ServedDictionary& dictionary) {
    for (Line& line : relay_.lines())
        line.call([at = listener_, dictionary](Front& front) { front.port(at).role().serve(dictionary); });
}

bool RelayedConnections::answer(Client& client, std::uint64_t login, Msg& msg) {
    ToFront r = recordFor(client, Kind::answer);
    r.handle = login;
    return relay_.push(client, r, msg);
}

void RelayedConnections::forget(Client& client, std::uint64_t stream) {
    ToFront r = recordFor(client, Kind::forget);
    r.handle = stream;
    relay_.push(client, r);
}

bool RelayedConnections::hasStream(const Client&, std::int32_t, std::int32_t) const {
    return relay_.collides();
}

void RelayedConnections::close(Client& client, const client::Ending& ending) {
    ToFront r = recordFor(client, Kind::close);
    r.extra = new Goodbye(ending);
    relay_.push(client, r);
}

void RelayedConnections::hold(Client& client, bool held) {
    relay_.push(client, recordFor(client, held ? Kind::hold : Kind::readAgain));
}

void RelayedConnections::released(Client& client) {
    relay_.push(client, recordFor(client, Kind::released));
    relay_.forget(client);
}

}  // namespace emissary::hub::relay

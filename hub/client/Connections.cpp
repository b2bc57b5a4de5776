// Answers, holds and closes connections that this thread serves itself.
#include "hub/client/Connections.h"

namespace emissary::hub::client {

bool OwnConnections::answer(Client&, std::uint64_t login, Msg& msg) {
    // The login answer goes past the outputs of this turn, so what was written before has to leave first.
    out_.flush();
    return role_.submit(login, msg).ok();
}

bool OwnConnections::hasStream(const Client& client, std::int32_t first, std::int32_t last) const {
    for (std::int64_t id = first; id <= last; ++id)
        if (role_.hasStream(client.handle, static_cast<std::int32_t>(id))) return true;
    return false;
}

void OwnConnections::close(Client& client, const Ending& ending) {
    out_.flush();  // the last messages to it
    (void)role_.closeClient(client.handle, ending.text, ending.says);
}

void OwnConnections::closeSoon(Client& client, const Ending& ending) {
    // Posted, because the caller may be in the middle of a walk over this client's mounts or messages.
    const std::weak_ptr<ServingSide> alive = client.session;
    reactor_.post([this, alive, &client, ending] {
        if (!alive.expired()) close(client, ending);  // the session lives no longer than its client
    });
}

void OwnConnections::hold(Client& client, bool held) {
    // unread has a hold of its own on the link: releasing it here would read from a client that does not read.
    if (client.link != nullptr && !client.unread) client.link->hold(held);
    client.waits = held;
}

}  // namespace emissary::hub::client

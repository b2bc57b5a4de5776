// The action of a role after a message of its login stream.
#pragma once

#include "eta/core/printable.h"
#include "session/LoginStream.h"
#include "session/ServerConnection.h"

#include <string>

namespace emissary::reactor::session {

/// Ends the connection where the message asks for it, and calls `accepted()`, or `ended(reason, text)` when the peer
/// does not want this client for good; `text` is the message's. Does nothing when a callback has shut everything down.
/// `peer` is what reasons call it: "provider". Session lock held.
template <class Accepted, class Ended>
void actOnLogin(ServerConnection& server, LoginStream::Outcome outcome, const eta::codec::Msg& m, const char* peer,
                Accepted accepted, Ended ended) {
    if (server.link() == nullptr) return;
    const std::string text = m.hasState() ? eta::printable(eta::asText(m.state.text)) : "";
    switch (outcome) {
    case LoginStream::Outcome::none:
        return;
    case LoginStream::Outcome::accepted:
        return accepted();
    case LoginStream::Outcome::refused:
    case LoginStream::Outcome::closed:
        return ended(LoginStream::describeEnd(outcome, m, peer), text);
    case LoginStream::Outcome::closedRecover:
        return server.drop(std::string("login closed by the ") + peer + ": " + text);
    case LoginStream::Outcome::undecodable:
        return server.dropMalformed("undecodable login refresh");
    }
}

}  // namespace emissary::reactor::session

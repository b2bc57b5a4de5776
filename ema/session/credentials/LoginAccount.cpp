// Asks the application before each attempt to connect, and puts what it supplies into the login.
#include "session/credentials/LoginAccount.h"

#include "eta/codec/Msg.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/session/LoginOptions.h"

namespace emissary::ema {

/// The options have the attributes as encoded bytes, so a change of one of them encodes all anew.
bool changeLogin(reactor::session::LoginOptions& login,
                 const std::function<void(reactor::rdm::LoginAttributes&)>& change) {
    eta::codec::MsgKey key;
    key.flags = eta::codec::KeyFlag::attrib;
    key.attribType = eta::codec::DataType::ElementList;
    key.attrib = login.attributes;
    reactor::rdm::LoginAttributes attributes;
    if (!login.attributes.empty() && !reactor::rdm::decodeLogin(key, attributes).ok()) return false;
    change(attributes);
    reactor::GrowingBuffer buffer;
    if (!reactor::rdm::encodeLogin(buffer.start(), attributes).ok()) return false;
    login.attributes.assign(buffer.view().begin(), buffer.view().end());
    return true;
}

bool LoginAccount::supply(std::string_view userName, std::string_view authenticationExtended) {
    if (!userName.empty()) {
        login_.userName.assign(userName);
        if (!reactor::session::settleToken(login_)) return false;
    }
    if (authenticationExtended.empty()) return true;
    return changeLogin(
        login_, [&](reactor::rdm::LoginAttributes& a) { a.authenticationExtended.emplace(authenticationExtended); });
}

/// `done` comes from the loop, so that the caller has its ticket before it and can still abandon the attempt. The
/// credential client runs in between and may end everything: what is left is looked up anew after each step.
LoginAccount::Ticket LoginAccount::prepare(Done done) {
    const Ticket ticket = ++lastTicket_;
    attempts_.emplace(ticket, std::move(done));
    loop_.post([self = self_, ticket] {
        if (*self == nullptr || !(*self)->attempts_.contains(ticket)) return;
        if ((*self)->source_.client != nullptr) (*self)->ask_(**self);
        if (*self == nullptr) return;
        const auto at = (*self)->attempts_.find(ticket);
        if (at == (*self)->attempts_.end()) return;
        const Done ready = std::move(at->second);
        (*self)->attempts_.erase(at);
        ready({});
    });
    return ticket;
}

}  // namespace emissary::ema

// Passes what happens on a publisher's connection to the role.
#include "acceptor/Publisher.h"

#include "acceptor/AcceptorRoleImpl.h"

namespace emissary::reactor::acceptor {

Publisher::Publisher(AcceptorRole::Impl& r, std::uint64_t n)
    : role(r), number(n), sender(r.reactor, [this](const std::string& why) { role.notRead(*this, why); }),
      guard(r.options.limits) {}

Publisher::~Publisher() {
    role.reactor.cancelTimer(loginTimer);
    role.reactor.cancelTimer(stepTimer);
    sender.attach(nullptr);
}

void Publisher::onLinkUp(Link& l) {
    sender.attach(&l);
    json = l.info().protocolType == eta::transport::kProtocolJson;
    l.channel()->limitInput(role.options.limits.messageBytesBeforeLogin);
    role.awaitLogin(*this);
    role.handler.onPublisherUp(number, l.info());
}

void Publisher::onLinkMessage(Link&, Bytes message) {
    // Not read from while its login waits: only a connection that is broken comes here with more.
    if (!loggedIn && held.full()) return role.end(*this, "the connection was lost while its login was checked");
    if (!dead) role.onMessage(*this, message);
}

void Publisher::onLinkDown(Link&, const std::string& reason, bool) {
    role.end(*this, reason);
}

void Publisher::onLinkWarning(Link&, const std::string& text) {
    role.handler.onIgnored(number, text);
}

bool Publisher::toleratesJsonFailure(Link&) {
    return guard.toleratesJsonFailure(loggedIn, role.reactor.now());
}

JsonSources Publisher::jsonSources() const noexcept {
    const auto& served = role.options.dictionaries;
    JsonSources sources{served.empty() ? nullptr : served.front().dictionary.get(), &directory.services()};
    // A login that is answered later holds what stands behind it in its text.
    sources.stepwise = !loggedIn;
    return sources;
}

}  // namespace emissary::reactor::acceptor

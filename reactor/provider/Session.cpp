// Passes the events of a client's link on to the parts of the role.
#include "provider/Session.h"

#include "provider/ProviderRoleImpl.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor {

void Session::onLinkUp(Link& l) {
    up = true;
    role.guard.beginStranger(*this);
    role.context.handler.onClientUp(handle, l.info());
}

void Session::onLinkMessage(Link&, Bytes message) {
    if (!dead) role.requests.onMessage(*this, message);
}

void Session::onLinkDown(Link& l, const std::string& reason, bool) {
    if (!up && !dead) role.life.handshakeFailed(reason, l.info().peerAddress);
    role.life.endClient(*this, reason, Tell::now);
}

void Session::onJsonFailure(Link&, const std::string& text) {
    if (!dead) role.context.handler.onJsonFailure(handle, text);
}

void Session::onJsonEnd(Link&, const std::string& text, const JsonEnd& end) {
    ClientFarewell says = farewell::overLimit;
    says.closeCode = end.closeCode;
    says.overTextLimit = end.beyondLimit;
    role.life.endClient(*this, text, Tell::now, says);
}

bool Session::toleratesJsonFailure(Link&) {
    return dead || role.guard.toleratesJsonFailure(*this);
}

/// Clients send data as answers to requests of ours only.
RefusedData Session::refusedData(std::int32_t streamId) const noexcept {
    return !dead && role.ownRequests.has(*this, streamId) ? RefusedData::ended : RefusedData::nothing;
}

/// What the handler says; else the first dictionary with fields among those served, and the role's directory.
JsonSources Session::jsonSources() const noexcept {
    JsonSources sources = role.context.handler.jsonSources();
    // The first login may be a publisher's, who holds what stands behind it in its text.
    sources.stepwise = role.context.options.handsOverProviders && !loggedIn;
    if (sources.directory == nullptr) sources.directory = &role.directory;
    if (sources.dictionary != nullptr) return sources;
    const auto& served = role.context.options.dictionaries;
    const auto fields = std::find_if(served.begin(), served.end(), [](const ServedDictionary& d) {
        return d.dictionary != nullptr && d.dictionary->hasFields();
    });
    if (fields != served.end()) sources.dictionary = fields->dictionary.get();
    return sources;
}

/// Input is held while too much waits for the answer to the login.
void Session::dropEarly() {
    early.messages.clear();
    early.bytes = 0;
    if (std::exchange(early.inputHeld, false) && !dead) link->hold(false);
}

void Session::trimMemory() noexcept {
    trimTable(streams.byId);
    trimTable(streams.byKey);
    trimTable(dictionaries);
    trimVector(streams.admin);
    trimDeque(outbox.jobs);
}

}  // namespace emissary::reactor

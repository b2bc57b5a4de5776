#include "consumer/WarmStandby.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

void WarmStandby::useProvider() {
    const rdm::LoginAttributes& provider = session_.login.provider();
    session_.watchlist.setProviderSupport(provider.supportPauseResume.value_or(0) != 0,
                                          provider.supportView.value_or(0) != 0);
    session_.directory.setSingleOpen(provider.wantsSingleOpen());
}

void WarmStandby::start() {
    if (active().standbyGroup == 0) return;
    if (session_.login.provider().supportStandby.value_or(0) == 0)
        return session_.server.warn("the server does not support warm standby");
    if (!active().serviceBased) sendStandbyMode(session_.server.sender(), false);
    session_.watchlist.tellRequests(true);
    standbys_.start(session_.server.index());
    announceServices();
}

void WarmStandby::stop() {
    session_.watchlist.tellRequests(false);
    session_.watchlist.sourceLost(Watchlist::kEvery, {});
    standbys_.stop();
    started_.clear();
    endedOnActive_.clear();
}

bool WarmStandby::takeOver(const std::string& reason, std::size_t by) {
    Standbys::Heir heir;
    if (!standbys_.take(heir, by)) return false;
    session_.watchlist.posts().serverLost(Watchlist::kActive, static_cast<std::uint32_t>(heir.channel));
    const std::unique_ptr<Link> old = session_.server.takeOver(heir.channel, std::move(heir.link), reason);
    session_.login.takeOver(std::move(heir.login));
    session_.login.use(session_.server.accountLogin());
    useProvider();
    if (!active().serviceBased) sendStandbyMode(session_.server.sender(), false);
    endedOnActive_.clear();
    inherited_ = std::move(heir.holds);
    session_.directory.takeOver(heir.directory, session_.watchlist);
    session_.watchlist.sourceIsActive(static_cast<std::uint32_t>(session_.server.index()));
    session_.watchlist.takeOver(inherited_);
    inherited_.clear();
    standbys_.start(session_.server.index());
    announceServices();
    session_.watchlist.posts().answerLost();
    sink_.onDirectory(true);
    return true;
}

void WarmStandby::onRequestSent(const Msg& m) {
    const auto id = static_cast<std::size_t>(m.streamId);
    if (m.cls == MsgClass::Close) {
        if (id < inherited_.size()) inherited_[id] = false;
        if (active().serviceBased) markEnded(id, true);
    } else if (id < endedOnActive_.size()) {
        endedOnActive_[id] = false;
    }
    standbys_.mirror(m);
}

/// The server that ended it needs no close; the others still have the stream, and its id will be used again.
void WarmStandby::onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source) {
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = domain;
    close.streamId = wireId;
    const auto id = static_cast<std::size_t>(wireId);
    // While a server takes over only what it holds counts; later, all that was asked and has not ended.
    bool openOnActive = false;
    if (!inherited_.empty()) openOnActive = id < inherited_.size() && inherited_[id];
    else if (source != Watchlist::kActive) openOnActive = id >= endedOnActive_.size() || !endedOnActive_[id];
    if (openOnActive) {
        session_.server.sender().send(close);
        if (id < inherited_.size()) inherited_[id] = false;
    }
    standbys_.mirror(close);
}

void WarmStandby::markEnded(std::size_t id, bool ended) {
    if (id >= endedOnActive_.size()) endedOnActive_.resize(id + 1);
    endedOnActive_[id] = ended;
}

void WarmStandby::noteEnd(const Msg& m) {
    const bool hasState = m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (!hasState || !m.hasState() || !m.state.isFinal()) return;
    markEnded(static_cast<std::size_t>(m.streamId), true);
}

void WarmStandby::makeLogin(std::size_t channel, Msg& m) {
    const auto& account = options_.channels[channel].account;
    session_.login.make(m, account ? account->login() : nullptr);
}

/// Service-based groups: every server hears for which of its services it is the active one.
void WarmStandby::announceServices() {
    if (!active().serviceBased || session_.server.link() == nullptr) return;
    sendServiceModes(session_.server.sender(), session_.directory.directory(),
                     [this](std::string_view s) { return session_.watchlist.sourceOf(s) == Watchlist::kActive; });
    standbys_.forEachReady([this](std::size_t channel, Sender& to, const rdm::Directory& services) {
        sendServiceModes(to, services,
                         [this, channel](std::string_view s) { return session_.watchlist.sourceOf(s) == channel; });
    });
}

/// The services that this server starts with as the active one come from it, if it is there in time.
void WarmStandby::standbyReady(std::size_t channel, const rdm::Directory& services) {
    const ConsumerChannel& c = options_.channels[channel];
    if (!c.serviceBased) return;
    if (started_.insert(channel).second) {
        for (const std::string& name : c.activeServices)
            if (services.find(name) != nullptr)
                session_.watchlist.setSource(name, static_cast<std::uint32_t>(channel), nullptr);
    }
    announceServices();
}

/// What came from that server comes from the active one now.
void WarmStandby::standbyLost(std::size_t channel) {
    if (!options_.channels[channel].serviceBased) return;
    session_.watchlist.sourceLost(static_cast<std::uint32_t>(channel), endedOnActive_);
    announceServices();
}

void WarmStandby::standbyItem(std::size_t channel, Msg& m) {
    // A post that went there is answered there, also after another server's data count.
    if (m.cls == MsgClass::Ack || session_.watchlist.sourceOf(m.streamId) == channel) session_.watchlist.onMessage(m);
}

}  // namespace emissary::reactor::consumer

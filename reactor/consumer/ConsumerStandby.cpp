// Warm standby: which server of a group is active, for everything or service by service (session.md section 6).
#include "consumer/ConsumerRoleImpl.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

/// What the provider in use can do, from its login refresh.
void ConsumerRole::Impl::useProvider() {
    watchlist.setProviderSupport(login.provider().supportPauseResume.value_or(0) != 0,
                                 login.provider().supportView.value_or(0) != 0);
    directory.setSingleOpen(login.provider().wantsSingleOpen());
}

void ConsumerRole::Impl::startStandbys() {
    const ConsumerChannel& active = channel();
    if (active.standbyGroup == 0) return;
    if (login.provider().supportStandby.value_or(0) == 0)
        return server.warn("the server does not support warm standby");
    if (!active.serviceBased) sendStandbyMode(sender, false);
    watchlist.tellRequests(true);
    standbys.start(server.index());
    announceServices();
}

void ConsumerRole::Impl::stopStandbys() {
    watchlist.tellRequests(false);
    watchlist.sourceLost(Watchlist::kEvery, {});
    standbys.stop();
    started.clear();
    endedOnActive.clear();
}

/// The active server is lost: the first standby that is ready goes on. Applications hear of it only where the new
/// server differs.
bool ConsumerRole::Impl::takeOver(const std::string& text, std::size_t by) {
    Standbys::Heir heir;
    if (!standbys.take(heir, by)) return false;
    const std::unique_ptr<Link> old = server.takeOver(heir.channel, std::move(heir.link), text);
    login.takeOver(std::move(heir.login));
    useProvider();
    if (!channel().serviceBased) sendStandbyMode(sender, false);
    endedOnActive.clear();
    inherited = std::move(heir.holds);
    directory.takeOver(heir.directory, watchlist);
    watchlist.sourceIsActive(static_cast<std::uint32_t>(server.index()));
    watchlist.takeOver(inherited);
    inherited.clear();
    standbys.start(server.index());
    announceServices();
    sink.onDirectory(true);
    return true;
}

void ConsumerRole::Impl::onRequestSent(const Msg& m) {
    const auto id = static_cast<std::size_t>(m.streamId);
    if (m.cls == MsgClass::Close) {
        if (id < inherited.size()) inherited[id] = false;
        if (channel().serviceBased) markEnded(id, true);
    } else if (id < endedOnActive.size()) {
        endedOnActive[id] = false;
    }
    standbys.mirror(m);
}

/// The server that ended it needs no close; the others still have the stream, and its id will be used again.
void ConsumerRole::Impl::onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source) {
    Msg close;
    close.cls = MsgClass::Close;
    close.domain = domain;
    close.streamId = wireId;
    const auto id = static_cast<std::size_t>(wireId);
    // While a server takes over only what it holds counts; later, all that was asked and has not ended.
    bool openOnActive = false;
    if (!inherited.empty()) openOnActive = id < inherited.size() && inherited[id];
    else if (source != Watchlist::kActive) openOnActive = id >= endedOnActive.size() || !endedOnActive[id];
    if (openOnActive) {
        sender.send(close);
        if (id < inherited.size()) inherited[id] = false;
    }
    standbys.mirror(close);
}

void ConsumerRole::Impl::markEnded(std::size_t id, bool ended) {
    if (id >= endedOnActive.size()) endedOnActive.resize(id + 1);
    endedOnActive[id] = ended;
}

void ConsumerRole::Impl::mirrorLogin(bool noRefresh) {
    Msg m;
    login.make(m);
    if (noRefresh) m.flags |= RequestFlag::noRefresh;
    standbys.mirrorLogin(m);
}

/// Service-based groups: every server hears for which of its services it is the active one.
void ConsumerRole::Impl::announceServices() {
    if (!channel().serviceBased || server.link() == nullptr) return;
    sendServiceModes(sender, directory.directory(),
                     [this](std::string_view s) { return watchlist.sourceOf(s) == Watchlist::kActive; });
    standbys.forEachReady([this](std::size_t channel, Sender& to, const rdm::Directory& services) {
        sendServiceModes(to, services,
                         [this, channel](std::string_view s) { return watchlist.sourceOf(s) == channel; });
    });
}

/// The services that this server starts with as the active one come from it, if it is there in time.
void ConsumerRole::Impl::standbyReady(std::size_t channel, const rdm::Directory& services) {
    const ConsumerChannel& c = options.channels[channel];
    if (!c.serviceBased) return;
    if (started.insert(channel).second) {
        for (const std::string& name : c.activeServices)
            if (services.find(name) != nullptr) watchlist.setSource(name, static_cast<std::uint32_t>(channel), nullptr);
    }
    announceServices();
}

/// What came from that server comes from the active one now.
void ConsumerRole::Impl::standbyLost(std::size_t channel) {
    if (!options.channels[channel].serviceBased) return;
    watchlist.sourceLost(static_cast<std::uint32_t>(channel), endedOnActive);
    announceServices();
}

void ConsumerRole::Impl::standbyItem(std::size_t channel, Msg& m) {
    if (watchlist.sourceOf(m.streamId) == channel) watchlist.onMessage(m);
}

/// A message of the active server on an item whose service another one is active for: only its end matters.
void ConsumerRole::Impl::noteEnd(const Msg& m) {
    const bool hasState = m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (!hasState || !m.hasState() || !m.state.isFinal()) return;
    markEnded(static_cast<std::size_t>(m.streamId), true);
}

}  // namespace emissary::reactor::consumer

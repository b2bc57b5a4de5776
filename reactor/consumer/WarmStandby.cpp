// Chooses the active server, for the login or for each service, and tells all servers about their new roles.
#include "consumer/WarmStandby.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

namespace {

[[nodiscard]] bool isUp(const rdm::Service* service) noexcept {
    return service != nullptr && service->state.up;
}

}  // namespace

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
    // The rest of what the old server said, while it is the old one: its ids mean nothing at the next one.
    session_.directory.finish();
    Standbys::Heir heir;
    if (!standbys_.take(heir, by)) return false;
    // Posts at the old server are noted as lost; they are answered below, when the items have moved.
    session_.watchlist.posts().serverLost(Watchlist::kActive, static_cast<std::uint32_t>(heir.channel));
    const std::unique_ptr<Link> old = session_.server.takeOver(heir.channel, std::move(heir.link), reason);
    session_.login.takeOver(std::move(heir.login));
    session_.login.use(session_.server.accountLogin());
    useProvider();
    if (!active().serviceBased) sendStandbyMode(session_.server.sender(), false);
    endedOnActive_.clear();
    inherited_ = std::move(heir.holds);
    // The order: data count from the new server, then its directory, then its streams.
    session_.watchlist.takeover().sourceIsActive(static_cast<std::uint32_t>(session_.server.index()));
    session_.directory.takeOver(heir.directory, session_.watchlist);
    session_.watchlist.takeover().takeOver(inherited_);
    inherited_.clear();
    standbys_.start(session_.server.index());
    if (active().serviceBased) chooseAll();
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
        // A close goes to the server that still has the stream.
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
    // The first time only: what started active does not become it again after an outage.
    if (started_.insert(channel).second) {
        for (const std::string& name : c.activeServices)
            if (const rdm::Service* const there = services.find(name); isUp(there))
                session_.watchlist.setSource(name, static_cast<std::uint32_t>(channel), there, nullptr);
    }
    chooseAll();
    announceServices();
}

void WarmStandby::chooseAll() {
    for (const std::string& name : session_.watchlist.services().names())
        choose(name);
}

/// What came from that server comes from another one now; the active one where no server has the service up.
void WarmStandby::standbyLost(std::size_t channel) {
    if (!options_.channels[channel].serviceBased) return;
    const auto source = static_cast<std::uint32_t>(channel);
    for (const std::string& name : session_.watchlist.services().names())
        if (session_.watchlist.sourceOf(name) == source) choose(name);
    session_.watchlist.sourceLost(source, endedOnActive_);
    announceServices();
}

/// Sees to it that the data of a service come from a server that has it up, if there is one. The one that they come
/// from stays while it can serve; then the active one comes before the others. True when another one is chosen.
bool WarmStandby::choose(const std::string& service) {
    Watchlist& items = session_.watchlist;
    const std::uint32_t now = items.sourceOf(service);
    const rdm::Service* const active = session_.directory.directory().find(service);
    std::uint32_t best = Watchlist::kActive;
    const rdm::Service* there = nullptr;
    bool listed = now == Watchlist::kActive, stays = now == Watchlist::kActive && isUp(active);
    standbys_.forEachReady([&](std::size_t channel, Sender&, const rdm::Directory& services) {
        const auto number = static_cast<std::uint32_t>(channel);
        const rdm::Service* const s = services.find(service);
        if (number == now) {
            listed = s != nullptr;
            stays = isUp(s);
        } else if (there == nullptr && isUp(s)) {
            best = number;
            there = s;
        }
    });
    if (stays) return false;
    if (now != Watchlist::kActive && (isUp(active) || (there == nullptr && !listed)))
        items.setSource(service, Watchlist::kActive, nullptr, &endedOnActive_);
    else if (there != nullptr) items.setSource(service, best, there, nullptr);
    return items.sourceOf(service) != now;
}

void WarmStandby::onActiveService(const rdm::Service& service) {
    if (!standbys_.any() || !active().serviceBased || !service.has(rdm::DirectoryFilter::info)) return;
    if (choose(service.name())) announceServices();
}

void WarmStandby::onActiveServiceGone(const rdm::Service& service) {
    if (!standbys_.any() || !active().serviceBased || !service.has(rdm::DirectoryFilter::info)) return;
    if (!choose(service.name())) return;
    announceServices();
    // Its streams ended with it, without a message for each.
    session_.watchlist.takeover().replay([this, &service](const Msg& m) {
        if (m.key.serviceId == service.id) markEnded(static_cast<std::size_t>(m.streamId), true);
    });
}

void WarmStandby::standbyService(std::size_t channel, const rdm::Service* service, const ServiceWord& word) {
    using Kind = ServiceWord::Kind;
    const auto from = static_cast<std::uint32_t>(channel);
    if (word.kind == Kind::change) {
        if (service != nullptr) session_.watchlist.sourceLists(from, *service);
        if (choose(word.service)) announceServices();
    } else if (service != nullptr) {
        ServiceEvents& items = session_.watchlist.serviceEvents();
        if (word.kind == Kind::status) items.onStatus(from, *service, word.state);
        else if (word.kind == Kind::groupMerged) items.onGroupMerged(from, *service, word.group, word.into);
        else items.onGroupStatus(from, *service, word.group, word.state);
    }
}

std::string_view WarmStandby::serviceNamed(std::uint16_t activeId) const noexcept {
    const ServiceEntry* const entry = session_.watchlist.services().find(activeId);
    return entry != nullptr ? std::string_view(entry->name) : std::string_view{};
}

std::optional<std::uint16_t> WarmStandby::numberOf(std::string_view service) const noexcept {
    const ServiceEntry* const entry = session_.watchlist.services().find(service);
    if (entry == nullptr) return std::nullopt;
    return entry->id;
}

void WarmStandby::standbyItem(std::size_t channel, Msg& m) {
    // A post that went there is answered there, also after another server's data count.
    if (m.cls == MsgClass::Ack || session_.watchlist.sourceOf(m.streamId) == channel) session_.watchlist.onMessage(m);
}

std::size_t WarmStandby::startingActive(std::uint32_t group) const noexcept {
    // The first channel of a group is the one it starts with.
    std::size_t first = 0;
    while (options_.channels[first].standbyGroup != group)
        ++first;
    return first;
}

}  // namespace emissary::reactor::consumer

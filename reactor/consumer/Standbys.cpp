// Connects the standby servers, repeats logins and requests to them, and gives one up to the active place.
#include "consumer/Standbys.h"

#include "eta/codec/encoders.h"
#include "rdm/ServiceEntries.h"
#include "reactor/rdm/consumer_status.h"
#include "reactor/rdm/stream_state.h"
#include "session/AnswerTimer.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

// Login-based groups: one mode for the whole connection (rdm.md 2.5).
void sendStandbyMode(Sender& to, bool standby) {
    GrowingBuffer buffer;
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::ElementList;
    map.begin(buffer.start(), header, DataType::AsciiString);
    map.beginEntry(MapAction::add, eta::asBytes("WarmStandbyInfo"));
    ElementListEncoder mode;
    mode.begin(map.writer());
    mode.addUInt("WarmStandbyMode", standby ? 1 : 0);
    const bool good = mode.complete().ok();
    map.endEntry();
    if (!good || !map.complete().ok()) return;
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = rdm::kLoginDomain;
    m.streamId = rdm::kLoginStreamId;
    m.flags = GenericFlag::complete | GenericFlag::msgKey;
    m.key.flags = KeyFlag::name;
    m.key.name = eta::asBytes("ConsumerConnectionStatus");
    m.containerType = DataType::Map;
    m.payload = buffer.view();
    to.send(m);
}

// Service-based groups: a mode for each service, on the directory stream (rdm.md 3.5).
void sendServiceModes(Sender& to, const rdm::Directory& services,
                      const std::function<bool(std::string_view service)>& active) {
    std::vector<rdm::UsedService> used;
    for (const auto& s : services.services())
        used.push_back({s->id, active(s->name()) ? rdm::ServiceUse::warmActive : rdm::ServiceUse::warmStandby});
    GrowingBuffer buffer;
    Msg m;
    if (!rdm::makeConsumerStatus(m, used, buffer).ok()) return;
    to.send(m);
}

namespace {

// A standby has no limit of attempts: the group is usable without it.
[[nodiscard]] session::ReconnectOptions endless(session::ReconnectOptions reconnect) noexcept {
    reconnect.attemptLimit = session::ReconnectOptions::kNoLimit;
    return reconnect;
}

}  // namespace

/// One server that is not the active one. Its connection comes back for as long as the group is in use.
struct Standbys::Member final : session::ConnectionOwner, session::ConnectionListener, rdm::DirectoryListener {
    Member(Standbys& o, std::size_t c)
        : of(o), channel(c), connection(o.reactor_, "standby channel", {o.options_.channels[c]},
                                        endless(o.options_.reconnect), *this, *this),
          sender(connection.sender()), answerTimer(o.reactor_) {
        connection.start();
    }
    ~Member() override {
        // An application may end the session in the middle of sayWords(); it must not touch this member then.
        if (endedHere != nullptr) *endedHere = true;
    }

    [[nodiscard]] bool serviceBased() const noexcept { return of.options_.channels[channel].serviceBased; }
    [[nodiscard]] bool canTakeOver() noexcept { return ready && connection.link() != nullptr && !sender.congested(); }

    // --- ConnectionListener: only what goes wrong is worth a word
    void onConnection(ConnectionEvent event, const std::string& text) override {
        if (event == ConnectionEvent::down || event == ConnectionEvent::connectFailed) of.owner_.standbyWarning(text);
    }
    void onWarning(const std::string& text) override { of.owner_.standbyWarning(text); }
    void onJsonFailure(const JsonFailure& failure) override { of.owner_.standbyJsonFailure(failure); }
    // --- ConnectionOwner
    [[nodiscard]] JsonSources jsonSources() const noexcept override {
        return {of.owner_.conversionDictionary(), &directory};
    }
    void onConnected() override {
        Msg m;
        of.owner_.makeLogin(channel, m);
        sender.send(m);
        answerTimer.start(of.options_.requestTimeout,
                          [this] { connection.drop("the login was not answered in time"); });
    }
    /// Or its next part.
    void awaitDirectory() {
        answerTimer.start(of.options_.directory.timeout,
                          [this] { connection.drop("the directory request was not answered in time"); });
    }
    void sendLogin(std::uint16_t extraFlags) {
        Msg m;
        of.owner_.makeLogin(channel, m);
        m.flags |= extraFlags;
        sender.send(m);
    }
    void onLost(const Loss& loss) override {
        connection.announce(loss);
        answerTimer.stop();
        // wasReady is for onWaiting(), which follows and tells the group.
        wasReady = std::exchange(ready, false);
        loggedIn = renewDue = false;
        directory.clear();
        holds.clear();
    }
    void onWaiting() override {
        if (wasReady) of.owner_.standbyLost(channel);
    }
    // --- messages
    void onServerMessage(Msg& m) {
        if (m.streamId == rdm::kLoginStreamId) return onLogin(m);
        if (m.streamId == rdm::kDirectoryStreamId) return onDirectory(m);
        // The stream is over at this server, and has to be asked for again there.
        if (rdm::endsStream(m) && holding(m.streamId)) holds[static_cast<std::size_t>(m.streamId)] = false;
        if (serviceBased()) of.owner_.standbyItem(channel, m);
    }
    void onLogin(const Msg& incoming) {
        const bool refresh = incoming.cls == MsgClass::Refresh;
        if (!refresh && incoming.cls != MsgClass::Status) return;
        if (incoming.hasState() && incoming.state.isFinal()) return connection.drop("the login was closed");
        if (!refresh || loggedIn) return;
        if (!rdm::decodeLoginAnswer(incoming.key, login).ok()) return connection.drop("undecodable login refresh");
        // Mode 1 is for groups by login, mode 2 for groups by service (rdm.md 2.2).
        const std::uint64_t mode = serviceBased() ? 2 : 1;
        if (login.supportStandby.value_or(0) == 0 || (login.supportStandbyMode.value_or(mode) & mode) == 0)
            return connection.drop("the server does not support this kind of warm standby");
        answerTimer.stop();
        loggedIn = true;
        // The token has been renewed while this login was on its way.
        if (std::exchange(renewDue, false)) sendLogin(RequestFlag::noRefresh);
        connection.loginAccepted();
        // A standby server hears that it is one before it is asked for anything.
        if (!serviceBased()) sendStandbyMode(sender, true);
        Msg m;
        m.cls = MsgClass::Request;
        m.domain = rdm::kDirectoryDomain;
        m.streamId = rdm::kDirectoryStreamId;
        m.flags = RequestFlag::streaming;
        m.key.flags = KeyFlag::filter;
        m.key.filter = of.options_.directory.filter;
        sender.send(m);
        awaitDirectory();
    }
    void onDirectory(const Msg& incoming) {
        if (incoming.cls != MsgClass::Refresh && incoming.cls != MsgClass::Update) return;
        if (rdm::isForeignUpdate(incoming)) return onSkipped(std::string(rdm::kForeignUpdate));
        const rdm::ImagePart part = rdm::partOf(incoming);
        const bool first = part.last && !ready;
        grown = false;
        const Bytes map = incoming.containerType == DataType::Map ? incoming.payload : Bytes{};
        if (!directory.applyImage(map, part.first, part.last, this).ok())
            return connection.drop("undecodable directory");
        ready = ready || first;
        if (!ready) return awaitDirectory();
        answerTimer.stop();
        // New services may have items that were waiting: they are asked for again.
        if (first || grown)
            of.owner_.replay([this](const Msg& m) {
                if (!holding(m.streamId)) request(m);
            });
        // Once ready the group chooses; only then a word about a service has a meaning.
        if (first) of.owner_.standbyReady(channel, directory);
        else if (!words.empty()) sayWords();
    }
    // --- DirectoryListener
    void onServiceAdded(const rdm::Service& service) override {
        grown = true;
        note(service, {});
    }
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override {
        if ((changed & rdm::DirectoryFilter::info) != 0) grown = true;  // it may have its name only now
        note(service, {});
    }
    void onServiceStatus(const rdm::Service& service, const State& state) override {
        note(service, {.kind = ServiceWord::Kind::status, .state = state});
    }
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override {
        note(service, {.kind = ServiceWord::Kind::groupMerged, .group = group, .into = into});
    }
    void onGroupStatus(const rdm::Service& service, Bytes group, const State& state) override {
        note(service, {.kind = ServiceWord::Kind::groupStatus, .group = group, .state = state});
    }
    void onSkipped(const std::string& what) override {
        of.owner_.standbyWarning("standby channel " + of.options_.channels[channel].name +
                                 ": parts of a directory message were left out: " + what);
    }
    /// Its streams ended with it, without a message for each.
    void onServiceDeleted(const rdm::Service& service) override {
        if (!service.has(rdm::DirectoryFilter::info)) return;
        note(service, {});
        const std::optional<std::uint16_t> number = of.owner_.numberOf(service.name());
        if (!number) return;
        of.owner_.replay([this, number](const Msg& m) {
            if (m.key.serviceId == *number && holding(m.streamId)) holds[static_cast<std::size_t>(m.streamId)] = false;
        });
    }
    void note(const rdm::Service& service, ServiceWord word) {
        if (!ready || !serviceBased() || !service.has(rdm::DirectoryFilter::info)) return;
        word.service = service.name();
        words.push_back(std::move(word));
    }
    /// What the directory said of services, once it is all taken over: an application may end the session now.
    void sayWords() {
        bool ended = false;
        endedHere = &ended;
        for (const std::vector<ServiceWord> said = std::exchange(words, {}); const ServiceWord& word : said) {
            of.owner_.standbyService(channel, directory.find(word.service), word);
            if (ended) return;
        }
        endedHere = nullptr;
    }

    [[nodiscard]] bool holding(std::int32_t wireId) const noexcept {
        const auto id = static_cast<std::uint32_t>(wireId);
        return id < holds.size() && holds[id];
    }
    /// The service that the active server numbers so, as this server has it; null when it has not.
    [[nodiscard]] const rdm::Service* same(std::uint16_t activeId) const noexcept {
        const std::string_view name = of.owner_.serviceNamed(activeId);
        if (name.empty()) return nullptr;
        const rdm::Service* here = directory.find(activeId);
        const bool sameId = here != nullptr && here->has(rdm::DirectoryFilter::info) && here->name() == name;
        return sameId ? here : directory.find(name);
    }
    void request(const Msg& m) {
        if (!ready) return;
        const auto id = static_cast<std::uint32_t>(m.streamId);
        if (m.cls == MsgClass::Close) {
            if (!holding(m.streamId)) return;
            holds[id] = false;
            return sender.send(m);
        }
        // Private streams are not mirrored: they belong to one server.
        const rdm::Service* service = m.isPrivate() ? nullptr : same(m.key.serviceId);
        if (service == nullptr) return;
        const bool had = holding(m.streamId);
        // Doubled, so that requests of rising ids do not copy the marks each time.
        if (id >= holds.size()) holds.resize(std::max<std::size_t>(id + 1, holds.size() * 2));
        holds[id] = true;
        if (had && service->id == m.key.serviceId) return sender.send(m);
        Msg own = m;
        own.key.serviceId = service->id;
        // A server that has not had this stream has to send an image, whatever the request says.
        if (!had) own.flags = static_cast<std::uint16_t>(own.flags & ~RequestFlag::noRefresh);
        sender.send(own);
    }

    Standbys& of;
    const std::size_t channel;
    session::ConnectionTo<Member> connection;
    Sender& sender;  // the connection's
    rdm::LoginAttributes login;
    rdm::Directory directory;
    std::vector<bool> holds;
    session::AnswerTimer answerTimer;
    bool loggedIn = false, ready = false, wasReady = false;
    bool renewDue = false;           // the login that waits for its answer has an older token
    bool grown = false;              // the directory message under way brought a service
    std::vector<ServiceWord> words;  // of the directory message under way
    bool* endedHere = nullptr;
};

Standbys::Standbys(Reactor& reactor, const ConsumerOptions& options, StandbyOwner& owner)
    : reactor_(reactor), options_(options), owner_(owner) {}
Standbys::~Standbys() = default;

void Standbys::stop() {
    members_.clear();
}

void Standbys::start(std::size_t active) {
    const std::uint32_t group = options_.channels[active].standbyGroup;
    std::erase_if(members_, [&](const auto& m) {
        return m->channel == active || options_.channels[m->channel].standbyGroup != group;
    });
    for (std::size_t i = 0; group != 0 && i < options_.channels.size(); ++i) {
        // Servers that are connected already keep their connection.
        const bool known =
            std::any_of(members_.begin(), members_.end(), [&](const auto& m) { return m->channel == i; });
        if (i != active && !known && options_.channels[i].standbyGroup == group)
            members_.push_back(std::make_unique<Member>(*this, i));
    }
}

void Standbys::mirror(const Msg& msg) {
    for (const auto& m : members_)
        m->request(msg);
}

void Standbys::mirrorLogin(bool noRefresh) {
    // Pause and resume of the login go to all servers, so that none sends what nobody wants.
    for (const auto& m : members_)
        if (m->loggedIn) m->sendLogin(noRefresh ? RequestFlag::noRefresh : std::uint16_t{0});
}

void Standbys::renewLogin(const session::ChannelAccount& account) {
    for (const auto& m : members_) {
        if (m->connection.channel().account.get() != &account) continue;
        if (m->loggedIn) m->sendLogin(RequestFlag::noRefresh);
        else m->renewDue = m->connection.link() != nullptr;
    }
}

void Standbys::forEachReady(const std::function<void(std::size_t, Sender&, const rdm::Directory&)>& call) {
    for (const auto& m : members_)
        if (m->ready) call(m->channel, m->sender, m->directory);
}

Sender* Standbys::senderOf(std::size_t channel) noexcept {
    for (const auto& m : members_)
        if (m->ready && m->channel == channel) return &m->sender;
    return nullptr;
}

std::unique_ptr<Link> Standbys::takeJoining(std::size_t& channel) {
    // A server that is still logging in can become the active one, so its connection is not thrown away.
    const auto joining = [](const auto& m) {
        const Link* const link = m->connection.link();
        return link != nullptr && link->active() && !m->loggedIn;
    };
    const auto it = std::find_if(members_.begin(), members_.end(), joining);
    if (it == members_.end()) return nullptr;
    channel = (*it)->channel;
    std::unique_ptr<Link> link = (*it)->connection.release();
    members_.erase(it);
    return link;
}

bool Standbys::anyReady() const noexcept {
    return std::any_of(members_.begin(), members_.end(), [](const auto& m) { return m->canTakeOver(); });
}

bool Standbys::take(Heir& out, std::size_t wanted) {
    for (auto it = members_.begin(); it != members_.end(); ++it) {
        Member& m = **it;
        if ((wanted != kAny && m.channel != wanted) || !m.canTakeOver()) continue;
        GrowingBuffer buffer;
        // The directory goes along encoded, because the services move to the role that takes over.
        if (!m.directory.encode(buffer.start(), {}).ok()) continue;
        out.channel = m.channel;
        out.directory.assign(buffer.view().begin(), buffer.view().end());
        out.login = std::move(m.login);
        out.holds = std::move(m.holds);
        out.link = m.connection.release();
        members_.erase(it);
        return true;
    }
    return false;
}

}  // namespace emissary::reactor::consumer

// Sessions, and what is one of its kind towards the application: login, directory, connection events.
#include "reactor/routing/Router.h"

#include "routing/RouterImpl.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

// --- one session -----------------------------------------------------------------------------------------------------

Session::Session(Router::Impl& r, std::size_t i, SessionChannel channel)
    : router(r), index(i), name(std::move(channel.name)),
      role(std::make_unique<ConsumerRole>(r.reactor, std::move(channel.options), *this)) {
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = rdm::kLoginDomain;
    Refusal refusal;
    login = role->registerClient({m, {}}, {&loginClient, nullptr, 0}, refusal);
}

void Session::onMessage(const Msg& msg, const Recipient& to, std::string_view serviceName) {
    if (router.shutDown) return;
    Session* const before = std::exchange(router.delivering, this);
    if (to.client == &loginClient) {
        router.onLogin(*this, msg);
    } else if (to.client == &directoryClient) {
        Msg m = msg;  // what the directory says comes through onDirectory()
        if (m.cls == MsgClass::Generic) {
            rdm::DirectoryListener nobody;
            (void)router.directory.onMessage(m, nobody);
        }
    } else {
        router.onItem(*this, msg, *static_cast<Item*>(to.client), serviceName);
    }
    router.delivering = before;
}

void Session::onConnection(ConnectionEvent event, const std::string& text) {
    if (!router.shutDown) router.onEvent(*this, event, text);
}

void Session::onWarning(const std::string& text) {
    router.sink.onWarning(labelled(text));
}

void Session::onJsonFailure(const consumer::JsonFailure& failure) {
    router.sink.onJsonFailure({labelled(failure.text), failure.channel, failure.info, name});
}

void Session::onDirectory(bool there) {
    if (!router.shutDown) router.onDirectory(*this, there);
}

// --- all of them -----------------------------------------------------------------------------------------------------

Router::Impl::Impl(Reactor& r, RouterOptions o, consumer::ConsumerSink& s)
    : MemoryOwner(r), reactor(r), sink(s), recoverElsewhere(o.recoverElsewhere && o.sessions.size() > 1),
      options(o.sessions.front().options), requests(r, s), nowhere(r), login(r, nowhere, requests, s, options),
      directory(r, nowhere, requests, s, options),
      merged(o.sessions.size(),
             [this](std::size_t i) -> const rdm::Directory& { return sessions[i]->role->directory(); }) {
    requests.observe(this);
    for (SessionChannel& channel : o.sessions)
        sessions.push_back(std::make_unique<Session>(*this, sessions.size(), std::move(channel)));
}

Router::Impl::~Impl() {
    shutDown = true;
    requests.observe(nullptr);
    reactor.cancelTimer(tryTimer);
    sessions.clear();
}

bool Router::Impl::othersLoggedIn(const Session& s) const noexcept {
    return std::any_of(sessions.begin(), sessions.end(), [&](const auto& o) { return o.get() != &s && o->loggedIn; });
}

bool Router::Impl::othersAlive(const Session& s) const noexcept {
    return std::any_of(sessions.begin(), sessions.end(), [&](const auto& o) { return o.get() != &s && !o->closed(); });
}

bool Router::Impl::allClosed() const noexcept {
    return std::all_of(sessions.begin(), sessions.end(), [](const auto& s) { return s->closed(); });
}

bool Router::Impl::refused() const noexcept {
    return allClosed() &&
           std::any_of(sessions.begin(), sessions.end(), [](const auto& s) { return s->role->loginRefused(); });
}

void Router::Impl::onEvent(Session& s, ConnectionEvent event, const std::string& text) {
    switch (event) {
    case ConnectionEvent::loggedIn: {
        Refusal refusal;
        if (s.directory == 0) {
            Msg m;
            m.cls = MsgClass::Request;
            m.domain = rdm::kDirectoryDomain;
            m.flags = RequestFlag::streaming;
            s.directory = s.role->registerClient({m, {}}, {&s.directoryClient, nullptr, 0}, refusal);
        }
        Msg again;
        if (std::exchange(s.missedReissue, false) && decodeMsg(loginReissue, again).ok())
            s.role->reissue(s.login, {again, {}}, refusal);
        break;
    }
    case ConnectionEvent::connectFailed:
    case ConnectionEvent::down:
    case ConnectionEvent::loginRefused:
    case ConnectionEvent::closed:
        s.loggedIn = false;
        lastReason = s.labelled(s.role->lastReason());
        break;
    case ConnectionEvent::connecting:
    case ConnectionEvent::up:
    case ConnectionEvent::ready:
    case ConnectionEvent::switched:
        break;
    }
    if (event == ConnectionEvent::ready) onReady(s);
    sink.onConnection(event, s.labelled(text));
    if (event == ConnectionEvent::closed) onClosed(s);
}

void Router::Impl::onReady(Session& s) {
    if (!dictionary && (dictionary = s.role->dictionary())) {
        for (const auto& other : sessions)
            if (other.get() != &s) other->role->useDictionary(dictionary);
    }
    const bool again = std::exchange(s.everReady, true);  // then its role says "channel up"
    s.informed = false;
    const State up{StreamState::open, DataState::ok, 0, eta::asBytes("channel up")};
    if (!again && !s.saidUp && anyReady) inform(s, up);
    anyReady = true;
    tryAll();
}

/// It will not come back: its items go elsewhere even when they would have waited for it.
void Router::Impl::onClosed(Session& s) {
    for (Item* item : byRequest)
        if (item != nullptr && item->session == &s && item->wanted != nullptr) detach(*item);
    if (refused()) {
        for (const auto& w : wanted)
            while (w->first != nullptr)
                refuse(*w->first, StreamState::closed, 0, "Login stream was closed.");
    }
    tryAll();
}

void Router::Impl::onDirectory(Session& s, bool there) {
    if (!there && !std::exchange(s.hasDirectory, false)) return;
    if (there) s.hasDirectory = true;
    merged.update(s.index, there);
    if (there) tryAll();
    publish();
}

/// Towards the application's directory clients.
void Router::Impl::publish() {
    rdm::DirectoryListener nobody;
    Msg m;
    m.domain = rdm::kDirectoryDomain;
    m.containerType = DataType::Map;
    const bool any = std::any_of(sessions.begin(), sessions.end(), [](const auto& s) { return s->hasDirectory; });
    if (!any) {
        if (!std::exchange(directoryShown, false)) return;
        merged.forget();
        return directory.connectionLost(nobody);
    }
    if (!std::exchange(directoryShown, true)) {
        m.cls = MsgClass::Refresh;
        m.flags = RefreshFlag::complete | RefreshFlag::solicited | RefreshFlag::clearCache;
        m.state = {StreamState::open, DataState::ok, 0, {}};
        m.payload = merged.publishAll();
        (void)directory.onMessage(m, nobody);  // made here, so it can be read
        return;
    }
    merged.publish([&](Bytes map) {
        Msg update = m;
        update.cls = MsgClass::Update;
        update.payload = map;
        (void)directory.onMessage(update, nobody);
    });
}

// --- login -----------------------------------------------------------------------------------------------------------

void Router::Impl::onLogin(Session& s, const Msg& msg) {
    Msg m = msg;
    if (m.hasState() && (m.cls == MsgClass::Status || m.state.isFinal())) return onLoginStatus(s, m);
    if (m.cls != MsgClass::Refresh) return login.fanOut(m);
    s.loggedIn = true;
    directory.setSingleOpen(s.role->provider().wantsSingleOpen());
    if (loginSource != nullptr && loginSource != &s) return;
    loginSource = &s;
    if (!s.everReady && std::exchange(down, false)) {
        s.saidUp = true;
        login.tell(StreamState::open, DataState::ok, 0, "channel up");
        if (shutDown) return;
    }
    (void)login.onMessage(m);
}

void Router::Impl::onLoginStatus(Session& s, Msg& msg) {
    const bool final = msg.state.isFinal();
    if (!final && msg.state.data == DataState::ok) {
        if (!std::exchange(down, false) && sessions.size() > 1) return inform(s, msg.state);
        return login.fanOut(msg);
    }
    if (othersLoggedIn(s)) {
        if (loginSource == &s) {
            for (const auto& o : sessions)
                if (o.get() != &s && o->loggedIn) loginSource = o.get();
        }
        if (!std::exchange(s.informed, true)) inform(s, msg.state);
        return;
    }
    if (loginSource == &s) loginSource = nullptr;
    down = true;
    if (final && othersAlive(s)) {
        msg.state.stream = StreamState::open;
        msg.state.data = DataState::suspect;
    }
    login.fanOut(msg);
}

/// Something about one session that does not touch the login as a whole.
void Router::Impl::inform(const Session& s, const State& state) {
    login.tell(StreamState::open, DataState::ok, state.code, s.labelled(std::string(eta::asText(state.text))));
}

void Router::Impl::reissueLogin(const RequestView& request, Refusal& refusal) {
    std::size_t taken = 0;
    Refusal first;
    for (const auto& s : sessions) {
        Refusal r;
        s->role->reissue(s->login, request, r);
        s->missedReissue = static_cast<bool>(r);
        if (!r) ++taken;
        else if (!first) first = r;
    }
    if (taken == 0) {
        for (const auto& s : sessions)
            s->missedReissue = false;
        refusal = first;
        return;
    }
    if (encodeMsg(buffer.start(), request.msg).ok()) loginReissue.assign(buffer.view().begin(), buffer.view().end());
    const bool paused = request.msg.has(RequestFlag::pause);
    for (Item* item : byRequest)
        if (item != nullptr && item->domain != rdm::kDictionaryDomain) item->paused = paused;
}

// --- Router ----------------------------------------------------------------------------------------------------------

Router::Router(Reactor& reactor, RouterOptions options, consumer::ConsumerSink& sink)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), sink)) {}
Router::~Router() = default;

void Router::start() {
    for (const auto& s : impl_->sessions)
        s->role->start();
}

void Router::shutdown() {
    impl_->shutDown = true;
    impl_->reactor.cancelTimer(std::exchange(impl_->tryTimer, 0));
    for (const auto& s : impl_->sessions)
        s->role->shutdown();
}

ConsumerRole::Phase Router::phase() const noexcept {
    const auto rank = [](Phase p) {
        switch (p) {
        case Phase::closed:
            return 0;
        case Phase::idle:
            return 1;
        case Phase::backingOff:
            return 2;
        case Phase::connecting:
            return 3;
        case Phase::loggingIn:
            return 4;
        case Phase::directory:
            return 5;
        case Phase::dictionaries:
            return 6;
        case Phase::ready:
            return 7;
        }
        return 0;
    };
    Phase best = Phase::closed;
    for (const auto& s : impl_->sessions)
        if (rank(s->role->phase()) > rank(best)) best = s->role->phase();
    return best;
}

bool Router::loginRefused() const noexcept {
    return impl_->refused();
}
const std::string& Router::lastReason() const noexcept {
    return impl_->lastReason;
}
std::size_t Router::currentSession() const noexcept {
    if (impl_->delivering != nullptr) return impl_->delivering->index;
    for (const auto& s : impl_->sessions)
        if (s->role->link() != nullptr) return s->index;
    return 0;
}
std::size_t Router::sessions() const noexcept {
    return impl_->sessions.size();
}
const std::string& Router::sessionName(std::size_t session) const noexcept {
    return impl_->sessions[session]->name;
}
ConsumerRole& Router::session(std::size_t session) noexcept {
    return *impl_->sessions[session]->role;
}
std::shared_ptr<const eta::dictionary::Dictionary> Router::dictionary() const noexcept {
    return impl_->dictionary;
}
const rdm::Directory& Router::directory() const noexcept {
    return impl_->directory.directory();
}

Handle Router::registerClient(const RequestView& request, std::span<const std::string> services,
                              const Subscriber& subscriber, Refusal& refusal) {
    Impl& i = *impl_;
    const std::uint8_t domain = request.msg.domain;
    if ((domain == rdm::kLoginDomain || domain == rdm::kDirectoryDomain) && request.msg.has(RequestFlag::batch)) {
        refusal.set(Refusal::Kind::invalidArgument, "Login and directory cannot be requested in a batch.");
        return 0;
    }
    if (domain == rdm::kLoginDomain) return i.login.add(subscriber);
    if (domain != rdm::kDirectoryDomain) return i.open(request, services, subscriber, refusal);
    if (std::none_of(i.sessions.begin(), i.sessions.end(), [](const auto& s) { return s->role->link() != nullptr; })) {
        refusal.set(Refusal::Kind::noActiveChannel, "There is no active channel to ask for the directory.");
        return 0;
    }
    return i.directory.add(request, subscriber);
}

void Router::reissue(Handle handle, const RequestView& request, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused)
        return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    if (r->kind == Request::Kind::login) return impl_->reissueLogin(request, refusal);
    if (r->kind == Request::Kind::directory) return impl_->directory.reissue(*r, request, refusal);
    if (r->kind == Request::Kind::batch)
        return refusal.set(Refusal::Kind::invalidUsage, "A batch cannot be reissued; its items can, one by one.");
    if (Item* item = impl_->itemOf(handle)) impl_->reissue(*item, request, refusal);
}

void Router::unregister(Handle handle, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return;
    if (r->kind == Request::Kind::login) return impl_->login.remove(*r);
    if (r->kind == Request::Kind::directory) return impl_->directory.remove(*r);
    if (r->kind == Request::Kind::batch)
        return refusal.set(Refusal::Kind::invalidArgument,
                           "A batch cannot be unregistered; its items can, one by one.");
    if (r->kind == Request::Kind::refused) return impl_->requests.release(*r);
    if (Item* item = impl_->itemOf(handle)) impl_->close(*item);
}

void Router::submitGeneric(Handle handle, const Msg& msg, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused)
        return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    if (Item* item = impl_->itemOf(handle)) return impl_->submitGeneric(*item, msg, refusal);
    if (r->kind == Request::Kind::batch) return refusal.set(Refusal::Kind::invalidUsage, "A batch takes no messages.");
    bool sent = false;
    Refusal first;
    for (const auto& s : impl_->sessions) {
        const Handle stream = r->kind == Request::Kind::login ? s->login : s->directory;
        if (!s->loggedIn || stream == 0) continue;
        Refusal each;
        s->role->submitGeneric(stream, msg, each);
        if (!each) sent = true;
        else if (!first) first = each;
    }
    if (sent) return;
    if (!first) first.set(Refusal::Kind::invalidUsage, "The login stream is not open.");
    refusal = first;
}

void Router::submitPost(Handle handle, const Msg& msg, std::string_view serviceName, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused)
        return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    if (Item* item = impl_->itemOf(handle)) return impl_->submitPost(*item, msg, serviceName, refusal);
    if (r->kind != Request::Kind::login)
        return refusal.set(Refusal::Kind::invalidUsage, "Posts go to items or to the login stream.");
    impl_->submitOffStream(msg, serviceName, refusal);
}

}  // namespace emissary::reactor::routing

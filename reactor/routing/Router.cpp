// Makes the parts of the router, and hands events of sessions and calls of the application to them.
#include "reactor/routing/Router.h"

#include "routing/RouterImpl.h"

#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

Router::Impl::Impl(Reactor& r, RouterOptions o, consumer::ConsumerSink& s)
    : MemoryOwner(r), reactor(r), sink(s), options(o.sessions.front().options), requests(r, s), nowhere(r),
      login(r, nowhere, requests, s, options, sessions),
      directory(r, nowhere, requests, s, options, sessions, o.sessions.size()), wanted(sessions, directory.merged()),
      items(r, requests), placement(r, sessions, directory.merged(), wanted, items),
      itemRequests(r, options, {requests, sessions, wanted, items, placement, login}),
      messages(sessions, directory.merged()),
      delivery(o.recoverElsewhere && o.sessions.size() > 1, s, requests, sessions, items, placement, login),
      tunnels(s, requests, sessions, directory.merged()) {
    sessions.open(*this, std::move(o.sessions));
}

/// Sessions are closed first, while the parts that they call still exist.
Router::Impl::~Impl() {
    sessions.shutDown = true;
    sessions.clear();
}

void Router::Impl::trimMemory() noexcept {
    items.trim();
    requests.trim();
    login.trim();
}

void Router::Impl::onEvent(Session& s, ConnectionEvent event, const std::string& text) {
    switch (event) {
    case ConnectionEvent::loggedIn:
        s.requestDirectory();
        login.catchUp(s);
        break;
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

/// The service of an answer to an off-stream post has the session's id in it.
void Router::Impl::onLoginAck(const Session& s, const Msg& msg, std::string_view serviceName) {
    Msg out = msg;
    const MergedService* service = nullptr;
    if (msg.hasKey() && msg.key.has(KeyFlag::serviceId))
        for (const auto& each : directory.merged().services())
            if (each->members[s.index] == msg.key.serviceId) service = each.get();
    if (service != nullptr) out.key.serviceId = service->id;
    login.stream().fanOut(out, serviceName);
}

void Router::Impl::onLogin(Session& s, const Msg& msg) {
    if (msg.cls == MsgClass::Refresh && !msg.state.isFinal())
        directory.stream().setSingleOpen(s.role->provider().wantsSingleOpen());
    login.onMessage(s, msg);
}

void Router::Impl::onReady(Session& s) {
    if (!dictionary && (dictionary = s.role->dictionary())) {
        for (const auto& other : sessions)
            if (other.get() != &s) other->role->useDictionary(dictionary);
    }
    const bool again = std::exchange(s.everReady, true);
    login.onReady(s, !again);
    placement.tryAll();
}

/// The session will not come back: its items go to other sessions even when they would have waited for it.
void Router::Impl::onClosed(Session& s) {
    items.forEach([&](Item& item) {
        if (item.session == &s && item.wanted != nullptr) placement.detach(item);
    });
    if (sessions.refused()) {
        for (std::size_t i = 0; i < wanted.size(); ++i)
            while (wanted[i].first != nullptr)
                items.refuse(*wanted[i].first, StreamState::closed, 0, "Login stream was closed.");
    }
    placement.tryAll();
}

void Router::Impl::onDirectory(Session& s, bool there) {
    if (!directory.take(s, there)) return;
    if (there) placement.tryAll();
    directory.publish();
    sink.onDirectory(there);
}

std::string Router::Impl::ofSessions(const std::function<std::string(const ConsumerRole&)>& say) const {
    std::string all;
    for (const auto& s : sessions) {
        if (s->closed()) continue;
        const std::string text = say(*s->role);
        if (text.empty()) return {};
        all += (all.empty() ? "" : "; ") + s->labelled(text);
    }
    return all;
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
    impl_->sessions.shutDown = true;
    impl_->placement.stop();
    for (const auto& s : impl_->sessions)
        s->role->shutdown();
}

ConsumerRole::Phase Router::phase() const noexcept {
    return impl_->sessions.phase();
}
bool Router::loginRefused() const noexcept {
    return impl_->sessions.refused();
}
const std::string& Router::lastReason() const noexcept {
    return impl_->lastReason;
}
std::size_t Router::currentSession() const noexcept {
    return impl_->sessions.current();
}
std::size_t Router::sessions() const noexcept {
    return impl_->sessions.size();
}
const std::string& Router::sessionName(std::size_t session) const noexcept {
    return impl_->sessions[session].name;
}
ConsumerRole& Router::session(std::size_t session) noexcept {
    return *impl_->sessions[session].role;
}
std::shared_ptr<const eta::dictionary::Dictionary> Router::dictionary() const noexcept {
    return impl_->dictionary;
}
std::string Router::missingDictionaries() const {
    return impl_->ofSessions([](const ConsumerRole& role) { return role.missingDictionaries(); });
}
std::string Router::dictionaryFailure() const {
    return impl_->ofSessions([](const ConsumerRole& role) { return role.dictionaryFailure(); });
}
const rdm::Directory& Router::directory() const noexcept {
    return impl_->directory.stream().directory();
}

Handle Router::registerClient(const RequestView& request, std::span<const std::string> services,
                              const Subscriber& subscriber, Refusal& refusal) {
    const std::uint8_t domain = request.msg.domain;
    if ((domain == rdm::kLoginDomain || domain == rdm::kDirectoryDomain) && request.msg.has(RequestFlag::batch)) {
        refusal = {Refusal::Kind::invalidArgument, "Login and directory cannot be requested in a batch."};
        return 0;
    }
    if (domain == rdm::kLoginDomain) return impl_->login.stream().add(subscriber);
    if (domain != rdm::kDirectoryDomain) return impl_->itemRequests.open(request, services, subscriber, refusal);
    if (!impl_->sessions.anyConnected()) {
        refusal = {Refusal::Kind::noActiveChannel, "There is no active channel to ask for the directory."};
        return 0;
    }
    return impl_->directory.stream().add(request, subscriber);
}

Handle Router::registerTunnel(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal) {
    return impl_->tunnels.open(request, subscriber, refusal);
}

Handle Router::registerInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber,
                              Refusal& refusal) {
    return impl_->tunnels.openInside(tunnel, request, subscriber, refusal);
}

Refusal Router::reissue(Handle handle, const RequestView& request) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused) return {Refusal::Kind::invalidHandle, "unknown handle"};
    if (r->kind == Request::Kind::login) {
        Refusal refusal = impl_->login.reissue(request);
        if (!refusal) impl_->items.pauseAll(request.msg.has(RequestFlag::pause));
        return refusal;
    }
    if (r->kind == Request::Kind::directory) return impl_->directory.stream().reissue(*r, request);
    if (r->kind == Request::Kind::batch)
        return {Refusal::Kind::invalidUsage, "A batch cannot be reissued; its items can, one by one."};
    if (impl_->tunnels.has(handle)) return impl_->tunnels.reissue(handle, request);
    Item* const item = impl_->items.find(handle);
    return item != nullptr ? impl_->itemRequests.reissue(*item, request) : Refusal{};
}

Refusal Router::unregister(Handle handle) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return {};
    if (r->kind == Request::Kind::batch)
        return {Refusal::Kind::invalidArgument, "A batch cannot be unregistered; its items can, one by one."};
    if (r->kind == Request::Kind::login) impl_->login.stream().remove(*r);
    else if (r->kind == Request::Kind::directory) impl_->directory.stream().remove(*r);
    else if (r->kind == Request::Kind::refused) impl_->requests.release(*r);
    else if (impl_->tunnels.has(handle)) impl_->tunnels.close(handle);
    else if (Item* item = impl_->items.find(handle)) impl_->itemRequests.close(*item);
    return {};
}

Refusal Router::submitGeneric(Handle handle, const Msg& msg) {
    const Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused) return {Refusal::Kind::invalidHandle, "unknown handle"};
    if (Item* item = impl_->items.find(handle)) return impl_->messages.submitGeneric(*item, msg);
    if (impl_->tunnels.has(handle)) return impl_->tunnels.submit(handle, msg);
    if (r->kind == Request::Kind::batch) return {Refusal::Kind::invalidUsage, "A batch takes no messages."};
    return impl_->messages.submitToAll(r->kind == Request::Kind::login, msg);
}

Refusal Router::submitPost(Handle handle, const Msg& msg, std::string_view serviceName) {
    const Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused) return {Refusal::Kind::invalidHandle, "unknown handle"};
    if (Item* item = impl_->items.find(handle)) return impl_->messages.submitPost(*item, msg, serviceName);
    if (impl_->tunnels.has(handle)) return impl_->tunnels.submit(handle, msg);
    if (r->kind != Request::Kind::login)
        return {Refusal::Kind::invalidUsage, "Posts go to items or to the login stream."};
    return impl_->messages.submitOffStream(msg, serviceName);
}

}  // namespace emissary::reactor::routing

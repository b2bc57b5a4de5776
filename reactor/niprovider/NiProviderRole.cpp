// Makes the parts of a non-interactive provider and hands connection events and messages of the server to them.
#include "reactor/niprovider/NiProviderRole.h"

#include "niprovider/NiProviderRoleImpl.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/stream_state.h"
#include "session/login_outcome.h"

namespace emissary::reactor::niprovider {

using namespace eta::codec;
using session::ConnectionEvent;
using session::LoginStream;
using session::Request;

NiProviderRole::Impl::Impl(Reactor& r, NiProviderOptions o, NiProviderHandler& h)
    : MemoryOwner(r), reactor(r), options(std::move(o)), handler(h), requests(r, h),
      server(r, "channel", options.channels, options.reconnect, *this, h), sender(server.sender()),
      login(r, sender, requests, h, options.login, options.requestTimeout), directory(options, server, items),
      publishing(r, options, sender, requests, items, directory),
      dictionaries(r, sender, requests, h, directory.services(), options.requestTimeout) {
    directory.reset();
}

NiProviderRole::Impl::~Impl() {
    dictionaries.forgetAll();
    server.close();
}

void NiProviderRole::Impl::trimMemory() noexcept {
    items.trim();
    requests.trim();
    sender.trim();
    directory.trim();
}

NiProviderRole::Phase NiProviderRole::Impl::phase() const noexcept {
    using State = session::ServerConnection::State;
    switch (server.state()) {
    case State::idle:
        return Phase::idle;
    case State::connecting:
        return Phase::connecting;
    case State::up:
        return publishing.isOnline() ? Phase::ready : Phase::loggingIn;
    case State::waiting:
        return Phase::backingOff;
    case State::closed:
        break;
    }
    return Phase::closed;
}

// --- the connection --------------------------------------------------------------------------------------------------

void NiProviderRole::Impl::onConnected() {
    warnedIgnored = false;
    publishing.connected();
    login.request();
}

/// Records first; then login clients hear "Channel is down.", dictionary streams end, login clients hear "channel
/// down".
void NiProviderRole::Impl::onLost(const Loss& loss) {
    const bool wasOnline = publishing.offline();
    login.connectionLost();
    if (wasOnline) {
        if (options.removeItemsOnDisconnect) {
            items.clear();
            reactor.noteFreed(0);
        }
        if (!options.recoverUserSubmitSourceDirectory) directory.reset();
    }
    server.announce(loss);
    const bool tell = wasOnline && !std::exchange(toldDown, true);
    if (tell) login.tell(StreamState::open, DataState::suspect, 0, "Channel is down.");
    dictionaries.connectionLost();
    if (tell) {
        login.sayUpBeforeLogin();
        login.tell(StreamState::open, DataState::suspect, 0, "channel down");
    }
}

void NiProviderRole::Impl::onGivenUp(const std::string& text) {
    login.tell(StreamState::closed, DataState::suspect, 0, text);
}

// --- messages --------------------------------------------------------------------------------------------------------

void NiProviderRole::Impl::onServerMessage(Msg& m) {
    if (m.streamId == rdm::kLoginStreamId) return onLoginMessage(m);
    if (m.streamId <= 0) return onItemMessage(m);
    if (dictionaries.onMessage(m)) return;
    ++counters.ignored;
}

void NiProviderRole::Impl::onLoginMessage(Msg& m) {
    // The directory is out before the application's login callback, which may publish items at once.
    const bool first = m.cls == MsgClass::Refresh && m.state.stream == StreamState::open && !login.open();
    if (first) {
        publishing.online();
        server.loginAccepted();
    }
    const LoginStream::Outcome outcome = login.onMessage(m);
    const auto accepted = [this] {
        server.tell(ConnectionEvent::loggedIn, "login accepted");
        server.tell(ConnectionEvent::ready, "ready");
        toldDown = false;
    };
    session::actOnLogin(server, outcome, m, "server", accepted,
                        [this](const std::string& reason, const std::string& text) { loginEnded(reason, text); });
}

/// For good: the server does not want us.
void NiProviderRole::Impl::loginEnded(const std::string& reason, const std::string& text) {
    refused = true;
    publishing.offline();
    server.closeBecause(reason);
    login.connectionLost();
    server.tell(ConnectionEvent::loginRefused, text);
    dictionaries.connectionLost();
    server.tell(ConnectionEvent::closed, "login closed");
}

/// Something about what we publish.
void NiProviderRole::Impl::onItemMessage(Msg& m) {
    const std::uint32_t slot = items.slotOf(m.streamId);
    const bool aboutDirectory = m.streamId == 0 && publishing.isOnline();
    const bool expected =
        m.cls == MsgClass::Post || m.cls == MsgClass::Generic || m.cls == MsgClass::Status || m.cls == MsgClass::Close;
    if ((slot == OwnItems::kNone && !aboutDirectory) || !expected) {
        ++counters.ignored;
        if (!std::exchange(warnedIgnored, true))
            server.warn(std::string("ignored a ") + eta::codec::name(m.cls) + " message on stream " +
                        std::to_string(m.streamId) +
                        (expected ? ", where nothing is published" : ", which a server does not send"));
        return;
    }
    const std::uint64_t handle = aboutDirectory ? directory.lastHandle() : items[slot].handle;
    switch (m.cls) {
    case MsgClass::Post:
        ++counters.posts;
        break;
    case MsgClass::Generic:
        ++counters.generics;
        break;
    case MsgClass::Status:
        ++counters.statuses;
        if (!aboutDirectory && rdm::endsStream(m)) items.remove(slot);
        break;
    default:
        ++counters.closes;
        m.domain = aboutDirectory ? rdm::kDirectoryDomain : items[slot].domain;
        if (!aboutDirectory) items.remove(slot);
        break;
    }
    handler.onItemMessage(handle, m);
}

// --- NiProviderRole --------------------------------------------------------------------------------------------------

NiProviderRole::NiProviderRole(Reactor& reactor, NiProviderOptions options, NiProviderHandler& handler)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), handler)),
      metrics_(reactor, [this](metrics::Snapshot& into) {
          into.add(counters(), {{"role", "niprovider"}});
      }) {}
NiProviderRole::~NiProviderRole() = default;

Error NiProviderRole::useDirectory(Bytes map) {
    if (const Error e = rdm::Directory::check(map); !e.ok()) return e;
    impl_->directory.configure(map);
    return {};
}

void NiProviderRole::start() {
    if (impl_->phase() != Phase::idle) return;
    if (impl_->options.itemCountHint != 0) impl_->items.reserve(std::min(impl_->options.itemCountHint, 1u << 20));
    impl_->server.start();
}

void NiProviderRole::shutdown() {
    Impl& i = *impl_;
    if (i.server.link() != nullptr) i.login.sendClose();
    i.publishing.offline();
    i.server.close();
    i.login.connectionLost();
    i.dictionaries.forgetAll();
}

NiProviderRole::Phase NiProviderRole::phase() const noexcept {
    return impl_->phase();
}
bool NiProviderRole::loginRefused() const noexcept {
    return impl_->refused;
}
const std::string& NiProviderRole::lastReason() const noexcept {
    return impl_->server.lastReason();
}
const session::ServerChannel& NiProviderRole::channel() const noexcept {
    return impl_->server.channel();
}
Link* NiProviderRole::link() noexcept {
    return impl_->server.link();
}
const rdm::Directory& NiProviderRole::directory() const noexcept {
    return impl_->directory.services();
}
NiProviderCounters NiProviderRole::counters() const noexcept {
    NiProviderCounters c = impl_->counters;
    const session::ConnectionCounters& connection = impl_->server.counters();
    c.connects = connection.connects;
    c.disconnects = connection.disconnects;
    c.malformed = connection.malformed;
    c.requestsDropped = impl_->sender.counters().dropped;
    c.noticesDropped = impl_->requests.noticesDropped();
    c.openItems = impl_->items.open();
    return c;
}
std::uint64_t NiProviderRole::connectionNumber() const noexcept {
    return impl_->publishing.connectionNumber();
}
PublishResult NiProviderRole::submit(std::uint64_t handle, Msg& m) {
    return impl_->publishing.submit(handle, m);
}
PublishResult NiProviderRole::prepare(std::uint64_t handle, Msg& m, PackedEffect& effect) {
    return impl_->publishing.prepare(handle, m, effect);
}
PublishResult NiProviderRole::submitPacked(std::uint64_t number, std::span<std::byte> body, std::uint32_t messages,
                                           std::span<const PackedMessage> changes) {
    return impl_->publishing.submitPacked(number, body, messages, changes);
}

session::Handle NiProviderRole::registerClient(const RequestView& request, const Subscriber& subscriber,
                                               Refusal& refusal) {
    switch (request.msg.domain) {
    case rdm::kLoginDomain:
        return impl_->login.add(subscriber);
    case rdm::kDictionaryDomain:
        if (!impl_->publishing.isOnline()) {
            refusal = {Refusal::Kind::noActiveChannel, "There is no connection that is logged in."};
            return 0;
        }
        return impl_->dictionaries.add(request, subscriber, refusal);
    default:
        refusal = {
            Refusal::Kind::invalidArgument,
            "A non-interactive provider requests login (domain 1) and dictionaries (domain 5) only, not domain " +
                std::to_string(request.msg.domain) + "."};
        return 0;
    }
}

Refusal NiProviderRole::reissue(session::Handle handle, const RequestView& request) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return {Refusal::Kind::invalidHandle, "unknown handle"};
    if (r->kind == Request::Kind::login) return impl_->login.reissue(request);
    return impl_->dictionaries.reissue(*r, request);
}

void NiProviderRole::unregister(session::Handle handle) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return;
    if (r->kind == Request::Kind::login) return impl_->login.remove(*r);
    impl_->dictionaries.remove(*r);
}

std::string NiProviderRole::describe(std::uint64_t handle) const {
    const std::uint32_t slot = impl_->items.find(handle);
    if (slot == OwnItems::kNone) return "handle " + std::to_string(handle);
    const Item& item = impl_->items[slot];
    const rdm::Service* service = impl_->directory.services().find(item.serviceId);
    return "item " + std::to_string(handle) + " of service " +
           (service != nullptr ? "'" + service->name() + "'" : std::to_string(item.serviceId)) + " (stream " +
           std::to_string(OwnItems::streamOf(slot)) + ", domain " + std::to_string(item.domain) + ")";
}

}  // namespace emissary::reactor::niprovider

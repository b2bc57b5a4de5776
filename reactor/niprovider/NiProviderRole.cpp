#include "reactor/niprovider/NiProviderRole.h"

#include "eta/core/printable.h"
#include "niprovider/NiProviderRoleImpl.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/stream_state.h"

namespace emissary::reactor::niprovider {

using namespace eta::codec;
using client::ConnectionEvent;
using client::LoginStream;
using client::Request;

NiProviderRole::Impl::Impl(Reactor& r, NiProviderOptions o, NiProviderHandler& h)
    : MemoryOwner(r), reactor(r), options(std::move(o)), handler(h), requests(r, h), sender(r),
      login(r, sender, requests, h, options.login, options.requestTimeout),
      dictionaries(r, sender, requests, h, directory, options.requestTimeout), backoff(options.reconnect) {
    resetDirectory();
}

NiProviderRole::Impl::~Impl() {
    reactor.cancelTimer(reconnectTimer);
    dictionaries.forgetAll();
    sender.attach(nullptr);
    link.reset();
}

void NiProviderRole::Impl::trimMemory() noexcept {
    items.trim();
    requests.trim();
    sender.trim();
    trimBuffer(payloadScratch);
}

std::string NiProviderRole::Impl::where() const {
    const client::ServerChannel& c = options.channels[current];
    return "channel " + c.name + " (" + describeTarget(c.connect) + ")";
}

// --- the connection --------------------------------------------------------------------------------------------------

void NiProviderRole::Impl::connect() {
    reconnectTimer = 0;
    phase = Phase::connecting;
    ++counters.connects;
    event(ConnectionEvent::connecting, "connecting");
    link = reactor.connect(options.channels[current].connect, *this);
}

void NiProviderRole::Impl::onLinkUp(Link& l) {
    event(ConnectionEvent::up, "connected, RIPC version " + std::to_string(l.info().ripcVersion) + ", ping timeout " +
                                   std::to_string(l.info().pingTimeoutSeconds) + " s");
    phase = Phase::loggingIn;
    warnedMalformed = warnedIgnored = false;
    if (++connection == 0) connection = 1;
    sender.attach(&l);
    login.request();
}

void NiProviderRole::Impl::onLinkDown(Link&, const std::string& text, bool) {
    lost(text);
}

/// This side ends the connection; another attempt follows.
void NiProviderRole::Impl::drop(const std::string& text) {
    sender.attach(nullptr);
    link.reset();
    lost(text);
}

/// Records first; then login clients hear "Channel is down.", dictionary streams end, login clients hear "channel
/// down".
void NiProviderRole::Impl::lost(const std::string& text) {
    const bool wasUp = phase != Phase::connecting;
    const bool wasOnline = std::exchange(online, false);
    reason = where() + ": " + text;
    sender.attach(nullptr);
    phase = Phase::backingOff;
    if (wasUp) ++counters.disconnects;
    login.connectionLost();
    if (wasOnline) {
        if (options.removeItemsOnDisconnect) {
            items.clear();
            reactor.noteFreed(0);
        }
        if (!options.recoverUserSubmitSourceDirectory) resetDirectory();
    }
    event(wasUp ? ConnectionEvent::down : ConnectionEvent::connectFailed, text);
    const bool tell = wasOnline && !std::exchange(toldDown, true);
    if (tell) login.tell(StreamState::open, DataState::suspect, 0, "Channel is down.");
    dictionaries.connectionLost();
    if (tell) {
        login.sayUpBeforeLogin();
        login.tell(StreamState::open, DataState::suspect, 0, "channel down");
    }
    if (phase == Phase::backingOff) scheduleConnect();
}

void NiProviderRole::Impl::scheduleConnect() {
    if (backoff.exhausted()) {
        phase = Phase::closed;
        login.tell(StreamState::closed, DataState::suspect, 0, "channel closed");
        return event(ConnectionEvent::closed, "channel closed");
    }
    current = (current + 1) % options.channels.size();
    reconnectTimer = reactor.startTimer(backoff.next(), [this] {
        link.reset();
        connect();
    });
}

// --- messages --------------------------------------------------------------------------------------------------------

void NiProviderRole::Impl::malformed(Bytes message, Error e) {
    ++counters.malformed;
    const auto head = peekMsg(message);
    const std::string text = std::string("undecodable message (") + eta::describe(e.code) + " at byte " +
                             std::to_string(e.offset) + " of " + std::to_string(message.size()) + ")";
    if (!std::exchange(warnedMalformed, true))
        handler.onWarning(where() + ": " + text +
                          (head.ok() ? ", stream " + std::to_string(head.value().streamId) : ""));
    if (!head.ok() || head.value().streamId == rdm::kLoginStreamId) drop(text);
}

void NiProviderRole::Impl::onLinkMessage(Link&, Bytes message) {
    if (const Error e = decodeMsg(message, incoming); !e.ok()) [[unlikely]]
        return malformed(message, e);
    if (incoming.streamId == rdm::kLoginStreamId) return onLoginMessage();
    if (incoming.streamId <= 0) return onItemMessage();
    if (dictionaries.onMessage(incoming)) return;
    ++counters.ignored;
}

void NiProviderRole::Impl::onLoginMessage() {
    // The directory is out before the application hears of the login: it may publish items at once.
    const bool first = incoming.cls == MsgClass::Refresh && incoming.state.stream == StreamState::open && !login.open();
    if (first) {
        publishDirectory();
        online = true;
        phase = Phase::ready;
        backoff.reset();
    }
    const LoginStream::Outcome outcome = login.onMessage(incoming);
    if (!link || !link->active()) return;  // a callback shut everything down
    const std::string text = incoming.hasState() ? eta::printable(eta::asText(incoming.state.text)) : "";
    switch (outcome) {
    case LoginStream::Outcome::none:
        return;
    case LoginStream::Outcome::accepted:
        event(ConnectionEvent::loggedIn, "login accepted");
        event(ConnectionEvent::ready, "ready");
        toldDown = false;
        return;
    case LoginStream::Outcome::refused:
        return loginEnded(true, text);
    case LoginStream::Outcome::closed:
        return loginEnded(false, text);
    case LoginStream::Outcome::closedRecover:
        return drop("login closed by the server: " + text);
    case LoginStream::Outcome::undecodable:
        ++counters.malformed;
        return drop("undecodable login refresh");
    }
}

/// For good: the server does not want us.
void NiProviderRole::Impl::loginEnded(bool wasRefused, const std::string& text) {
    reason = where() + ": login " + (wasRefused ? "refused" : "closed") + " by the server: stream state " +
             std::to_string(incoming.state.stream) + ", status code " + std::to_string(incoming.state.code) + ", '" +
             text + "'";
    refused = true;
    online = false;
    phase = Phase::closed;
    sender.attach(nullptr);
    link.reset();
    login.connectionLost();
    event(ConnectionEvent::loginRefused, text);
    dictionaries.connectionLost();
    event(ConnectionEvent::closed, "login closed");
}

/// Something about what we publish.
void NiProviderRole::Impl::onItemMessage() {
    const std::uint32_t slot = items.slotOf(incoming.streamId);
    const bool aboutDirectory = incoming.streamId == 0 && online;
    const bool expected = incoming.cls == MsgClass::Post || incoming.cls == MsgClass::Generic ||
                          incoming.cls == MsgClass::Status || incoming.cls == MsgClass::Close;
    if ((slot == ItemTable::kNone && !aboutDirectory) || !expected) {
        ++counters.ignored;
        if (!std::exchange(warnedIgnored, true))
            handler.onWarning(where() + ": ignored a " + eta::codec::name(incoming.cls) + " message on stream " +
                              std::to_string(incoming.streamId) +
                              (expected ? ", where nothing is published" : ", which a server does not send"));
        return;
    }
    const std::uint64_t handle = aboutDirectory ? lastDirectoryHandle : items[slot].handle;
    switch (incoming.cls) {
    case MsgClass::Post:
        ++counters.posts;
        break;
    case MsgClass::Generic:
        ++counters.generics;
        break;
    case MsgClass::Status:
        ++counters.statuses;
        if (!aboutDirectory && rdm::endsStream(incoming)) items.remove(slot);
        break;
    default:
        ++counters.closes;
        incoming.domain = aboutDirectory ? rdm::kDirectoryDomain : items[slot].domain;
        if (!aboutDirectory) items.remove(slot);
        break;
    }
    handler.onItemMessage(handle, incoming);
}

// --- NiProviderRole --------------------------------------------------------------------------------------------------

NiProviderRole::NiProviderRole(Reactor& reactor, NiProviderOptions options, NiProviderHandler& handler)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), handler)),
      metrics_(reactor, [this](metrics::Snapshot& into) { into.add(counters(), {{"role", "niprovider"}}); }) {}
NiProviderRole::~NiProviderRole() = default;

void NiProviderRole::start() {
    if (impl_->phase != Phase::idle) return;
    if (impl_->options.itemCountHint != 0) impl_->items.reserve(std::min(impl_->options.itemCountHint, 1u << 20));
    impl_->connect();
}

void NiProviderRole::shutdown() {
    Impl& i = *impl_;
    i.reactor.cancelTimer(std::exchange(i.reconnectTimer, 0));
    if (i.link && i.link->active()) i.login.sendClose();
    i.online = false;
    i.sender.attach(nullptr);
    i.link.reset();
    i.login.connectionLost();
    i.dictionaries.forgetAll();
    i.phase = Phase::closed;
}

NiProviderRole::Phase NiProviderRole::phase() const noexcept {
    return impl_->phase;
}
bool NiProviderRole::loginRefused() const noexcept {
    return impl_->refused;
}
const std::string& NiProviderRole::lastReason() const noexcept {
    return impl_->reason;
}
const client::ServerChannel& NiProviderRole::channel() const noexcept {
    return impl_->options.channels[impl_->current];
}
Link* NiProviderRole::link() noexcept {
    return impl_->link && impl_->link->active() ? impl_->link.get() : nullptr;
}
const rdm::Directory& NiProviderRole::directory() const noexcept {
    return impl_->directory;
}
NiProviderCounters NiProviderRole::counters() const noexcept {
    NiProviderCounters c = impl_->counters;
    c.openItems = impl_->items.open();
    return c;
}
std::size_t NiProviderRole::openItems() const noexcept {
    return impl_->items.open();
}
std::uint64_t NiProviderRole::connectionNumber() const noexcept {
    return impl_->online ? impl_->connection : 0;
}

client::Handle NiProviderRole::registerClient(const RequestView& request, const Subscriber& subscriber,
                                              Refusal& refusal) {
    switch (request.msg.domain) {
    case rdm::kLoginDomain:
        return impl_->login.add(subscriber);
    case rdm::kDictionaryDomain:
        if (!impl_->online) {
            refusal.set(Refusal::Kind::noActiveChannel, "There is no connection that is logged in.");
            return 0;
        }
        return impl_->dictionaries.add(request, subscriber, refusal);
    default:
        refusal.set(
            Refusal::Kind::invalidArgument,
            "A non-interactive provider requests login (domain 1) and dictionaries (domain 5) only, not domain " +
                std::to_string(request.msg.domain) + ".");
        return 0;
    }
}

void NiProviderRole::reissue(client::Handle handle, const RequestView& request, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    if (r->kind == Request::Kind::login) return impl_->login.reissue(request, refusal);
    impl_->dictionaries.reissue(*r, request, refusal);
}

void NiProviderRole::unregister(client::Handle handle) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return;
    if (r->kind == Request::Kind::login) return impl_->login.remove(*r);
    impl_->dictionaries.remove(*r);
}

std::string NiProviderRole::describe(std::uint64_t handle) const {
    const std::uint32_t slot = impl_->items.find(handle);
    if (slot == ItemTable::kNone) return "handle " + std::to_string(handle);
    const Item& item = impl_->items[slot];
    const rdm::Service* service = impl_->directory.find(item.serviceId);
    return "item " + std::to_string(handle) + " of service " +
           (service != nullptr ? "'" + service->name() + "'" : std::to_string(item.serviceId)) + " (stream " +
           std::to_string(ItemTable::streamOf(slot)) + ", domain " + std::to_string(item.domain) + ")";
}

}  // namespace emissary::reactor::niprovider

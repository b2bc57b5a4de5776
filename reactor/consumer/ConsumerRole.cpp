#include "consumer/ConsumerRoleImpl.h"

#include "eta/core/printable.h"
#include "reactor/metrics/Snapshot.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

void ConsumerRole::Impl::connect() {
    reconnectTimer = 0;
    phase = Phase::connecting;
    ++counters.connects;
    event(ConnectionEvent::connecting, "connecting");
    link = reactor.connect(options.channels[current].connect, *this);
}

void ConsumerRole::Impl::onLinkUp(Link& l) {
    event(ConnectionEvent::up, "connected, RIPC version " + std::to_string(l.info().ripcVersion) + ", ping timeout " +
                                   std::to_string(l.info().pingTimeoutSeconds) + " s");
    phase = Phase::loggingIn;
    warnedMalformed = false;
    sender.attach(&l);
    login.request();
}

void ConsumerRole::Impl::onLinkDown(Link&, const std::string& text, bool) {
    lost(text);
}

/// This side ends the connection; another attempt follows.
void ConsumerRole::Impl::drop(const std::string& text) {
    sender.attach(nullptr);
    link.reset();
    lost(text);
}

/// Login clients hear "Channel is down." first and "channel down" last, around the items and the directory clients.
void ConsumerRole::Impl::lost(const std::string& text) {
    if (phase == Phase::ready && takeOver(text)) return;
    goDown(text);
    if (phase == Phase::backingOff) scheduleConnect();
}

/// Everybody hears that the connection is gone; the phase is backingOff afterwards, with no attempt arranged.
void ConsumerRole::Impl::goDown(const std::string& text) {
    stopStandbys();
    const bool wasUp = phase != Phase::connecting;
    const bool wasLoggedIn = login.open();
    reason = where() + ": " + text;
    sender.attach(nullptr);
    phase = Phase::backingOff;
    if (wasUp) ++counters.disconnects;
    login.connectionLost();
    dictionaries.connectionLost();
    watchlist.connectionLost();
    event(wasUp ? ConnectionEvent::down : ConnectionEvent::connectFailed, text);
    if (wasLoggedIn) login.tell(StreamState::open, DataState::suspect, 0, "Channel is down.");
    sink.onDirectory(false);
    directory.connectionLost(watchlist);
    if (!wasUp || std::exchange(toldDown, true)) return;
    if (everReady) login.sayUpBeforeLogin();
    login.tell(StreamState::open, DataState::suspect, 0, "channel down");  // also when it died before its login
}

void ConsumerRole::Impl::scheduleConnect() {
    if (backoff.exhausted()) return giveUp("channel closed");
    current = (current + 1) % options.channels.size();
    const Duration wait = backoff.next();
    reconnectTimer = reactor.startTimer(wait, [this] {
        link.reset();
        connect();
    });
}

/// Whoever asks for something from now on hears that it is over.
void ConsumerRole::Impl::closeForGood(const std::string& text) {
    login.closeForGood(text);
    watchlist.closeForGood(text);
}

void ConsumerRole::Impl::giveUp(const std::string& text) {
    phase = Phase::closed;
    closeForGood(text);
    login.tell(StreamState::closed, DataState::suspect, 0, text);
    event(ConnectionEvent::closed, text);
}

void ConsumerRole::Impl::malformed(Bytes message, Error e) {
    ++counters.malformed;
    const auto head = peekMsg(message);
    const std::string text = std::string("undecodable message (") + describe(e.code) + " at byte " +
                             std::to_string(e.offset) + " of " + std::to_string(message.size()) + ")";
    if (!std::exchange(warnedMalformed, true))
        sink.onWarning(where() + ": " + text + (head.ok() ? ", stream " + std::to_string(head.value().streamId) : ""));
    if (head.ok() && head.value().streamId > rdm::kDirectoryStreamId)
        return watchlist.onMalformed(head.value().streamId);
    drop(text);
}

void ConsumerRole::Impl::onLinkMessage(Link&, Bytes message) {
    if (const Error e = decodeMsg(message, incoming); !e.ok()) [[unlikely]]
        return malformed(message, e);
    if (incoming.streamId > rdm::kDirectoryStreamId) [[likely]] {
        if (watchlist.hasSources() && watchlist.sourceOf(incoming.streamId) != Watchlist::kActive) [[unlikely]]
            return noteEnd(incoming);
        return watchlist.onMessage(incoming);
    }
    if (incoming.streamId == rdm::kLoginStreamId) return onLoginMessage();
    if (incoming.streamId == rdm::kDirectoryStreamId) return onDirectoryMessage();
    watchlist.onMessage(incoming);  // nobody knows it: answered as such
}

void ConsumerRole::Impl::onLoginMessage() {
    if (incoming.cls == MsgClass::Ack && !watchlist.takeOffStreamAck(incoming)) return;
    const LoginStream::Outcome outcome = login.onMessage(incoming);
    if (!link || !link->active()) return;  // a callback shut everything down
    const std::string text = incoming.hasState() ? eta::printable(eta::asText(incoming.state.text)) : "";
    switch (outcome) {
    case LoginStream::Outcome::none:
        return;
    case LoginStream::Outcome::accepted:
        backoff.reset();
        if (everReady) toldDown = false;  // "channel up" was said with the login
        useProvider();
        event(ConnectionEvent::loggedIn, "login accepted");
        if (!link || !link->active()) return;
        phase = Phase::directory;
        directory.request();
        return;
    case LoginStream::Outcome::refused:
    case LoginStream::Outcome::closed:
        reason = where() + ": login " + (outcome == LoginStream::Outcome::refused ? "refused" : "closed") +
                 " by the provider: stream state " + std::to_string(incoming.state.stream) + ", status code " +
                 std::to_string(incoming.state.code) + ", '" + text + "'";
        refused = true;
        phase = Phase::closed;
        event(ConnectionEvent::loginRefused, text);
        stopStandbys();
        sender.attach(nullptr);
        link.reset();
        login.connectionLost();
        watchlist.connectionLost();
        sink.onDirectory(false);
        closeForGood("Login stream was closed.");
        watchlist.loginClosed();
        directory.connectionLost(watchlist);
        event(ConnectionEvent::closed, "login closed");
        return;
    case LoginStream::Outcome::closedRecover:
        return drop("login closed by the provider: " + text);
    case LoginStream::Outcome::undecodable:
        ++counters.malformed;
        return drop("undecodable login refresh");
    }
}

void ConsumerRole::Impl::onDirectoryMessage() {
    switch (directory.onMessage(incoming, watchlist)) {
    case DirectoryStream::Outcome::none:
        return;
    case DirectoryStream::Outcome::undecodable:
        ++counters.malformed;
        return drop("undecodable directory message");
    case DirectoryStream::Outcome::changed:
        break;
    }
    if (!link || !link->active()) return;  // a callback shut everything down
    sink.onDirectory(true);
    dictionaries.onDirectory(directory.directory());
    advance();
}

/// Moves the start-up on when what it waits for is there.
void ConsumerRole::Impl::advance() {
    if (phase != Phase::directory && phase != Phase::dictionaries) return;
    if (!directory.refreshed()) return;
    phase = Phase::dictionaries;
    if (!dictionaries.complete()) return;
    phase = Phase::ready;
    toldDown = false;
    everReady = true;
    startStandbys();
    event(ConnectionEvent::ready, "ready");
}

// --- ConsumerRole ----------------------------------------------------------------------------------------------------

ConsumerRole::ConsumerRole(Reactor& reactor, ConsumerOptions options, ConsumerSink& sink)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), sink)),
      metrics_(reactor, [this](metrics::Snapshot& into) { into.add(counters(), {{"role", "consumer"}}); }) {}
ConsumerRole::~ConsumerRole() = default;

void ConsumerRole::start() {
    if (impl_->phase != Phase::idle) return;
    impl_->preferred.start(impl_->options.preferredHost);
    impl_->connect();
}

void ConsumerRole::shutdown() {
    Impl& i = *impl_;
    i.reactor.cancelTimer(std::exchange(i.reconnectTimer, 0));
    if (i.link && i.link->active()) i.login.sendClose();
    i.preferred.stop();
    i.stopStandbys();
    i.sender.attach(nullptr);
    i.link.reset();
    i.login.connectionLost();
    i.watchlist.connectionLost();
    i.closeForGood("The session is shut down.");
    i.phase = Phase::closed;
}

ConsumerRole::Phase ConsumerRole::phase() const noexcept {
    return impl_->phase;
}
bool ConsumerRole::loginRefused() const noexcept {
    return impl_->refused;
}
const std::string& ConsumerRole::lastReason() const noexcept {
    return impl_->reason;
}
const ConsumerChannel& ConsumerRole::channel() const noexcept {
    return impl_->options.channels[impl_->current];
}
Link* ConsumerRole::link() noexcept {
    return impl_->link && impl_->link->active() ? impl_->link.get() : nullptr;
}
std::shared_ptr<const eta::dictionary::Dictionary> ConsumerRole::dictionary() const noexcept {
    return impl_->dictionaries.dictionary();
}
const rdm::Directory& ConsumerRole::directory() const noexcept {
    return impl_->directory.directory();
}
const rdm::LoginAttributes& ConsumerRole::provider() const noexcept {
    return impl_->login.provider();
}
bool ConsumerRole::knows(Handle handle) const noexcept {
    return impl_->requests.find(handle) != nullptr;
}
bool ConsumerRole::congested() const noexcept {
    return impl_->sender.congested();
}
void ConsumerRole::useDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    impl_->dictionaries.adopt(std::move(dictionary));
    impl_->reactor.post([i = impl_.get()] { i->advance(); });
}

void ConsumerRole::setPreferredHost(PreferredHost options) {
    impl_->preferred.start(std::move(options));
}
void ConsumerRole::fallBack(Refusal& refusal) {
    if (!impl_->preferred.options().enabled)
        return refusal.set(Refusal::Kind::invalidOperation, "The preferred host options are not enabled.");
    impl_->preferredCheckDue();
}
bool ConsumerRole::onPreferredHost() const noexcept {
    return impl_->preferred.options().enabled && impl_->onPreferred();
}
std::chrono::seconds ConsumerRole::untilPreferredCheck() const noexcept {
    return impl_->preferred.left();
}

ConsumerRole::Counters ConsumerRole::counters() const noexcept {
    Counters c = impl_->counters;
    c.earlyUpdates = impl_->watchlist.droppedEarly();
    c.answersDropped = impl_->sender.answersDropped();
    c.groupless = impl_->watchlist.groupless();
    c.openStreams = impl_->watchlist.streamCount();
    return c;
}

Handle ConsumerRole::registerClient(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    const std::uint8_t domain = request.msg.domain;
    const bool own =
        domain == 1 || domain == rdm::kDirectoryDomain || (domain == rdm::kDictionaryDomain && impl_->local.present());
    if (own && request.msg.has(RequestFlag::batch)) {
        refusal.set(Refusal::Kind::invalidArgument,
                    "Login, directory and dictionaries from files cannot be requested in a batch.");
        return 0;
    }
    switch (request.msg.domain) {
    case 1:
        return impl_->login.add(subscriber);
    case rdm::kDirectoryDomain:
        if (impl_->sender.link() == nullptr) {
            refusal.set(Refusal::Kind::noActiveChannel, "There is no active channel to ask for the directory.");
            return 0;
        }
        return impl_->directory.add(request, subscriber);
    case rdm::kDictionaryDomain:
        if (impl_->local.present()) return impl_->local.add(request, subscriber, refusal);
        [[fallthrough]];
    default:
        return impl_->watchlist.open(request, subscriber, refusal);
    }
}

void ConsumerRole::reissue(Handle handle, const RequestView& request, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused)
        return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    switch (r->kind) {
    case Request::Kind::login:
        impl_->login.reissue(request, refusal);
        if (refusal) return;
        impl_->watchlist.pauseAll(impl_->login.paused());
        return impl_->mirrorLogin(request.msg.has(RequestFlag::noRefresh));
    case Request::Kind::directory:
        return impl_->directory.reissue(*r, request, refusal);
    case Request::Kind::item:
        return impl_->watchlist.reissue(*r, request, refusal);
    case Request::Kind::dictionary:
        return refusal.set(Refusal::Kind::invalidUsage, "A dictionary stream served from memory cannot be reissued.");
    case Request::Kind::batch:
        return refusal.set(Refusal::Kind::invalidUsage, "A batch cannot be reissued; its items can, one by one.");
    case Request::Kind::list:
        return refusal.set(Refusal::Kind::invalidUsage, "The symbol list was a snapshot; it cannot be reissued.");
    case Request::Kind::free:
    case Request::Kind::refused:
        return;
    }
}

void ConsumerRole::unregister(Handle handle, Refusal& refusal) {
    Request* r = impl_->requests.find(handle);
    if (r == nullptr) return;
    switch (r->kind) {
    case Request::Kind::login:
        return impl_->login.remove(*r);
    case Request::Kind::directory:
        return impl_->directory.remove(*r);
    case Request::Kind::item:
        return impl_->watchlist.close(*r);
    case Request::Kind::batch:
        return refusal.set(Refusal::Kind::invalidArgument,
                           "A batch cannot be unregistered; its items can, one by one.");
    case Request::Kind::list:
        return impl_->watchlist.closeList(*r);
    case Request::Kind::dictionary:
    case Request::Kind::refused:
        return impl_->requests.release(*r);
    case Request::Kind::free:
        return;
    }
}

void ConsumerRole::submitGeneric(Handle handle, const Msg& msg, Refusal& refusal) {
    Impl& i = *impl_;
    Request* r = i.requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused)
        return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    Msg out = msg;
    if (r->kind == Request::Kind::item) return i.watchlist.submitGeneric(*r, out, refusal);
    if (r->kind == Request::Kind::dictionary)
        return refusal.set(Refusal::Kind::invalidUsage, "A dictionary stream served from memory takes no messages.");
    if (r->kind == Request::Kind::batch || r->kind == Request::Kind::list)
        return refusal.set(Refusal::Kind::invalidUsage, "A batch or a finished symbol list takes no messages.");
    if (!i.login.open()) return refusal.set(Refusal::Kind::invalidUsage, "The login stream is not open.");
    out.streamId = r->kind == Request::Kind::login ? rdm::kLoginStreamId : rdm::kDirectoryStreamId;
    if (const Error e = i.sender.trySend(out); !e.ok()) i.sender.refuse(e, refusal);
}

void ConsumerRole::submitPost(Handle handle, const Msg& msg, std::string_view serviceName, Refusal& refusal) {
    Impl& i = *impl_;
    Request* r = i.requests.find(handle);
    if (r == nullptr || r->kind == Request::Kind::refused)
        return refusal.set(Refusal::Kind::invalidHandle, "unknown handle");
    Msg out = msg;
    if (r->kind == Request::Kind::item) return i.watchlist.submitPost(*r, out, serviceName, refusal);
    if (r->kind != Request::Kind::login)
        return refusal.set(Refusal::Kind::invalidUsage, "Posts go to items or to the login stream.");
    if (!i.login.open()) return refusal.set(Refusal::Kind::invalidUsage, "The login stream is not open.");
    i.watchlist.submitOffStreamPost(out, serviceName, refusal);
}

}  // namespace emissary::reactor::consumer

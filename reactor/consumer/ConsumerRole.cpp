// Makes the parts of a consumer and hands connection events and messages of the server to them.
#include "consumer/ConsumerRoleImpl.h"

#include "eta/core/printable.h"
#include "reactor/metrics/Snapshot.h"
#include "session/login_outcome.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

ConsumerRole::Phase ConsumerRole::Impl::phase() const noexcept {
    using State = session::ServerConnection::State;
    switch (server.state()) {
    case State::idle:
        return Phase::idle;
    case State::connecting:
        return Phase::connecting;
    case State::up:
        return step;
    case State::waiting:
        return Phase::backingOff;
    case State::closed:
        break;
    }
    return Phase::closed;
}

// --- the connection --------------------------------------------------------------------------------------------------

void ConsumerRole::Impl::onConnected() {
    step = Phase::loggingIn;
    // The directory of the old connection may still be taken over in steps: a request now would get its answer among
    // the old services.
    directory.whenLeft([this] {  // streams of the connection before are none of this one
        login.use(server.accountLogin());
        login.request();
    });
}

/// Login clients hear "Channel is down." first and "channel down" last, around the items and the directory clients.
void ConsumerRole::Impl::onLost(const Loss& loss) {
    // Noted first: login.connectionLost() forgets it, and the status depends on it.
    const bool wasLoggedIn = login.open();
    if (loss.wasUp) joining = standby.takeJoining(joiningChannel);
    standby.stop();
    login.connectionLost();
    dictionaries.connectionLost();
    watchlist.connectionLost();
    tunnels.connectionLost();
    server.announce(loss);
    if (wasLoggedIn) login.tell(StreamState::open, DataState::suspect, 0, "Channel is down.");
    sink.onDirectory(false);
    directory.connectionLost(items);
    // Said once for each outage, however many attempts follow (session.md 4.8, row 4).
    if (!loss.wasUp || std::exchange(toldDown, true)) return;
    if (everReady) login.sayUpBeforeLogin();
    login.tell(StreamState::open, DataState::suspect, 0, "channel down");  // also when it died before its login
}

/// A server of the group that was still logging in stays, and is logged in to as the active one.
void ConsumerRole::Impl::onWaiting() {
    if (auto link = std::exchange(joining, nullptr); link != nullptr && link->active())
        server.moveTo(joiningChannel, std::move(link), {});
}

void ConsumerRole::Impl::onGivenUp(const std::string& text) {
    closeForGood(text);
    login.tell(StreamState::closed, DataState::suspect, 0, text);
}

/// Requests from now on get the answer that the session is over.
void ConsumerRole::Impl::closeForGood(const std::string& text) {
    joining.reset();
    login.closeForGood(text);
    watchlist.closeForGood(text);
}

bool ConsumerRole::Impl::outlivesMalformed(std::int32_t streamId) {
    if (streamId <= rdm::kDirectoryStreamId) return false;
    if (!tunnels.onMalformed(streamId)) watchlist.onMalformed(streamId);
    return true;
}

// --- messages --------------------------------------------------------------------------------------------------------

void ConsumerRole::Impl::onServerMessage(Msg& m) {
    // The rest of a JSON text comes whole, whoever holds the link; what the directory said before it counts for it.
    if (directory.taking()) [[unlikely]] {
        directory.finish();
        if (server.link() == nullptr) return;  // a callback shut everything down
    }
    // Streams above the directory's are items and tunnels; nearly every message goes this way.
    if (m.streamId > rdm::kDirectoryStreamId) [[likely]] {
        if (tunnels.onMessage(m)) return;
        // In a service-based group the data of an item come from one server; what the others send of it ends streams
        // and nothing else.
        if (watchlist.takeover().hasSources() && m.cls != MsgClass::Ack &&
            watchlist.sourceOf(m.streamId) != Watchlist::kActive) [[unlikely]]
            return standby.noteEnd(m);
        return watchlist.onMessage(m);
    }
    if (m.streamId == rdm::kLoginStreamId) return onLoginMessage(m);
    if (m.streamId == rdm::kDirectoryStreamId) return onDirectoryMessage(m);
    watchlist.onMessage(m);  // no service knows it: answered as such
}

void ConsumerRole::Impl::onLoginMessage(Msg& m) {
    // Acks on the login stream answer off-stream posts.
    if (m.cls == MsgClass::Ack) {
        if (watchlist.posts().takeOffStreamAck(m)) login.fanOut(m, watchlist.posts().serviceNameOf(m));
        return;
    }
    const bool ends = (m.cls == MsgClass::Refresh || m.cls == MsgClass::Status) && m.hasState() && m.state.isFinal();
    // What one server of a group says of its login does not end the group; the application's login goes on elsewhere.
    if (ends && phase() == Phase::ready && standby.canTakeOver())
        return server.drop("login closed by the provider: " + eta::printable(eta::asText(m.state.text)));
    const LoginStream::Outcome outcome = login.onMessage(m);
    const auto accepted = [this] {
        // Order: the connection first (back-off starts anew), then the group's rules, then the directory.
        server.loginAccepted();
        if (everReady) toldDown = false;  // "channel up" was said with the login
        standby.useProvider();
        server.tell(ConnectionEvent::loggedIn, "login accepted");
        // The record above may have ended the session.
        if (server.link() == nullptr) return;
        step = Phase::directory;
        directory.request();
    };
    session::actOnLogin(server, outcome, m, "provider", accepted,
                        [this](const std::string& reason, const std::string& text) { loginEnded(reason, text); });
}

/// For good: the provider does not want us.
void ConsumerRole::Impl::loginEnded(const std::string& reason, const std::string& text) {
    refused = true;
    server.closeBecause(reason);
    server.tell(ConnectionEvent::loginRefused, text);
    standby.stop();
    login.connectionLost();
    watchlist.connectionLost();
    tunnels.connectionLost();
    sink.onDirectory(false);
    // Requests from now on get this text; after it the items end with a text of their own (session.md 4.8).
    closeForGood("Login stream was closed.");
    watchlist.loginClosed();
    directory.connectionLost(items);
    server.tell(ConnectionEvent::closed, "login closed");
}

void ConsumerRole::Impl::onDirectoryMessage(Msg& m) {
    // A directory that cannot be read leaves no way to know which items exist.
    if (!directory.onMessage(m, items)) server.dropMalformed("undecodable directory message");
}

void ConsumerRole::Impl::onDirectoryChanged() {
    if (server.link() == nullptr) return;  // a callback shut everything down
    sink.onDirectory(true);
    dictionaries.onDirectory(directory.directory());
    advance();
}

/// Moves the start-up on when what it waits for is there.
void ConsumerRole::Impl::advance() {
    const Phase now = phase();
    // Ready is reached once for each connection: later directory messages change nothing here.
    if (now != Phase::directory && now != Phase::dictionaries) return;
    if (!directory.refreshed()) return;
    step = Phase::dictionaries;
    if (!dictionaries.complete()) return;
    step = Phase::ready;
    toldDown = false;
    everReady = true;
    // Standbys are connected when the active server is complete, since they mirror its requests.
    standby.start();
    server.tell(ConnectionEvent::ready, "ready");
}

// --- ConsumerRole ----------------------------------------------------------------------------------------------------

ConsumerRole::ConsumerRole(Reactor& reactor, ConsumerOptions options, ConsumerSink& sink)
    : impl_(std::make_unique<Impl>(reactor, std::move(options), sink)),
      metrics_(reactor, [this](metrics::Snapshot& into) {
          into.add(counters(), {{"role", "consumer"}});
          into.add(impl_->tunnels.counters(), {{"role", "consumer"}});
      }) {}
ConsumerRole::~ConsumerRole() = default;

void ConsumerRole::start() {
    if (impl_->phase() != Phase::idle) return;
    impl_->preferred.start(impl_->options.preferredHost);
    impl_->server.start();
}

void ConsumerRole::shutdown() {
    Impl& i = *impl_;
    // The close goes out while there is a link; what follows needs none (session.md 3).
    if (i.server.link() != nullptr) i.login.sendClose();
    i.preferred.stop();
    i.standby.stop();
    i.server.close();
    i.login.connectionLost();
    i.directory.stop();
    i.watchlist.shutDown();
    i.tunnels.connectionLost();
    i.closeForGood("The session is shut down.");
}

void ConsumerRole::end(const std::string& reason, std::function<void()> over) {
    Impl& i = *impl_;
    const bool wasUp = i.server.state() == session::ServerConnection::State::up;
    if (i.server.link() != nullptr) i.login.sendClose();
    i.preferred.stop();
    i.server.closeBecause(reason);
    if (wasUp) i.onLost({reason, true});
    i.standby.stop();
    i.joining.reset();
    i.directory.whenLeft(std::move(over));
}

ConsumerRole::Phase ConsumerRole::phase() const noexcept {
    return impl_->phase();
}
bool ConsumerRole::loginRefused() const noexcept {
    return impl_->refused;
}
const std::string& ConsumerRole::lastReason() const noexcept {
    return impl_->server.lastReason();
}
const ConsumerChannel& ConsumerRole::channel() const noexcept {
    return impl_->channel();
}
Link* ConsumerRole::link() noexcept {
    return impl_->server.link();
}
std::shared_ptr<const eta::dictionary::Dictionary> ConsumerRole::dictionary() const noexcept {
    return impl_->dictionaries.dictionary();
}
std::string ConsumerRole::missingDictionaries() const {
    return impl_->dictionaries.missing();
}
std::string ConsumerRole::dictionaryFailure() const {
    return impl_->phase() == Phase::dictionaries ? impl_->dictionaries.failure() : std::string{};
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
    // Posted: the caller may be inside a callback of this role.
    impl_->own.post([i = impl_.get()] { i->advance(); });
}

void ConsumerRole::setSpareDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    impl_->dictionaries.setSpare(std::move(dictionary));
}

void ConsumerRole::renewLogin(const session::ChannelAccount& account) {
    Impl& i = *impl_;
    // The account may belong to a standby's channel instead, so both are tried.
    if (i.server.link() != nullptr && i.server.channel().account.get() == &account && account.login() != nullptr)
        i.login.renew(*account.login());
    i.standby.renewLogin(account);
}

void ConsumerRole::setPreferredHost(PreferredHost options) {
    impl_->preferred.start(std::move(options));
}
Refusal ConsumerRole::fallBack() {
    if (!impl_->preferred.options().enabled)
        return {Refusal::Kind::invalidOperation, "The preferred host options are not enabled."};
    impl_->preferred.checkSoon();
    return {};
}
bool ConsumerRole::onPreferredHost() const noexcept {
    return impl_->preferred.options().enabled && impl_->onPreferred();
}
std::chrono::seconds ConsumerRole::untilPreferredCheck() const noexcept {
    return impl_->preferred.left();
}

ConsumerRole::Counters ConsumerRole::counters() const noexcept {
    Counters c;
    const session::ConnectionCounters& connection = impl_->server.counters();
    c.malformed = connection.malformed;
    c.connects = connection.connects;
    c.disconnects = connection.disconnects;
    c.earlyUpdates = impl_->watchlist.droppedEarly();
    c.answersDropped = impl_->sender.counters().answersDropped;
    c.requestsDropped = impl_->sender.counters().dropped;
    c.noticesDropped = impl_->requests.noticesDropped();
    c.waitingBytes = impl_->sender.waitingBytes();
    c.groupless = impl_->watchlist.groupless();
    c.openStreams = impl_->watchlist.streamCount();
    return c;
}

Handle ConsumerRole::registerTunnel(const tunnel::TunnelRequest& request, const Subscriber& subscriber,
                                    Refusal& refusal) {
    return impl_->tunnels.open(request, subscriber, refusal);
}
Handle ConsumerRole::registerInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber,
                                    Refusal& refusal) {
    return impl_->calls.openInside(tunnel, request, subscriber, refusal);
}
std::optional<std::uint32_t> ConsumerRole::tunnelBuffersUsed(Handle tunnel) const noexcept {
    return impl_->tunnels.buffersUsed(tunnel);
}
Handle ConsumerRole::registerClient(const RequestView& request, const Subscriber& subscriber, Refusal& refusal) {
    return impl_->calls.open(request, subscriber, refusal);
}
Refusal ConsumerRole::reissue(Handle handle, const RequestView& request) {
    return impl_->calls.reissue(handle, request);
}
Refusal ConsumerRole::unregister(Handle handle) {
    return impl_->calls.close(handle);
}
Refusal ConsumerRole::submitGeneric(Handle handle, const Msg& msg) {
    return impl_->calls.submitGeneric(handle, msg);
}
Refusal ConsumerRole::submitPost(Handle handle, const Msg& msg, std::string_view serviceName) {
    return impl_->calls.submitPost(handle, msg, serviceName);
}
void ConsumerRole::answerPosts(Handle handle) {
    if (const Request* r = impl_->requests.find(handle); r != nullptr && r->stream != nullptr)
        impl_->watchlist.posts().posterLeaves(*r);
}

}  // namespace emissary::reactor::consumer

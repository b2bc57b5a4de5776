// Prepares, connects and gives up the channels of a list in turn, with a record of each step.
#include "session/ServerConnection.h"

namespace emissary::reactor::session {

ServerConnection::ServerConnection(Reactor& reactor, const char* kind, std::vector<ServerChannel> channels,
                                   const ReconnectOptions& reconnect, ConnectionOwner& owner,
                                   ConnectionListener& listener)
    : reactor_(reactor), kind_(kind), channels_(std::move(channels)), owner_(owner), listener_(listener),
      backoff_(reconnect), sender_(reactor, [this](const std::string& reason) { drop(reason); }) {}

ServerConnection::~ServerConnection() {
    disconnect();
}

std::string ServerConnection::where() const {
    return std::string(kind_) + " " + channel().name + " (" + describeTarget(target()) + ")";
}

/// Without a word to anybody.
void ServerConnection::disconnect() noexcept {
    reactor_.cancelTimer(std::exchange(timer_, 0));
    stopPreparing();
    sender_.attach(nullptr);
    link_.reset();
}

void ServerConnection::stopPreparing() noexcept {
    if (const auto ticket = std::exchange(ticket_, 0); ticket != 0) channel().account->abandon(ticket);
}

// --- up --------------------------------------------------------------------------------------------------------------

void ServerConnection::start() {
    if (state_ == State::idle || state_ == State::closed) connect();
}

void ServerConnection::connect() {
    timer_ = 0;
    link_.reset();
    state_ = State::connecting;
    // Counted before it is tried, so that a channel which never answers is counted too.
    ++counters_.connects;
    tell(ConnectionEvent::connecting, "connecting");
    if (channel().account)
        ticket_ = channel().account->prepare([this](const std::string& refusal) { prepared(refusal); });
    else link_ = reactor_.connect(channel().connect, *this);
}

void ServerConnection::prepared(const std::string& refusal) {
    // An account that cannot be prepared is a lost channel, and the next one is tried.
    ticket_ = 0;
    if (!refusal.empty()) return lost(refusal);
    link_ = reactor_.connect(target(), *this);
}

eta::transport::ConnectOptions ServerConnection::target() const {
    eta::transport::ConnectOptions connect = channel().connect;
    if (channel().account) channel().account->address(connect);
    return connect;
}

void ServerConnection::onLinkUp(Link& link) {
    const eta::transport::ChannelInfo& info = link.info();
    tell(ConnectionEvent::up,
         "connected, " +
             (info.ripcVersion != 0 ? "RIPC version " + std::to_string(info.ripcVersion) : info.webSocketProtocol) +
             ", ping timeout " + std::to_string(info.pingTimeoutSeconds) + " s");
    state_ = State::up;
    warnedMalformed_ = loggedIn_ = false;
    sender_.attach(&link);
    owner_.onConnected();
}

void ServerConnection::moveTo(std::size_t channel, std::unique_ptr<Link> link, const std::string& reason) {
    disconnect();
    if (state_ != State::waiting) lose(reason);
    if (state_ != State::waiting) return;  // a callback shut everything down
    current_ = channel;
    link_ = std::move(link);
    link_->setHandler(*this);
    if (!link_->active()) return lost("lost again before it was used");
    onLinkUp(*link_);
}

/// The old link comes back, silent from now on: the caller ends it once nobody uses it any more.
std::unique_ptr<Link> ServerConnection::takeOver(std::size_t channel, std::unique_ptr<Link> link,
                                                 const std::string& reason) {
    ++counters_.disconnects;
    if (this->channel().account) this->channel().account->onLost();
    lastReason_ = where() + ": " + reason;
    link->setHandler(*this);
    link_.swap(link);
    sender_.attach(link_.get());
    current_ = channel;
    warnedMalformed_ = false;
    tell(ConnectionEvent::switched, "takes over; " + lastReason_);
    return link;
}

std::unique_ptr<Link> ServerConnection::release() noexcept {
    std::unique_ptr<Link> link = std::move(link_);
    close();
    return link;
}

// --- down ------------------------------------------------------------------------------------------------------------

void ServerConnection::onLinkDown(Link&, const std::string& reason, bool) {
    lost(reason);
}

void ServerConnection::drop(const std::string& reason) {
    stopPreparing();
    sender_.attach(nullptr);
    link_.reset();
    lost(reason);
}

void ServerConnection::dropMalformed(const std::string& reason) {
    ++counters_.malformed;
    drop(reason);
}

void ServerConnection::close() noexcept {
    disconnect();
    state_ = State::closed;
}

void ServerConnection::closeBecause(const std::string& reason) {
    lastReason_ = where() + ": " + reason;
    close();
}

void ServerConnection::lost(const std::string& text) {
    if (state_ == State::up && owner_.onReplace(text)) return;
    lose(text);
    if (state_ != State::waiting) return;  // a callback shut everything down
    if (backoff_.exhausted()) {
        const std::string ended = "channel closed";
        state_ = State::closed;
        owner_.onGivenUp(ended);
        return tell(ConnectionEvent::closed, ended);
    }
    // The list is walked in order and begins again (session.md 6).
    current_ = (current_ + 1) % channels_.size();
    timer_ = reactor_.startTimer(backoff_.next(), [this] { connect(); });
    owner_.onWaiting();
}

/// Everybody hears that the connection is gone; no attempt is arranged yet.
void ServerConnection::lose(const std::string& text) {
    const bool wasUp = state_ != State::connecting;
    // What a token is worth is for its account to judge.
    if (channel().account) wasUp ? channel().account->onLost() : channel().account->onAttemptFailed();
    lastReason_ = where() + ": " + text;
    sender_.attach(nullptr);
    state_ = State::waiting;
    if (wasUp) ++counters_.disconnects;
    owner_.onLost({text, wasUp});
}

// --- what the peer does ----------------------------------------------------------------------------------------------

void ServerConnection::onLinkWarning(Link&, const std::string& text) {
    warn(text);
}

void ServerConnection::onJsonFailure(Link& link, const std::string& text) {
    listener_.onJsonFailure({where() + ": " + text, channel(), link.info()});
}

// A message that cannot be decoded is counted before it is decided what it costs.
void ServerConnection::malformed(Bytes message, Error e) {
    ++counters_.malformed;
    const auto head = eta::codec::peekMsg(message);
    const std::string text = std::string("undecodable message (") + eta::describe(e.code) + " at byte " +
                             std::to_string(e.offset) + " of " + std::to_string(message.size()) + ")";
    if (!std::exchange(warnedMalformed_, true))
        warn(text + (head.ok() ? ", stream " + std::to_string(head.value().streamId) : ""));
    if (head.ok() && owner_.outlivesMalformed(head.value().streamId)) return;
    drop(text);
}

/// Only this message is lost: its stream ends, or goes on without it where it is the login's or the directory's and
/// something else was said there before.
void ServerConnection::undefinedState() {
    ++counters_.malformed;
    const eta::codec::Msg& m = incoming_;
    const std::string text = std::string(eta::codec::name(m.cls)) + " message with a state that is none (stream " +
                             std::to_string(m.state.stream) + ", data " + std::to_string(m.state.data) + "), stream " +
                             std::to_string(m.streamId);
    if (!std::exchange(warnedMalformed_, true)) warn(text);
    if (owner_.outlivesMalformed(m.streamId)) return;
    if (m.cls == eta::codec::MsgClass::Status || loggedIn_) return;
    drop(text);  // the login has no other answer
}

}  // namespace emissary::reactor::session

// Requests a tunnel, logs in if it has to, and follows it until it is closed.
#include "tunnel/ConsumerEnd.h"

#include <array>

namespace emissary::reactor::tunnel {

using namespace eta::codec;

namespace {

constexpr std::uint8_t kTimeoutCode = 2;  // rwf.md 2.10
constexpr std::size_t kCosBytes = 1024;
constexpr std::uint8_t kRwf = 0;

}  // namespace

std::string_view whyRefused(const ConsumerRequest& request) noexcept {
    const ClassOfService& cos = request.classOfService;
    // What is refused here costs no message; the texts are those of the API.
    if (cos.dataIntegrity != DataIntegrity::reliable) return "ClassOfService must minimally set reliability.";
    if (cos.authentication == Authentication::ommLogin && cos.protocolType != kRwf)
        return "Must use RWF protocol type when using authentication type of OMM login.";
    if (cos.guarantee == Guarantee::persistentQueue && cos.protocolType != kRwf)
        return "Queue consumers must use RWF protocol type.";
    // -1 means the default window of 12,288 bytes (tunnel.md 5).
    if (cos.flowControl != FlowControl::none && cos.recvWindowSize < -1)
        return "The receive window must not be below -1, which stands for the default.";
    if (request.identity.name.size() > 255) return "TunnelStream name is too long: it has at most 255 bytes.";
    if (cos.authentication == Authentication::ommLogin && request.login.empty())
        return "Authentication by OMM login needs a login request: there is neither one of the tunnel stream nor one "
               "of "
               "the connection.";
    return {};
}

ConsumerEnd::ConsumerEnd(const Setting& setting, ConsumerRequest request, User& user)
    : End(setting, request.identity, user), request_(std::move(request)),
      recvWindow_(ownWindow(request_.classOfService.recvWindowSize, kFragmentBytes)) {
    cos_ = request_.classOfService;
    // The window is raised to a fragment before it is sent, and must be the same on both sides.
    if (cos_.flowControl != FlowControl::none) cos_.recvWindowSize = recvWindow_;
    if (const auto head = peekMsg(request_.login); head.ok()) loginStream_ = head.value().streamId;
}

ConsumerEnd::~ConsumerEnd() {
    stop();
}

// --- opening ---------------------------------------------------------------------------------------------------------

void ConsumerEnd::start() {
    if (state_ != State::idle) return;
    state_ = State::opening;
    sendRequest();
    startTimer();
}

void ConsumerEnd::sendRequest() {
    ClassOfService asked = cos_;
    asked.streamVersion = streamVersion_;
    std::array<std::byte, kCosBytes> payload;
    eta::BeWriter out{payload};
    (void)encode(out, asked, Writer::consumer);  // it fits
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = identity_.domain;
    m.streamId = identity_.streamId;
    // Tunnels are private and qualified streams (tunnel.md 1.1).
    m.flags = RequestFlag::streaming | RequestFlag::privateStream | RequestFlag::qualified;
    m.key.flags = KeyFlag::serviceId | KeyFlag::name | KeyFlag::filter;
    m.key.serviceId = identity_.serviceId;
    m.key.name = eta::asBytes(identity_.name);
    m.key.filter = filterOf(asked);
    m.containerType = DataType::FilterList;
    m.payload = out.view();
    setting_.wire.write(m);
}

void ConsumerEnd::onMessage(const Msg& m) {
    // After a close nothing of this stream counts any more.
    if (state_ == State::ended || state_ == State::idle) return;
    if (m.cls == MsgClass::Close) return endWith(StreamState::closedRecover, "The provider closed the stream.", false);
    if (m.cls == MsgClass::Status) return onStatus(m);
    // Until the refresh only a refresh or a status is meaningful (tunnel.md 6.1).
    if (state_ == State::opening) {
        if (m.cls == MsgClass::Refresh) return onRefresh(m);
        return onBroken("a message came before the answer to the request");
    }
    if (m.cls != MsgClass::Generic) return onBroken("a message came that is not for an open tunnel stream");
    conversation_->onMessage(m);
}

void ConsumerEnd::onStatus(const Msg& m) {
    // A status that is no answer means that the provider does not know the version; the next one is tried (tunnel.md
    // 1.4).
    if (state_ == State::opening && streamVersion_ > kOldStreamVersion) {
        // A provider that does not know the version says no more than that.
        --streamVersion_;
        return sendRequest();
    }
    if (!m.hasState()) return;
    ClassOfService offered;
    Status status;
    status.state = m.state;
    // A rejection may say which class of service would be taken.
    if (m.containerType == DataType::FilterList && decode(m.payload, offered).ok()) status.classOfService = &offered;
    const bool opening = state_ == State::opening, ends = m.state.stream != StreamState::open;
    if (ends) {
        if (opening) ++setting_.counters.refused;
        state_ = State::ended;
        stop();
    }
    tell(status);
    if (ends) finish();
}

/// What is wrong with the class of service of the refresh.
std::string_view ConsumerEnd::whyUnusable(const Msg& refresh, ClassOfService& granted) const noexcept {
    if (refresh.containerType != DataType::FilterList || !decode(refresh.payload, granted).ok())
        return "the provider's class of service cannot be decoded";
    // Versions above ours cannot be spoken, and 0 is none.
    if (granted.streamVersion > kStreamVersion || granted.streamVersion == 0)
        return "the provider's stream version is unknown";
    if (granted.dataIntegrity != DataIntegrity::reliable) return "the provider does not offer a reliable stream";
    if (granted.guarantee != Guarantee::none) return "persistent queues are not supported";
    if (granted.maxMsgSize == 0 || granted.maxFragmentSize == 0)
        return "the provider's sizes leave no room for messages";
    if (granted.authentication == Authentication::ommLogin && request_.login.empty())
        return "Provider requires authentication but consumer specified no login request.";
    return {};
}

void ConsumerEnd::onRefresh(const Msg& m) {
    // Any state but Open is an end, whatever message it came in.
    if (m.state.stream != StreamState::open) return onStatus(m);
    if (m.state.data != DataState::ok) return;  // the answer proper follows
    ClassOfService granted;
    if (const std::string_view why = whyUnusable(m, granted); !why.empty()) return onBroken(why);
    stop();
    const std::int64_t peerWindow = granted.recvWindowSize;
    // The class of service is the provider's from here on, but for our own window.
    cos_ = granted;
    cos_.recvWindowSize = recvWindow_;
    converse({recvWindow_, peerWindow, request_.outputBuffers});
    if (cos_.authentication == Authentication::ommLogin) {
        // The login goes first; a window of one fragment always lets it through (tunnel.md 5).
        state_ = State::loggingIn;
        startTimer();
        if (conversation_->submit(DataType::Msg, request_.login) != SubmitFault::none)
            onBroken("the login request does not fit into a message");
        return;
    }
    state_ = State::established;
    Status status;
    status.state = m.state;
    status.classOfService = &cos_;
    tell(status);
}

// --- the login inside ------------------------------------------------------------------------------------------------

void ConsumerEnd::onLoginAnswer(const Msg& m) {
    Status status;
    status.state = m.state;
    status.login = &m;
    status.classOfService = &cos_;
    if (!m.state.isFinal()) {
        // A status of the login inside is passed on; only a refresh opens the tunnel.
        if (state_ == State::loggingIn) {
            if (m.cls != MsgClass::Refresh) return;
            stop();
            state_ = State::established;
        }
        return tell(status);
    }
    // A login that was refused closes the tunnel with a handshake, so that both ends agree (tunnel.md 6.1).
    stop();
    state_ = State::established;
    status.state.stream = StreamState::closed;
    status.state.data = DataState::suspect;
    tell(status);
    silence();
    if (!ended()) conversation_->close();
}

// --- open ------------------------------------------------------------------------------------------------------------

bool ConsumerEnd::onData(DataType type, Bytes data) {
    if (Msg login; cos_.authentication == Authentication::ommLogin && onLogin(type, data, loginStream_, login))
        onLoginAnswer(login);
    // Data before the tunnel is open are for nobody.
    else if (state_ == State::established && !silent()) user_.onData(*this, type, data);
    return !ended();
}

SubmitFault ConsumerEnd::submit(DataType type, Bytes data) {
    // Other messages wait for the login (tunnel.md 6.3).
    if (state_ == State::loggingIn) return SubmitFault::authentication;
    return open() ? conversation_->submit(type, data) : SubmitFault::notOpen;
}

// --- the end ---------------------------------------------------------------------------------------------------------

void ConsumerEnd::close(bool finalStatus) {
    // The application has let go of the tunnel and gets nothing more.
    if (!finalStatus) silence();
    switch (state_) {
    case State::idle:
        return endWith(StreamState::closedRecover, "The stream was closed.", false);
    case State::opening:
        return endWith(StreamState::closedRecover, "The stream was closed.", true);
    case State::loggingIn:
    case State::established:
        stop();
        return conversation_->close();
    case State::ended:
        return;
    }
}

void ConsumerEnd::onPeerCloses() {
    stop();
    tell(StreamState::open, DataState::suspect, "The provider closes the stream.");
}

void ConsumerEnd::onEnded() {
    endWith(StreamState::closedRecover, "The stream is closed.", true);
}

void ConsumerEnd::onBroken(std::string_view why) {
    ++setting_.counters.broken;
    endWith(StreamState::closedRecover, why, true);
}

void ConsumerEnd::onConnectionLost() {
    endWith(StreamState::closedRecover, "Channel closed.", false);
}

void ConsumerEnd::endWith(std::uint8_t stream, std::string_view text, bool close, std::uint8_t code) {
    if (state_ == State::ended) return;
    state_ = State::ended;
    stop();
    if (conversation_) conversation_->end();
    if (close) sendClose();
    tell(stream, DataState::suspect, text, code);
    finish();
}

void ConsumerEnd::sendClose() {
    Msg m;
    m.cls = MsgClass::Close;
    m.domain = identity_.domain;
    m.streamId = identity_.streamId;
    setting_.wire.write(m);
}

// --- time ------------------------------------------------------------------------------------------------------------

void ConsumerEnd::startTimer() {
    if (request_.responseTimeout.count() == 0) return;
    // The time runs from the request and anew from the login (tunnel.md 6.1).
    timer_ = setting_.reactor.startTimer(request_.responseTimeout, [this] { timedOut(); });
}

void ConsumerEnd::stop() {
    if (timer_ != 0) setting_.reactor.cancelTimer(std::exchange(timer_, 0));
}

void ConsumerEnd::timedOut() {
    timer_ = 0;
    ++setting_.counters.broken;
    endWith(StreamState::closedRecover,
            state_ == State::opening ? "Timed out waiting for provider response."
                                     : "Timed out waiting for provider authentication response.",
            true, kTimeoutCode);
}

}  // namespace emissary::reactor::tunnel

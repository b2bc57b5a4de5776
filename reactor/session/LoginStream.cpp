// Sends and renews the login, keeps the last refresh, and answers round-trip requests.
#include "session/LoginStream.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/core/printable.h"
#include "reactor/session/LoginOptions.h"
#include "reactor/session/session_types.h"

namespace emissary::reactor::session {

using namespace eta::codec;

namespace {

/// Every attribute that a reissue gives must equal that of the first request (rdm.md 2.6), except for the token.
bool sameAttributes(const rdm::LoginAttributes& given, const rdm::LoginAttributes& first) {
    const auto same = [](const auto& g, const auto& f) { return !g || g == f; };
    return same(given.applicationId, first.applicationId) && same(given.applicationName, first.applicationName) &&
           same(given.authorizationToken, first.authorizationToken) && same(given.position, first.position) &&
           same(given.password, first.password) && same(given.instanceId, first.instanceId) &&
           same(given.singleOpen, first.singleOpen) && same(given.allowSuspectData, first.allowSuspectData) &&
           same(given.permissionProfile, first.permissionProfile) &&
           same(given.permissionExpressions, first.permissionExpressions) &&
           same(given.supportDictionaryDownload, first.supportDictionaryDownload) && same(given.role, first.role) &&
           same(given.downloadConnectionConfig, first.downloadConnectionConfig) &&
           same(given.roundTripLatency, first.roundTripLatency) &&
           same(given.updateTypeFilter, first.updateTypeFilter) &&
           same(given.negativeUpdateTypeFilter, first.negativeUpdateTypeFilter);
}

}  // namespace

LoginStream::LoginStream(Reactor& reactor, Sender& sender, RequestTable& requests, ClientSink& sink,
                         const LoginOptions& options, std::chrono::milliseconds timeout)
    : calls_(reactor), sender_(sender), requests_(requests), sink_(sink), userName_(options.userName),
      userNameType_(options.userNameType), attributes_(options.attributes), enableRtt_(options.enableRtt),
      recoversFirst_(options.recoversFirst), timeout_(timeout), timer_(reactor) {
    MsgKey key;
    key.flags = KeyFlag::attrib;
    // Attributes that cannot be decoded ask for nothing special.
    key.attribType = DataType::ElementList;
    key.attrib = attributes_;
    if (!attributes_.empty() && !rdm::decodeLogin(key, wanted_).ok()) wanted_ = {};
}

LoginStream::~LoginStream() = default;

void LoginStream::send(std::uint16_t extraFlags) {
    Msg m;
    rdm::makeLoginRequest(m, userName_, userNameType_, attributes_, extraFlags);
    sender_.send(m);
}

void LoginStream::make(Msg& msg, const LoginOptions* account) const {
    const std::uint16_t flags = paused_ ? RequestFlag::pause : 0;
    if (account == nullptr) rdm::makeLoginRequest(msg, userName_, userNameType_, attributes_, flags);
    else rdm::makeLoginRequest(msg, account->userName, account->userNameType, account->attributes, flags);
}

void LoginStream::use(const LoginOptions* account) {
    if (account == nullptr) return;
    // From here on the login is the account's, and the application may not change it.
    ofAccount_ = true;
    set(*account);
}

void LoginStream::set(const LoginOptions& login) {
    userName_ = login.userName;
    userNameType_ = login.userNameType;
    if (attributes_ == login.attributes) return;
    attributes_ = login.attributes;
    wanted_ = {};
    MsgKey key;
    key.flags = KeyFlag::attrib;
    key.attribType = DataType::ElementList;
    key.attrib = attributes_;
    if (!attributes_.empty() && !rdm::decodeLogin(key, wanted_).ok()) wanted_ = {};
}

void LoginStream::renew(const LoginOptions& account) {
    use(&account);
    // The answer to the first login is still on its way; the new token goes out with it.
    if (!open_) renewDue_ = true;
    else send(static_cast<std::uint16_t>(RequestFlag::noRefresh | (paused_ ? RequestFlag::pause : 0)));
}

void LoginStream::request() {
    renewDue_ = false;
    send(paused_ ? RequestFlag::pause : 0);
    timer_.start(timeout_, [this] { timedOut(); });
}

/// No answer: ask again, and say so (session.md section 3).
void LoginStream::timedOut() {
    // Closed and asked again, as the reference does (session.md 3).
    sendClose();
    tell(StreamState::open, DataState::suspect, 2, "Login request timed out.");
    if (sender_.link() != nullptr) request();
}

void LoginStream::sendClose() {
    Msg m;
    m.cls = MsgClass::Close;
    m.domain = eta::codec::kLoginDomain;
    m.streamId = rdm::kLoginStreamId;
    sender_.send(m);
}

void LoginStream::connectionLost() noexcept {
    timer_.stop();
    open_ = false;
}

LoginStream::Outcome LoginStream::onMessage(Msg& msg) {
    switch (msg.cls) {
    case MsgClass::Refresh: {
        // Kept as the application sees it, which is not what the wire had (session.md 4.6).
        if (!store(msg)) return Outcome::undecodable;
        timer_.stop();
        if (msg.state.isFinal()) break;
        const bool first = !open_;
        open_ = everOpen_ = true;
        // The renewal waited for the answer: two logins at once would be answered in any order.
        if (std::exchange(renewDue_, false))
            send(static_cast<std::uint16_t>(RequestFlag::noRefresh | (paused_ ? RequestFlag::pause : 0)));
        if (first && std::exchange(sayUp_, false)) {
            tell(StreamState::open, DataState::ok, 0, "channel up");
            if (!open_) return Outcome::none;  // a callback shut everything down
        }
        if (!cached_.empty()) {
            Msg shown;
            if (decodeMsg(cached_, shown).ok()) fanOut(shown);
        }
        return first ? Outcome::accepted : Outcome::none;
    }
    case MsgClass::Status:
        if (!msg.hasState() || !msg.state.isFinal()) {
            fanOut(msg);
            return Outcome::none;
        }
        timer_.stop();
        break;
    case MsgClass::Generic:
        if (enableRtt_) answerRtt(msg);
        fanOut(msg);
        return Outcome::none;
    case MsgClass::Ack:
        fanOut(msg);
        return Outcome::none;
    default:
        return Outcome::none;
    }
    // The stream is closed. A login that worked before may come back; one that never did is refused, unless the options
    // say that it may.
    const bool recover = (everOpen_ || recoversFirst_) && msg.state.stream == StreamState::closedRecover;
    if (recover) {
        msg.state.stream = StreamState::open;
        msg.state.data = DataState::suspect;
    }
    fanOut(msg);
    if (recover) return Outcome::closedRecover;
    open_ = false;
    return everOpen_ ? Outcome::closed : Outcome::refused;
}

std::string LoginStream::describeEnd(Outcome outcome, const Msg& msg, const char* peer) {
    return std::string("login ") + (outcome == Outcome::refused ? "refused" : "closed") + " by the " + peer +
           ": stream state " + std::to_string(msg.state.stream) + ", status code " + std::to_string(msg.state.code) +
           ", '" + eta::printable(eta::asText(msg.state.text)) + "'";
}

/// Keeps the refresh as applications see it (session.md 4.6): some answers are this side's. False: undecodable.
bool LoginStream::store(const Msg& msg) {
    rdm::LoginAttributes said;
    if (!rdm::decodeLoginAnswer(msg.key, said).ok()) return false;
    provider_ = std::move(said);
    Msg shown = msg;
    eta::BeWriter& out = rewritten_.start();
    const Bytes attributes = msg.key.has(KeyFlag::attrib) ? msg.key.attrib : Bytes{};
    if (!rdm::rewriteLoginAttributes(out, attributes, singleOpen()).ok()) return false;
    shown.key.flags |= KeyFlag::attrib;
    shown.key.attribType = DataType::ElementList;
    shown.key.attrib = rewritten_.view();
    shown.flags |= RefreshFlag::msgKey;
    if (!encodeMsg(encoded_.start(), shown).ok()) return false;
    cached_.assign(encoded_.view().begin(), encoded_.view().end());
    return true;
}

/// A round-trip probe goes back at once, then to the application (rdm.md 2.5).
void LoginStream::answerRtt(const Msg& msg) {
    if (msg.containerType != DataType::ElementList) return;
    ElementListDecoder in;
    if (!in.start(msg.payload).ok()) return;
    ElementEntry entry;
    while (in.next(entry)) {
        std::uint64_t ticks = 0;
        if (eta::asText(entry.name) != "Ticks" || entry.type != DataType::UInt ||
            decodeUInt(entry.data, ticks) != Decoded::value)
            continue;
        ElementListEncoder list;
        eta::BeWriter& out = encoded_.start();
        list.begin(out);
        list.addUInt("Ticks", ticks);
        if (Link* link = sender_.link(); link != nullptr && link->channel() != nullptr)
            // The peer's own ticks go back, with our retransmissions beside them (rdm.md 2.5).
            list.addUInt("TcpRetrans", eta::transport::tcpRetransmits(*link->channel()));
        if (!list.complete().ok()) return;
        Msg answer;
        answer.cls = MsgClass::Generic;
        answer.domain = eta::codec::kLoginDomain;
        answer.streamId = rdm::kLoginStreamId;
        answer.flags = GenericFlag::complete;
        answer.containerType = DataType::ElementList;
        answer.payload = encoded_.view();
        sender_.answer(answer);
        return;
    }
}

Handle LoginStream::add(const Subscriber& subscriber) {
    Request& r = requests_.add(Request::Kind::login, subscriber);
    r.appStreamId = rdm::kLoginStreamId;
    clients_.push_back(r.handle());
    if (cached_.empty()) return r.handle();
    calls_.post([this, handle = r.handle()] {
        Request* to = requests_.find(handle);
        Msg shown;
        if (to == nullptr || to->refreshed || cached_.empty() || !decodeMsg(cached_, shown).ok()) return;
        to->refreshed = true;
        sink_.onMessage(shown, RequestTable::recipient(*to), {});
    });
    return r.handle();
}

void LoginStream::remove(Request& r) {
    std::erase(clients_, r.handle());
    requests_.release(r);
}

void LoginStream::fanOut(Msg& msg, std::string_view serviceName) {
    if (clients_.empty()) return;
    msg.streamId = rdm::kLoginStreamId;
    if (clients_.size() == 1) {
        Request* r = requests_.find(clients_.front());
        if (msg.cls == MsgClass::Refresh) r->refreshed = true;
        return sink_.onMessage(msg, RequestTable::recipient(*r), serviceName);
    }
    const std::vector<Handle> all = clients_;  // callbacks may come and go
    for (const Handle h : all) {
        Request* r = requests_.find(h);
        if (r == nullptr) continue;
        if (msg.cls == MsgClass::Refresh) r->refreshed = true;
        sink_.onMessage(msg, RequestTable::recipient(*r), serviceName);
    }
}

/// Borrows the text and this object.
Msg LoginStream::status(std::uint8_t stream, std::uint8_t data, std::uint8_t code, std::string_view text) const {
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = eta::codec::kLoginDomain;
    m.flags = StatusFlag::state | StatusFlag::msgKey;
    m.state = {stream, data, code, eta::asBytes(text)};
    m.key.flags = KeyFlag::nameType;
    m.key.nameType = userNameType_;
    if (userNameType_ == rdm::LoginNameType::authnToken) return m;  // its name says nothing (rdm.md 2.2)
    m.key.flags |= KeyFlag::name;
    m.key.name = eta::asBytes(userName_);
    return m;
}

void LoginStream::tell(std::uint8_t stream, std::uint8_t data, std::uint8_t code, std::string_view text) {
    Msg m = status(stream, data, code, text);
    fanOut(m);
}

void LoginStream::closeForGood(std::string_view text) {
    Msg m = status(StreamState::closed, DataState::suspect, 0, text);
    m.streamId = rdm::kLoginStreamId;
    if (encodeMsg(encoded_.start(), m).ok()) cached_.assign(encoded_.view().begin(), encoded_.view().end());
}

Refusal LoginStream::reissue(const RequestView& request) {
    using K = Refusal::Kind;
    const Msg& m = request.msg;
    if (!keepsDomain(m, eta::codec::kLoginDomain)) return {K::invalidData, "A reissue must not change the domain."};
    // A message that does not say keeps the name in use.
    const bool named = m.key.has(KeyFlag::name);
    const std::uint8_t nameType = m.key.has(KeyFlag::nameType) ? m.key.nameType
                                  : named                      ? rdm::LoginNameType::userName
                                                               : userNameType_;
    const bool token = nameType == rdm::LoginNameType::userToken || nameType == rdm::LoginNameType::authnToken;
    if (!ofAccount_ && nameType != userNameType_)
        return {K::invalidData, "A login reissue must not change the name type."};
    if (!ofAccount_ && !token && named && eta::asText(m.key.name) != userName_)
        return {K::invalidData, "A login reissue must not change the user name."};
    rdm::LoginAttributes given;
    if (!rdm::decodeLogin(m.key, given).ok())
        return {K::invalidData, "The attributes of the login reissue are not a valid element list."};
    if (!sameAttributes(given, wanted_))
        // Attributes may not change after the first request, except for the token (rdm.md 2.6).
        return {K::invalidData, "A login reissue must not change the attributes of the first request."};
    if (!open_) return {K::invalidUsage, "The login stream is not open."};
    if (token && !ofAccount_)
        if (Refusal refusal = take(named ? eta::asText(m.key.name) : std::string_view{}, given)) return refusal;
    paused_ = m.has(RequestFlag::pause);
    send(static_cast<std::uint16_t>(m.flags & (RequestFlag::pause | RequestFlag::noRefresh)));
    return {};
}

/// The token of a reissue, from here on.
Refusal LoginStream::take(std::string_view name, const rdm::LoginAttributes& given) {
    LoginOptions login{userName_, userNameType_, attributes_, enableRtt_};
    const bool element = userNameType_ == rdm::LoginNameType::authnToken && given.authenticationToken;
    if (given.authenticationExtended || given.authenticationToken) {
        if (given.authenticationToken) wanted_.authenticationToken = given.authenticationToken;
        if (given.authenticationExtended) wanted_.authenticationExtended = given.authenticationExtended;
        if (rdm::encodeLogin(encoded_.start(), wanted_).ok())
            login.attributes.assign(encoded_.view().begin(), encoded_.view().end());
    }
    if (element) {
        if (!useToken(login, *given.authenticationToken))
            return {Refusal::Kind::invalidData, "The token of the login reissue is too long."};
    } else if (!name.empty()) {
        login.userName.assign(name);
        if (!settleToken(login)) return {Refusal::Kind::invalidData, "The token of the login reissue is too long."};
    }
    set(login);
    return {};
}

}  // namespace emissary::reactor::session

// Reads login requests, asks for a verdict, and accepts or refuses when it has come.
#include "hub/client/Logins.h"

#include "eta/codec/containers.h"
#include "eta/core/printable.h"
#include "hub/client/Listener.h"
#include "hub/client/Pace.h"
#include "hub/client/cert_user.h"
#include "hub/client/login_messages.h"
#include "reactor/rdm/login_user.h"

namespace emissary::hub::client {

using namespace eta::codec;
using reactor::rdm::LoginAttributes;
namespace NameType = reactor::rdm::LoginNameType;

namespace {

constexpr std::byte kDefaultGroup[2]{};

/// Why the attributes of a login are not taken; empty: they are no element list at all.
[[nodiscard]] std::string unreadable(std::string_view element) {
    if (element.empty()) return {};
    return "The login element '" + std::string(element) + "' cannot be read.";
}

/// The mode that a ConsumerConnectionStatus says; nothing when it says none, or the payload is no such map.
// A map without the entry, or with another mode than 0 and 1, changes nothing: the caller keeps the mode that it has.
[[nodiscard]] std::optional<std::uint64_t> standbyMode(const Msg& m) noexcept {
    MapDecoder map;
    if (m.containerType != DataType::Map || !map.start(m.payload).ok() || map.entryType() != DataType::ElementList)
        return {};
    std::optional<std::uint64_t> mode;
    MapEntry entry;
    while (map.next(entry)) {
        if (eta::asText(entry.key) != "WarmStandbyInfo" || entry.action == MapAction::del) continue;
        ElementListDecoder list;
        if (!list.start(entry.data).ok()) return {};
        ElementEntry e;
        while (list.next(e)) {
            std::uint64_t v = 0;
            if (eta::asText(e.name) == "WarmStandbyMode" && e.type == DataType::UInt &&
                decodeUInt(e.data, v) == Decoded::value && v <= 1)
                mode = v;
        }
        if (!list.error().ok()) return {};
    }
    return map.error().ok() ? mode : std::nullopt;
}

[[nodiscard]] bool isToken(const MsgKey& key) noexcept {
    return key.has(KeyFlag::nameType) && (key.nameType == NameType::userToken || key.nameType == NameType::authnToken);
}

}  // namespace

Logins::Logins(Context& context, LoginCheck& check, Pace& pace)
    : context_(context), check_(check), pace_(pace),
      places_(context, {[this](Client& client, const LoginVerdict& verdict) { decide(client, verdict); },
                        [this](Client& client) { refuseForTheOthers(client); },
                        [this](Client& client, const std::string& why) {
                            context_.log(nameOf(client) + " gives way: " + why);
                            close(client, LoginResult::tooManyLogins, EndReason::silent, why);
                        }}) {}

Logins::~Logins() {
    while (!waiting_.empty())
        forgetTicket(ClientSession::of(*waiting_.begin()->second));
}

// The handle is noted before the checks, because a refusal is answered on this stream too.
void Logins::onRequest(Client& client, std::uint64_t handle, const Msg& request) {
    ClientSession& session = ClientSession::of(client);
    session.login = handle;
    client.loginStream = request.streamId;
    LoginAttributes attributes;
    std::string_view faulty;
    if (!reactor::rdm::decodeLogin(request.key, attributes, &faulty).ok())
        return refuse(client, request, LoginResult::malformed, unreadable(faulty));
    // A provider on a port for consumers alone; on a port for any role the role has taken it away before
    // (onProviderLogin).
    if (attributes.isProvider()) return refuse(client, request, LoginResult::wrongRole);
    if (context_.draining) return refuse(client, request, LoginResult::draining);
    check(client, request, attributes);
}

void Logins::onReissue(Client& client, const Msg& request) {
    ClientSession& session = ClientSession::of(client);
    // Pause is applied even when the rest of the reissue is refused below: it needs no check.
    if (const bool pause = request.has(RequestFlag::pause); pause != client.paused) {
        client.paused = pause;
        if (pause) pace_.flowChanged(client);
        else pace_.resumeAll(client);
    }
    LoginAttributes attributes;
    std::string_view faulty;
    if (!reactor::rdm::decodeLogin(request.key, attributes, &faulty).ok())
        return refuse(client, request, LoginResult::malformed, unreadable(faulty));
    // A login that is refused may be tried again on the same stream, which the role then reports as a reissue.
    if (isToken(request.key) || !client.loggedIn) return check(client, request, attributes);
    Msg first;
    const bool known = decodeMsg(session.request, first).ok();
    // A login with an end is renewed by the password, as one by token is by the next token. Without a password the
    // reissue only pauses or resumes, and would be refused.
    if (session.endTimer != 0 && attributes.password && known && !isToken(first.key))
        return check(client, request, attributes);
    if (request.has(RequestFlag::noRefresh)) return;
    // What a login says of itself stays as it was, but for token and password (rdm.md 2.6).
    if (known && reactor::rdm::decodeLogin(first.key, attributes).ok()) (void)answer(client, first, attributes);
}

void Logins::check(Client& client, const Msg& request, const LoginAttributes& attributes) {
    ClientSession& session = ClientSession::of(client);
    // One question at a time for each client: a reissue with another token makes the answer to the first one worthless,
    // and its ticket is not known any more.
    forgetTicket(session);
    // A copy, because the verdict may come in a later turn.
    session.request.assign(request.raw.begin(), request.raw.end());
    LoginAsk ask = askOf(request.key, attributes);
    ask.address = session.channel.peerAddress;
    addCertificate(session.channel, ask);
    if (const auto wrong = takeCertUser(session.listener->certUser(), session.channel, ask.user))
        return refuse(client, request, LoginResult::certificate, {}, *wrong);
    // The role lets it through for the sake of the certificate, which names nobody.
    if (ask.user.empty() && ask.token.empty() && !request.key.has(KeyFlag::name) &&
        ask.nameType != NameType::authnToken)
        return refuse(client, request, LoginResult::malformed, "login request without a user name");
    ask.again = client.loggedIn;
    if (ask.again) ask.as = client.user;
    const std::uint64_t ticket = check_.nextTicket();
    const std::optional<LoginVerdict> verdict = check_.check(ask, ticket, *this);
    if (verdict) return decide(client, *verdict);
    waiting_.emplace(ticket, &client);
    session.ticket = ticket;
    // 0: the check may take as long as it likes.
    if (context_.options.loginCheckTimeout.count() == 0) return;
    session.checkTimer = context_.rooms.reactor.startTimer(context_.options.loginCheckTimeout, [this, ticket] {
        // Cancelled first: a verdict that comes while the client is refused would find no client.
        check_.cancel(ticket);
        LoginVerdict none;
        none.kind = LoginVerdict::Kind::noAnswer;
        onVerdict(ticket, none);
    });
}

void Logins::onVerdict(std::uint64_t ticket, const LoginVerdict& verdict) {
    const auto at = waiting_.find(ticket);
    // The login has gone, or has asked again with another token.
    if (at == waiting_.end()) return;
    Client& client = *at->second;
    ClientSession& session = ClientSession::of(client);
    waiting_.erase(at);
    session.ticket = 0;
    context_.rooms.reactor.cancelTimer(std::exchange(session.checkTimer, 0));
    decide(client, verdict);
}

void Logins::decide(Client& client, const LoginVerdict& verdict) {
    Msg request;
    LoginAttributes attributes;
    std::string_view faulty;
    ClientSession& session = ClientSession::of(client);
    // The verdict may come long after the request: the attributes are decoded again, since they point into a message
    // that is gone, and draining may have begun.
    const std::vector<std::byte> bytes = session.request;  // a client that is refused takes its own along
    if (!decodeMsg(bytes, request).ok() || !reactor::rdm::decodeLogin(request.key, attributes, &faulty).ok())
        return refuse(client, request, LoginResult::malformed, unreadable(faulty));
    if (context_.draining) return refuse(client, request, LoginResult::draining);
    if (verdict.kind != LoginVerdict::Kind::accepted)
        return refuse(client, request, resultOf(verdict.kind), verdict.text, verdict.reason);
    accept(client, request, attributes, verdict);
}

void Logins::accept(Client& client, const Msg& request, const LoginAttributes& attributes,
                    const LoginVerdict& verdict) {
    ClientSession& session = ClientSession::of(client);
    const LoginAsk ask = askOf(request.key, attributes);
    std::string user = !verdict.user.empty() ? verdict.user : ask.user;
    // A token, or the program that was asked, may name another user than the request did.
    if (const auto wrong = takeCertUser(session.listener->certUser(), session.channel, user))
        return refuse(client, request, LoginResult::certificate, {}, *wrong);
    // A login that is renewed may not turn a connection with open items into another user's: those were granted to the
    // first one. Whoever is not named is not the first one either.
    if (client.loggedIn && user != client.user) return refuse(client, request, LoginResult::anotherUser);
    const std::uint32_t most = verdict.maxLogins.value_or(context_.options.maxLoginsPerUser);
    // The limit is counted per user, so a login by token is limited only when its verdict names the user (hub.md 11.1).
    if (!client.loggedIn && most != 0 && !user.empty() && context_.users.logins(user) >= most) {
        if (places_.wait(client, user, verdict)) return;
        return refuse(client, request, LoginResult::tooManyLogins);
    }
    ++context_.counts.logins[LoginResult::accepted].logins;
    endAfter(client, verdict.lasts);
    client.maxMounts = verdict.maxMounts;
    // A renewed token moves the end, so the old timer goes whatever happens next.
    if (client.groups != verdict.groups) {
        client.groups = verdict.groups;
        // Only streams that are open can be affected; a first login has none.
        if (client.loggedIn) {
            classify(client);
            context_.rightsChanged();
        }
    }
    if (client.loggedIn) context_.audit(AuditEvent::Kind::loginRenewed, client, [](AuditEvent&) {});
    if (client.loggedIn && request.has(RequestFlag::noRefresh)) return;
    // What a login says of itself is fixed with the first acceptance (rdm.md 2.6).
    if (!client.loggedIn) {
        client.user = user;
        client.userClass = userClassOf(context_.options.userClasses, user, client.groups);
        client.position = ask.position;
        client.application = ask.applicationName.empty() ? ask.applicationId : ask.applicationName;
        client.singleOpen = attributes.wantsSingleOpen();
        client.allowSuspectData = attributes.allowsSuspectData();
        client.updateTypes = updateTypesOf(attributes);
        client.paused = request.has(RequestFlag::pause);
        session.answersProbes = attributes.announcesRtt();
    }
    // The answer leaves before the client counts as logged in: an update may not come ahead of it.
    if (!answer(client, request, attributes)) return;
    if (std::exchange(client.loggedIn, true)) return;
    // Added once, so that renewing a token does not take a second place of the user.
    context_.users.add(client);
    context_.rooms.out.loggedIn(client);
    context_.audit(AuditEvent::Kind::login, client, [](AuditEvent&) {});
    const std::string &page = session.channel.origin, &proxy = session.channel.proxyAddress;
    context_.note(nameOf(client) + " logged in from " + session.channel.peerAddress +
                  (proxy.empty() ? "" : " through the proxy " + proxy) +
                  (client.certSubject.empty() ? "" : " with certificate [" + client.certSubject + "]") +
                  (client.json ? " (JSON" : "") + (page.empty() ? "" : ", a page of " + page) +
                  (client.json ? ")" : ""));
}

void Logins::classify(Client& client) {
    const std::uint8_t now = userClassOf(context_.options.userClasses, client.user, client.groups);
    if (now != client.userClass) context_.rooms.out.classify(client, now);
}

bool Logins::answer(Client& client, const Msg& request, const LoginAttributes& attributes) {
    ClientSession& session = ClientSession::of(client);
    const std::string text = "Login accepted by host " + context_.options.hostName + ".";
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = kLoginDomain;
    m.flags = RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::msgKey;
    m.state = {StreamState::open, DataState::ok, 0, eta::asBytes(text)};
    m.groupId = kDefaultGroup;
    m.key = answerKey(request.key);
    eta::Error e = encodeLoginAnswer(attributes_.start(), attributes, context_.options);
    m.key.flags |= KeyFlag::attrib;
    m.key.attribType = DataType::ElementList;
    m.key.attrib = attributes_.view();
    // WebSocket clients read the limits of the connection from here: JSON has no handshake of its own that carries them
    // (hub.md 2.1).
    if (e.ok() && client.json) {
        e = encodeChannelLimits(payload_.start(), session.channel, session.listener->maxMessageBytes());
        m.containerType = DataType::ElementList;
        m.payload = payload_.view();
    }
    if (e.ok() && session.listener->connections().answer(client, session.login, m)) return true;
    session.listener->end(client, EndReason::fault, "the login cannot be answered");
    return false;
}

void Logins::refuse(Client& client, const Msg& request, LoginResult result, const std::string& text,
                    const std::string& reason) {
    ++context_.counts.logins[result].logins;
    // The client gets `text`, the log and the audit get `reason`: what exactly was wrong with a password is not for the
    // peer.
    const std::string why = text.empty() ? refusalOf(result).text : text;
    // The name of a login by token is the token itself, so it must not reach a log.
    const bool named = request.key.has(KeyFlag::name) && !reactor::rdm::isSecretName(request.key);
    const std::string user(named ? eta::printable(eta::asText(request.key.name)) : std::string());
    context_.log((user.empty() ? std::string("login with a token") : "login of '" + user + "'") + " from " +
                 ClientSession::of(client).channel.peerAddress + " refused: " + (reason.empty() ? why : reason));
    LoginAttributes attributes;
    context_.audit(AuditEvent::Kind::loginRefused, client, [&](AuditEvent& e) {
        if (named) e.user = eta::asText(request.key.name);
        if (reactor::rdm::decodeLogin(request.key, attributes).ok() && attributes.position)
            e.position = *attributes.position;
        e.code = kLoginResultNames[static_cast<std::size_t>(result)];
        e.text = reason.empty() ? why : reason;
        e.parameter = parameterOf(result);
    });
    close(client, result, result == LoginResult::draining ? EndReason::drained : EndReason::loginRefused, why);
}

void Logins::refuseForTheOthers(Client& client) {
    const std::vector<std::byte> bytes = ClientSession::of(client).request;
    Msg request;
    (void)decodeMsg(bytes, request);  // it was decoded before
    refuse(client, request, LoginResult::tooManyLogins);
}

void Logins::close(Client& client, LoginResult result, EndReason end, const std::string& why) {
    const LoginRefusal refusal = refusalOf(result);
    Ending ending = endingOf(end, why);
    ending.says.stream = refusal.stream;
    ending.says.data = refusal.data;
    ending.says.code = refusal.code;
    // 1011 makes a browser client try again; the other refusals would be the same next time (hub.md 8.4).
    if (result == LoginResult::noAnswer) ending.says.closeCode = reactor::close_code::internal;  // it may try again
    ClientSession::of(client).listener->endNow(client, ending);
}

void Logins::end(Client& client) {
    const LoginResult why = LoginResult::draining;
    close(client, why, EndReason::drained, refusalOf(why).text);
}

void Logins::endAfter(Client& client, const std::optional<std::chrono::seconds>& time) {
    reactor::Reactor& reactor = context_.rooms.reactor;
    reactor::TimerId& timer = ClientSession::of(client).endTimer;
    reactor.cancelTimer(std::exchange(timer, 0));
    // Longer than a year means never, and keeps the arithmetic of timers far from its end.
    if (!time || *time > kLongestLogin) return;
    timer = reactor.startTimer(std::max(*time, std::chrono::seconds(0)), [this, &client] {  // forget() ends the timer
        ClientSession& session = ClientSession::of(client);
        session.endTimer = 0;
        Msg request;
        const bool token = decodeMsg(session.request, request).ok() && isToken(request.key);
        context_.log(nameOf(client) + (token ? " has not renewed its token" : " has not renewed its login"));
        close(client, LoginResult::notEntitled, EndReason::expired,
              token ? "The token has expired." : "The login has expired.");
    });
}

void Logins::forget(Client& client) noexcept {
    ClientSession& session = ClientSession::of(client);
    // Every timer and ticket holds a reference to this client, so all of them end here, before its record can go.
    context_.rooms.reactor.cancelTimer(std::exchange(session.endTimer, 0));
    forgetTicket(session);
    places_.forget(client);
    session.login = 0;
    session.answersProbes = false;
    session.probe = session.lastLatency = 0;
    // The user's place is free at once, although the connection may stay for a moment (hub.md 8.4).
    if (client.loggedIn) context_.users.remove(client);
    client.loggedIn = client.paused = client.onStandby = false;
    client.loginStream = 0;
}

void Logins::forgetTicket(ClientSession& session) noexcept {
    if (session.ticket == 0) return;
    check_.cancel(session.ticket);
    waiting_.erase(session.ticket);
    session.ticket = 0;
    context_.rooms.reactor.cancelTimer(std::exchange(session.checkTimer, 0));
}

bool Logins::onGeneric(Client& client, const Msg& m) {
    if (!m.hasKey() || !m.key.has(KeyFlag::name) || eta::asText(m.key.name) != "ConsumerConnectionStatus") return false;
    const std::optional<std::uint64_t> mode = standbyMode(m);
    if (!mode) {
        ++context_.counts.of.ignored;
        return true;
    }
    // A standby keeps its streams open and gets no updates until the mode changes (hub.md 2.2).
    const bool standby = *mode == 1;
    if (standby == client.onStandby) return true;
    client.onStandby = standby;
    if (standby) pace_.flowChanged(client);
    else pace_.active(client);
    return true;
}

}  // namespace emissary::hub::client

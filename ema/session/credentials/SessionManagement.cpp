// ema/session/credentials: assigns tokens and accounts to channels, asks for credentials, and passes new tokens on.
#include "session/credentials/SessionManagement.h"

#include "Access/Include/IOCtlReactorCode.h"
#include "Access/Include/LoginMsgCredentialRenewal.h"
#include "Access/Include/OAuth2CredentialRenewal.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmLoginCredentialConsumerClient.h"
#include "Access/Include/OmmOAuth2ConsumerClient.h"
#include "config/ema_text.h"
#include "domain/login_request.h"
#include "errors/raise.h"
#include "reactor/metrics/Snapshot.h"
#include "settings/ConsumerConfigImpl.h"

#include <algorithm>

namespace emissary::ema {

using Code = refinitiv::ema::access::OmmInvalidUsageException;
using reactor::session::ChannelAccount;
using reactor::session::LoginOptions;

namespace {

constexpr const char* kComponent = "session management: ";

/// The channel list of a credential may have names of channels and of session channels (credentials.md 7).
[[nodiscard]] bool names(const std::vector<std::string>& list, const std::string& channel, const std::string& session) {
    return std::find(list.begin(), list.end(), channel) != list.end() ||
           (!session.empty() && std::find(list.begin(), list.end(), session) != list.end());
}

[[nodiscard]] RestLog::Options logOptions(const SessionManagementSettings& s, const GivenCredentials& given) {
    return {s.logToFile, s.logToCallback, s.verboseLog, s.logFile, given.restLogging, given.restLoggingClosure};
}

/// What username(), password(), clientId() ... of the configuration say together.
[[nodiscard]] std::optional<OAuthSource> baseOf(const ConsumerConfigImpl& given,
                                                const SessionManagementSettings& settings,
                                                const SessionManagement::Asked& asked) {
    const GivenCredentials& c = given.credentials;
    const std::string user = given.calls.userName.value_or("");
    if (user.empty() && c.clientId.empty()) return std::nullopt;
    OAuthSource base;
    base.credential.userName = user;
    base.credential.clientId = c.clientId;
    base.credential.audience = c.audience;
    base.credential.scope = settings.scope;
    base.credential.takeExclusiveSignOnControl = settings.takeExclusiveSignOnControl;
    if (given.calls.password) base.credential.password = rest::Secret(*given.calls.password);
    base.credential.clientSecret = c.clientSecret;
    base.credential.clientJwk = c.clientJwk;
    base.client = asked.client;
    base.closure = asked.closure;
    return base;
}

/// A credential without a list is for all channels that no other one names. There may be one such, which the empty name
/// stands for here.
template <class Source>
void requireOneForAChannel(const std::vector<Source>& sources, const char* call) {
    std::vector<std::string> seen;
    for (const Source& s : sources) {
        const std::vector<std::string> rest = s.channels.empty() ? std::vector<std::string>{""} : s.channels;
        for (const std::string& name : rest) {
            if (std::find(seen.begin(), seen.end(), name) != seen.end())
                throwInvalidUsage(std::string("OmmConsumerConfig::") + call + "(): two credentials are for " +
                                      (name.empty() ? "all channels that no other one names" : "the channel " + name) +
                                      "; give each channel one.",
                                  Code::InvalidArgumentEnum);
            seen.push_back(name);
        }
    }
}

}  // namespace

SessionManagement::SessionManagement(reactor::Reactor& loop, const ConsumerSettings& settings,
                                     const ConsumerConfigImpl& given, const Asked& asked, ManagedSession& session)
    : loop_(loop), settings_(settings), session_(session),
      log_(logOptions(settings.sessionManagement, given.credentials)),
      calls_(loop, {.threadName = "ema-rest", .library = settings.sessionManagement.library},
             [this](const std::string& entry) { trace(entry); }),
      discoveryUrl_(settings.sessionManagement.discoveryUrl), base_(baseOf(given, settings.sessionManagement, asked)),
      logins_(given.credentials.logins) {
    requireOneForAChannel(given.credentials.oauth, "addOAuth2Credential");
    requireOneForAChannel(logins_, "addLoginMsgCredential");
    for (const OAuthSource& source : given.credentials.oauth) {
        // In place of what username(), password(), clientId() ... said together.
        if (source.channels.empty()) base_ = source;
        else named_.push_back(source);
    }
}

SessionManagement::~SessionManagement() {
    // Connections share the accounts and may hold them longer; from here on those call nobody back.
    for (const auto& channel : channels_)
        channel->shutdown();
    for (const auto& account : loginAccounts_)
        account->shutdown();
}

// --- accounts --------------------------------------------------------------------------------------------------------

/// Null for a channel that needs no token and has no login of its own: it uses the one that the consumer's channels
/// share.
std::shared_ptr<ChannelAccount> SessionManagement::accountOf(const ChannelSettings& channel,
                                                             const std::string& sessionChannel,
                                                             const LoginOptions& login) {
    const bool first = !std::exchange(firstSeen_, true);
    LoginOptions own = login;
    const LoginSource* source = nullptr;
    for (const LoginSource& each : logins_)
        // A login for this channel wins over the one for all others, whichever was added first.
        if (names(each.channels, channel.name, sessionChannel) || (source == nullptr && each.channels.empty()))
            source = &each;
    if (source != nullptr)
        own = makeLoginRequest(settings_.login, source->request.get(), LoginRole::consumer, settings_.enableRtt);
    if (channel.sessionManagement) {
        auto account = managed(channel, sessionChannel, std::move(own));
        // Only the first channel is tried while the constructor waits; later ones count as failed attempts (6.4).
        if (first) first_ = account;
        return account;
    }
    if (source == nullptr) return nullptr;
    loginAccounts_.push_back(std::make_shared<LoginAccount>(loop_, std::move(own), *source, channel.name,
                                                            [this](LoginAccount& a) { askForLogin(a); }));
    return loginAccounts_.back();
}

std::shared_ptr<ManagedChannel> SessionManagement::managed(const ChannelSettings& channel,
                                                           const std::string& sessionChannel, LoginOptions login) {
    const OAuthSource* source = base_ ? &*base_ : nullptr;
    for (const OAuthSource& each : named_)
        if (names(each.channels, channel.name, sessionChannel)) source = &each;
    if (source == nullptr)
        throwInvalidUsage("The channel " + channel.name +
                              " has EnableSessionManagement, and no credentials are given for it; use username() and "
                              "password(), or clientId() and clientSecret() or clientJWK(), or addOAuth2Credential().",
                          Code::InvalidArgumentEnum);
    // The password is for the token service; the server gets the token (1).
    if (!changeLogin(login, [](reactor::rdm::LoginAttributes& a) {
            a.password.reset();
            a.authenticationToken.reset();
            a.authenticationExtended.reset();
        }))
        throwInvalidUsage("The attributes of the login request are not a valid element list.",
                          Code::InvalidArgumentEnum);
    // Consumers without session management have no counts of REST calls.
    if (!metrics_) metrics_.emplace(loop_, [this](reactor::metrics::Snapshot& into) { into.add(calls_.counters()); });
    const rest::HttpRoute where = routeOf(channel);
    const ManagedChannel::Parts parts{calls_, *this, settings_.sessionManagement, discoveryUrl_, discoveryEnd_};
    channels_.push_back(std::make_shared<ManagedChannel>(parts, channel, keeperFor(*source, channel.name, where),
                                                         std::move(login), where));
    return channels_.back();
}

/// V1: one for a user; V2: one for a channel (6).
std::shared_ptr<TokenKeeper> SessionManagement::keeperFor(const OAuthSource& source, const std::string& channel,
                                                          const rest::HttpRoute& where) {
    OAuthSource own = source;
    rest::Credential& c = own.credential;
    // V1 without a client id: EMA uses the user name (2).
    if (c.byPassword() && c.clientId.empty()) c.clientId = c.userName;
    for (const auto& keeper : keepers_) {
        if (!c.byPassword() || keeper->source().credential.userName != c.userName) continue;
        if (keeper->sameCredential(c)) return keeper;
        throwInvalidUsage("The user " + c.userName +
                              " is given with two client ids, client secrets or passwords; one user has one token.",
                          Code::InvalidArgumentEnum);
    }
    keepers_.push_back(std::make_shared<TokenKeeper>(loop_, calls_, static_cast<TokenOwner&>(*this),
                                                     settings_.sessionManagement, std::move(own), where, channel));
    return keepers_.back();
}

rest::HttpRoute SessionManagement::routeOf(const ChannelSettings& channel) const {
    const SessionManagementSettings& s = settings_.sessionManagement;
    rest::HttpRoute where;
    where.interfaceName = channel.connect.interfaceName;
    where.caStore = channel.connect.tls.caStore;
    // Host and port come from one place, as do user and domain below: a mixture would describe no proxy at all.
    if (!s.proxyHost.empty()) {
        where.proxyHost = s.proxyHost;
        where.proxyPort = s.proxyPort;
    } else {
        where.proxyHost = channel.connect.proxy.host;
        where.proxyPort = channel.connect.proxy.port;
    }
    const bool own = !s.proxyUser.empty();
    where.proxyUser = own ? s.proxyUser : channel.connect.proxy.user;
    where.proxyDomain = own ? s.proxyDomain : channel.connect.proxy.domain;
    where.proxyPassword = own ? s.proxyPassword : rest::Secret(channel.connect.proxy.password);
    return where;
}

std::string SessionManagement::failure() const {
    // With session channels a start goes on without one that fails: it is over when the first is ready (ema-config.md
    // 8).
    return first_ && settings_.sessions.empty() ? first_->firstFailure() : std::string();
}

// --- tokens ----------------------------------------------------------------------------------------------------------

void SessionManagement::onNewToken(TokenKeeper& keeper) {
    for (const auto& channel : channels_) {
        if (channel->keeper() != &keeper) continue;
        if (channel->takeToken()) session_.renewLogin(*channel);
    }
}

void SessionManagement::askForCredential(TokenKeeper& keeper) {
    const OAuthSource& source = keeper.source();
    // renew() supplies this keeper, and only while its callback runs (7).
    asked_ = &keeper;
    session_.callAbout(keeper.channel(), source.closure,
                       [&](const auto& event) { source.client->onCredentialRenewal(event); });
    asked_ = nullptr;
}

void SessionManagement::askForLogin(LoginAccount& account) {
    const LoginSource& source = account.source();
    askedLogin_ = &account;
    session_.callAbout(account.channel(), source.closure,
                       [&](const auto& event) { source.client->onLoginCredentialRenewal(event); });
    askedLogin_ = nullptr;
}

void SessionManagement::tokenWarning(const std::string& text) {
    session_.logSession(LogSeverity::warning, kComponent + text);
}
void SessionManagement::tokenError(const std::string& text) {
    session_.logSession(LogSeverity::error, kComponent + text);
}

// --- the REST log ----------------------------------------------------------------------------------------------------

void SessionManagement::trace(const std::string& entry) {
    if (!log_.write(entry))
        session_.logSession(LogSeverity::error,
                            "the REST log cannot be written to '" + log_.fileName() + "'; it is not tried again");
    auto* const client = log_.client();
    if (client == nullptr) return;
    const auto event = RestLogging::event(entry, log_.closure());
    session_.runCallback([&] { client->onRestLoggingEvent(event); });
}

void SessionManagement::modifyIOCtl(refinitiv::ema::access::Int32 code, refinitiv::ema::access::Int32 value) {
    using Option = refinitiv::ema::access::IOCtlReactorCode;
    const std::string call = "modifyReactorIOCtl(" + std::to_string(code) + ", " + std::to_string(value) + ")";
    if (value != 0 && value != 1) throwInvalidUsage(call + ": the value must be 0 or 1.", Code::InvalidArgumentEnum);
    if (code == Option::EnableRestLoggingEnum) return log_.toFile(value != 0);
    if (code == Option::EnableRestCallbackLoggingEnum) return log_.toCallback(value != 0);
    throwInvalidUsage(call + ": the code is not one of IOCtlReactorCode.", Code::InvalidArgumentEnum);
}

// --- credentials that the application supplies -----------------------------------------------------------------------

void SessionManagement::renew(refinitiv::ema::access::OAuth2CredentialRenewal& renewal) {
    if (asked_ == nullptr)
        throwInvalidUsage("Cannot call OmmConsumer::renewOAuth2Credentials outside of an OmmOAuth2ConsumerClient "
                          "callback.",
                          Code::InvalidOperationEnum);
    const auto secret = [](const refinitiv::ema::access::EmaString& s) {
        return rest::Secret({s.c_str(), s.length()});
    };
    rest::Credential next = asked_->source().credential;
    // What the application leaves out stays as configured, except secrets, which have to be given each time (7).
    next.forgetSecrets();
    const std::string user = toText(renewal.getUserName()), client = toText(renewal.getClientId());
    if (!user.empty() && user != next.userName)
        throwInvalidUsage("OmmConsumer::renewOAuth2Credentials(): the user name must stay " + next.userName + ".",
                          Code::InvalidArgumentEnum);
    if (!client.empty()) next.clientId = client;
    if (const std::string audience = toText(renewal.getAudience()); !audience.empty()) next.audience = audience;
    // A renewal object begins with the default scope, which must not replace a configured one.
    if (const std::string scope = toText(renewal.getTokenScope()); !scope.empty() && scope != rest::kDefaultScope)
        next.scope = scope;
    next.takeExclusiveSignOnControl = renewal.getTakeExclusiveSignOnControl();
    next.password = secret(renewal.getPassword());
    next.newPassword = secret(renewal.getNewPassword());
    next.clientSecret = secret(renewal.getClientSecret());
    next.clientJwk = secret(renewal.getClientJWK());
    if (!next.complete())
        throwInvalidUsage(std::string("OmmConsumer::renewOAuth2Credentials(): ") +
                              (next.byPassword() ? "the password" : "the client secret or JWK") + " is missing.",
                          Code::InvalidArgumentEnum);
    asked_->supply(std::move(next));
}

void SessionManagement::renew(refinitiv::ema::access::LoginMsgCredentialRenewal& renewal) {
    if (askedLogin_ == nullptr)
        throwInvalidUsage("Cannot call OmmConsumer::renewLoginCredentials outside of an "
                          "OmmLoginCredentialConsumerClient callback.",
                          Code::InvalidOperationEnum);
    const auto& extended = renewal.getAuthenticationExtended();
    const std::string_view bytes =
        extended.length() == 0 ? std::string_view() : std::string_view(extended.c_buf(), extended.length());
    if (!askedLogin_->supply(toText(renewal.getUserName()), bytes))
        throwInvalidUsage("OmmConsumer::renewLoginCredentials(): the attributes of the login cannot be encoded.",
                          Code::InvalidArgumentEnum);
}

}  // namespace emissary::ema

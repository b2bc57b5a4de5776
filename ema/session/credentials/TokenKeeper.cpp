// Requests a token, plans its renewal, tries again after failures, and tells the channels that wait.
#include "session/credentials/TokenKeeper.h"

#include "eta/core/Clock.h"

#include <utility>

namespace emissary::ema {

using rest::Grant;

TokenKeeper::TokenKeeper(reactor::Reactor& loop, RestCalls& calls, TokenOwner& owner,
                         const SessionManagementSettings& settings, OAuthSource source, rest::HttpRoute where,
                         std::string channel)
    : loop_(loop), calls_(calls), owner_(owner), settings_(settings), source_(std::move(source)),
      where_(std::move(where)), channel_(std::move(channel)),
      url_(source_.credential.byPassword() ? settings.tokenUrlV1 : settings.tokenUrlV2),
      self_(std::make_shared<TokenKeeper*>(this)) {}

TokenKeeper::~TokenKeeper() {
    *self_ = nullptr;
    loop_.cancelTimer(timer_);
}

bool TokenKeeper::sameCredential(const rest::Credential& other) const noexcept {
    const rest::Credential& own = source_.credential;
    return own.clientId == other.clientId && own.clientSecret == other.clientSecret && own.password == other.password;
}

/// A V2 token is trusted for its assumed life only.
bool TokenKeeper::usable() const noexcept {
    if (token_.access.empty()) return false;
    const auto life = source_.credential.byPassword() ? token_.expiresIn : rest::assumedLife(token_.expiresIn);
    return loop_.now() < received_ + life;
}

/// Callers of want() are called back from the loop only, also when the answer is known at once.
void TokenKeeper::later(const std::string& refusal, Done done) {
    loop_.post([self = self_, refusal, done = std::move(done)] {
        if (*self != nullptr) done(refusal);
    });
}

void TokenKeeper::want(Need need, Done done) {
    // After a final answer this session makes no further requests by itself (credentials.md 5.2).
    if (!busy_ && !final_.empty()) return later(final_, std::move(done));
    if (!busy_ && need == Need::any && usable()) return later({}, std::move(done));
    waiters_.push_back(std::move(done));
    if (!busy_) begin(false);
}

void TokenKeeper::arm(reactor::Duration wait) {
    loop_.cancelTimer(timer_);
    timer_ = loop_.startTimer(wait, [this] {
        timer_ = 0;
        if (!busy_) begin(true);
    });
}

void TokenKeeper::begin(bool byTimer) {
    // Whatever began it: a token that is fetched for a reconnect takes the place of the renewal (6.2).
    loop_.cancelTimer(std::exchange(timer_, 0));
    byTimer_ = byTimer;
    busy_ = true;
    // The refresh token needs no password, which may have been wiped by now.
    const bool refresh = source_.credential.byPassword() && refreshable_ && !token_.refresh.empty();
    if (refresh) return request(Grant::refreshToken);
    ask();
}

/// The grant that needs a password or secret; the credential client is asked where they are not kept (7).
void TokenKeeper::ask() {
    const Grant grant = rest::firstGrant(source_.credential);
    // The first token uses the configured secret. Where there is a client, each later grant asks it (7).
    if (source_.credential.complete() && !(hadToken_ && source_.client != nullptr)) return request(grant);
    loop_.post([self = self_, grant] {
        if (*self == nullptr) return;
        TokenKeeper& k = **self;
        k.supplied_ = false;
        if (k.source_.client != nullptr) k.owner_.askForCredential(k);
        if (*self == nullptr) return;
        if (k.source_.client == nullptr) return k.fail("no password, client secret or JWK is given", false);
        if (!k.supplied_) return k.fail("the credential client gave no credentials", false);
        k.request(grant);
    });
}

void TokenKeeper::supply(rest::Credential credential) {
    source_.credential = std::move(credential);
    supplied_ = true;
}

void TokenKeeper::request(Grant grant) {
    rest::HttpRequest r;
    r.url = url_;
    r.timeout = settings_.requestTimeout;
    r.route = where_;
    r.tracing = owner_.tracing();
    const auto now = std::chrono::seconds(eta::WallClock::seconds());
    // A key that cannot be read: no request is made (2.1).
    if (eta::Refused refused = rest::makeTokenForm(grant, source_.credential, token_.refresh, now, r.form)) {
        loop_.post([self = self_, text = std::move(refused.text)] {
            if (*self != nullptr) (*self)->fail(text, false);
        });
        return;
    }
    static_cast<void>(calls_.send(std::move(r), [self = self_, grant](rest::HttpAnswer& answer) {
        if (*self != nullptr) (*self)->onAnswer(grant, answer);
    }));
}

void TokenKeeper::onAnswer(Grant grant, rest::HttpAnswer& answer) {
    if (!answer.movedTo.empty()) url_ = answer.movedTo;
    rest::Token token;
    if (answer.good())
        // An answer without the members that a token needs counts as a failed request (3).
        if (eta::Refused refused = rest::readToken(answer.body, grant, token)) answer.failure = std::move(refused.text);
    if (answer.good()) return accept(grant, std::move(token));
    const auto what = hadToken_ ? rest::TokenRequest::renewal : rest::TokenRequest::first;
    fail(rest::describeTokenFailure(answer, what, source_.credential), answer.final());
}

void TokenKeeper::accept(Grant grant, rest::Token token) {
    // The refresh token nears its end: this token is not used (6.1).
    if (grant == Grant::refreshToken && token.expiresIn != passwordLife_) {
        refreshable_ = false;
        return ask();
    }
    if (grant == Grant::password) {
        passwordLife_ = token.expiresIn;
        // This grant has changed the password at the service (7).
        if (!source_.credential.newPassword.empty())
            source_.credential.password = std::exchange(source_.credential.newPassword, {});
    }
    busy_ = false;
    token_ = std::move(token);
    received_ = loop_.now();
    failures_ = 0;
    hadToken_ = true;
    refreshable_ = !token_.refresh.empty();
    // Whoever has a client to ask wants the library to keep no secret (7).
    if (source_.client != nullptr) source_.credential.forgetSecrets();
    // V2 tokens are not renewed while the connection stands (6.3).
    if (source_.credential.byPassword()) {
        const std::chrono::duration<double> wait(static_cast<double>(token_.expiresIn.count()) *
                                                 settings_.reissueRatio);
        arm(std::chrono::duration_cast<reactor::Duration>(wait));
    }
    const std::shared_ptr<TokenKeeper*> self = self_;
    owner_.onNewToken(*this);
    if (*self != nullptr) tellWaiters({});
}

void TokenKeeper::fail(const std::string& text, bool final) {
    busy_ = false;
    // The next attempt uses the password grant, and not the refresh token again (6.1).
    refreshable_ = false;
    if (final) final_ = text;
    const std::shared_ptr<TokenKeeper*> self = self_;
    // V1 goes on by itself: without this the connections that stand would lose their token.
    if (hadToken_ && source_.credential.byPassword()) {
        // ReissueTokenAttemptLimit counts what the timer began; requests for a reconnect do not use it up.
        if (byTimer_) ++failures_;
        const bool again = !final && (settings_.reissueAttempts < 0 || failures_ <= settings_.reissueAttempts);
        if (again) {
            arm(settings_.reissueInterval);
            owner_.tokenWarning(text);
        } else {
            owner_.tokenError(text + "; there will be no further attempt");
        }
    } else {
        owner_.tokenWarning(text);
    }
    if (*self != nullptr) tellWaiters(text);
}

void TokenKeeper::tellWaiters(const std::string& refusal) {
    const std::shared_ptr<TokenKeeper*> self = self_;
    // Taken out first: a callback may ask for a token again.
    const std::vector<Done> all = std::exchange(waiters_, {});
    for (const Done& done : all)
        if (*self != nullptr) done(refusal);
}

}  // namespace emissary::ema

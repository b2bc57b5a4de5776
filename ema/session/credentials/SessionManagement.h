// ema/session/credentials: the session management of one consumer: its tokens, its managed channels, whom it asks for
// credentials (credentials.md).
#pragma once

#include "reactor/MetricSource.h"
#include "session/credentials/LoginAccount.h"
#include "session/credentials/ManagedChannel.h"
#include "session/credentials/RestLog.h"

#include "Access/Include/Common.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace refinitiv::ema::access {
class LoginMsgCredentialRenewal;
class OAuth2CredentialRenewal;
class OmmConsumerEvent;
}  // namespace refinitiv::ema::access

namespace emissary::ema {

struct ConsumerConfigImpl;

/// What session management needs of its consumer. Session lock held, on the dispatching thread.
class ManagedSession {
public:
    virtual void renewLogin(const reactor::session::ChannelAccount& account) = 0;
    /// Runs a callback of the application, about this channel; what it throws is kept for dispatch().
    virtual void callAbout(const std::string& channel, void* closure,
                           const std::function<void(const refinitiv::ema::access::OmmConsumerEvent&)>& callback) = 0;
    virtual void runCallback(const std::function<void()>& callback) = 0;
    virtual void logSession(LogSeverity severity, const std::string& text) = 0;

protected:
    ~ManagedSession() = default;
};

/// Made before the sessions and destroyed after them. Session lock held throughout.
class SessionManagement final : TokenOwner {
public:
    /// The credential client of the constructor of OmmConsumer; null: none.
    struct Asked {
        refinitiv::ema::access::OmmOAuth2ConsumerClient* client = nullptr;
        void* closure = nullptr;
    };
    /// Throws OmmInvalidUsageException for credentials that are not there or contradict each other.
    SessionManagement(reactor::Reactor& loop, const ConsumerSettings& settings, const ConsumerConfigImpl& given,
                      const Asked& asked, ManagedSession& session);
    ~SessionManagement();
    SessionManagement(const SessionManagement&) = delete;
    SessionManagement& operator=(const SessionManagement&) = delete;

    /// Of a channel; null: it needs none. `login`: as the consumer logs in elsewhere. `sessionChannel`: empty without
    /// request routing.
    [[nodiscard]] std::shared_ptr<reactor::session::ChannelAccount>
    accountOf(const ChannelSettings& channel, const std::string& sessionChannel,
              const reactor::session::LoginOptions& login);
    /// The first channel's first token and endpoint are not there yet.
    [[nodiscard]] bool preparing() const noexcept { return first_ && first_->preparing(); }
    /// Why that has failed: nothing will come of the consumer. Empty: it has not, or other session channels go on.
    [[nodiscard]] std::string failure() const;

    // --- calls of the application; each throws OmmInvalidUsageException
    void renew(refinitiv::ema::access::OAuth2CredentialRenewal& renewal);
    void renew(refinitiv::ema::access::LoginMsgCredentialRenewal& renewal);
    void modifyIOCtl(refinitiv::ema::access::Int32 code, refinitiv::ema::access::Int32 value);

private:
    // --- TokenOwner
    void onNewToken(TokenKeeper& keeper) override;
    void askForCredential(TokenKeeper& keeper) override;
    void tokenWarning(const std::string& text) override;
    void tokenError(const std::string& text) override;
    [[nodiscard]] rest::Tracing tracing() const noexcept override { return log_.tracing(); }

    void trace(const std::string& entry);
    void askForLogin(LoginAccount& account);
    [[nodiscard]] std::shared_ptr<ManagedChannel>
    managed(const ChannelSettings& channel, const std::string& sessionChannel, reactor::session::LoginOptions login);
    [[nodiscard]] std::shared_ptr<TokenKeeper> keeperFor(const OAuthSource& source, const std::string& channel,
                                                         const rest::HttpRoute& where);
    [[nodiscard]] rest::HttpRoute routeOf(const ChannelSettings& channel) const;

    reactor::Reactor& loop_;
    const ConsumerSettings& settings_;
    ManagedSession& session_;
    RestLog log_;
    RestCalls calls_;
    std::string discoveryUrl_, discoveryEnd_;
    std::optional<OAuthSource> base_;  // for the channels that no other credential names
    std::vector<OAuthSource> named_;
    std::vector<LoginSource> logins_;
    std::vector<std::shared_ptr<TokenKeeper>> keepers_;
    std::vector<std::shared_ptr<ManagedChannel>> channels_;
    std::vector<std::shared_ptr<LoginAccount>> loginAccounts_;
    std::shared_ptr<ManagedChannel> first_;  // the channel that is tried first; null: it needs no token
    bool firstSeen_ = false;
    TokenKeeper* asked_ = nullptr;                  // whose credential client is running
    LoginAccount* askedLogin_ = nullptr;            // the same
    std::optional<reactor::MetricSource> metrics_;  // with the first managed channel
};

}  // namespace emissary::ema

// ema/session/credentials: a channel with session management: its token, its endpoint, its login (credentials.md 4, 6).
#pragma once

#include "config/Settings.h"
#include "reactor/session/ChannelAccount.h"
#include "rest/discovery.h"
#include "session/credentials/TokenKeeper.h"

#include <map>
#include <memory>
#include <string>

namespace emissary::ema {

/// Session lock held throughout. The connections that it belongs to share it; once its keeper is gone (shutdown()) it
/// does nothing any more.
class ManagedChannel final : public reactor::session::ChannelAccount {
public:
    struct Parts {
        RestCalls& calls;
        TokenOwner& owner;
        const SessionManagementSettings& settings;
        std::string& discoveryUrl;  ///< of the session: a permanent redirect changes it
        std::string& discoveryEnd;  ///< not empty: why there will be no further discovery
    };
    /// `login`: what goes with the token.
    ManagedChannel(const Parts& parts, const ChannelSettings& settings, std::shared_ptr<TokenKeeper> keeper,
                   reactor::session::LoginOptions login, rest::HttpRoute where);

    /// Why the first preparation of all failed; empty: it has not, or is not over.
    [[nodiscard]] const std::string& firstFailure() const noexcept { return firstFailure_; }
    /// The first preparation is not over.
    [[nodiscard]] bool preparing() const noexcept { return !wasPrepared_ && firstFailure_.empty(); }
    [[nodiscard]] const TokenKeeper* keeper() const noexcept { return keeper_.get(); }
    [[nodiscard]] const std::string& endpoint() const noexcept { return endpoint_.endpoint; }
    /// The keeper has another token; false when it is too long for a login, and the one before stands.
    [[nodiscard]] bool takeToken();
    void shutdown() noexcept;

    // --- ChannelAccount
    [[nodiscard]] Ticket prepare(Done done) override;
    void abandon(Ticket ticket) noexcept override { attempts_.erase(ticket); }
    void address(eta::transport::ConnectOptions& connect) const override;
    [[nodiscard]] const reactor::session::LoginOptions* login() const noexcept override { return &login_; }
    void onAttemptFailed() override;
    void onLoggedIn() override { failed_ = 0; }
    void onLost() override { lost_ = true; }

private:
    void tokenAnswered(const std::string& refusal);
    void discover();
    void onServices(rest::HttpAnswer& answer);
    void finish(const std::string& refusal);

    const Parts parts_;
    const std::string location_, transport_;
    const std::uint32_t retries_;
    const bool discovered_;  // host and port are not configured
    const rest::HttpRoute where_;
    std::shared_ptr<TokenKeeper> keeper_;  // shared by the channels of one user; null after shutdown()
    reactor::session::LoginOptions login_;
    rest::ServiceEndpoint endpoint_;
    std::map<Ticket, Done> attempts_;
    Ticket lastTicket_ = 0;
    std::uint32_t failed_ = 0;  // attempts in a row that got no connection
    bool busy_ = false, wasPrepared_ = false, prepared_ = false, lost_ = false;
    std::string firstFailure_;
    const std::shared_ptr<ManagedChannel*> self_;  // what callbacks look at: null once this is gone
};

}  // namespace emissary::ema

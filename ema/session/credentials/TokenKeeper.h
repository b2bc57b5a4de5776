// ema/session/credentials: one access token, fetched, renewed in time, shared by its channels (credentials.md 6).
#pragma once

#include "config/session_management.h"
#include "session/credentials/RestCalls.h"
#include "settings/Credentials.h"

#include <functional>
#include <string>
#include <vector>

namespace emissary::ema {

class TokenKeeper;

/// What a keeper needs of its owner. Session lock held, on the dispatching thread.
class TokenOwner {
public:
    /// Logs in anew wherever the token is used.
    virtual void onNewToken(TokenKeeper& keeper) = 0;
    /// Runs the credential client, which may call TokenKeeper::supply() meanwhile.
    virtual void askForCredential(TokenKeeper& keeper) = 0;
    virtual void tokenWarning(const std::string& text) = 0;
    virtual void tokenError(const std::string& text) = 0;
    [[nodiscard]] virtual rest::Tracing tracing() const noexcept = 0;

protected:
    ~TokenOwner() = default;
};

/// Session lock held throughout; callbacks on the dispatching thread, never inside a call.
class TokenKeeper {
public:
    /// Empty: the token is there. Else why it is not.
    using Done = std::function<void(const std::string& refusal)>;

    /// `where`: how its requests travel. `channel`: for the credential client, whose channel is meant.
    TokenKeeper(reactor::Reactor& loop, RestCalls& calls, TokenOwner& owner, const SessionManagementSettings& settings,
                OAuthSource source, rest::HttpRoute where, std::string channel);
    ~TokenKeeper();
    TokenKeeper(const TokenKeeper&) = delete;
    TokenKeeper& operator=(const TokenKeeper&) = delete;

    enum class Need : std::uint8_t {
        any,   ///< a token that was fetched before will do
        fresh  ///< for a connection that is made anew
    };
    void want(Need need, Done done);
    [[nodiscard]] const rest::Token& token() const noexcept { return token_; }
    [[nodiscard]] const OAuthSource& source() const noexcept { return source_; }
    [[nodiscard]] const std::string& channel() const noexcept { return channel_; }
    /// Service discovery refused it.
    void drop() noexcept { token_ = {}; }
    /// The same credential, including those passwords and secrets that have not been overwritten yet.
    [[nodiscard]] bool sameCredential(const rest::Credential& other) const noexcept;
    /// Of the credential client: complete() and, once, of the same user.
    void supply(rest::Credential credential);

private:
    [[nodiscard]] bool usable() const noexcept;
    void begin(bool byTimer);
    void ask();
    void request(rest::Grant grant);
    void onAnswer(rest::Grant grant, rest::HttpAnswer& answer);
    void accept(rest::Grant grant, rest::Token token);
    void fail(const std::string& text, bool final);
    void tellWaiters(const std::string& refusal);
    void later(const std::string& refusal, Done done);
    void arm(reactor::Duration wait);

    reactor::Reactor& loop_;
    RestCalls& calls_;
    TokenOwner& owner_;
    const SessionManagementSettings& settings_;
    OAuthSource source_;
    const rest::HttpRoute where_;
    const std::string channel_;
    std::string url_;  // a permanent redirect changes it
    rest::Token token_;
    reactor::TimePoint received_{};
    std::chrono::seconds passwordLife_{0};  // of the token that the last password grant gave
    std::vector<Done> waiters_;
    reactor::TimerId timer_ = 0;
    std::int64_t failures_ = 0;  // of the timer's requests, since the last success
    bool busy_ = false;          // a request is under way, or the credential client is to be asked
    bool byTimer_ = false;       // it was the timer's
    bool hadToken_ = false, refreshable_ = false, supplied_ = false;
    std::string final_;                         // not empty: why there will be no further requests
    const std::shared_ptr<TokenKeeper*> self_;  // what posted calls look at: null once this is gone
};

}  // namespace emissary::ema

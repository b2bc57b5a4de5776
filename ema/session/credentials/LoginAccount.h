// ema/session/credentials: a channel with a login of its own, without tokens (credentials.md 7).
#pragma once

#include "reactor/Reactor.h"
#include "reactor/session/ChannelAccount.h"
#include "settings/Credentials.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace emissary::ema {

/// Session lock held throughout.
class LoginAccount final : public reactor::session::ChannelAccount {
public:
    /// Runs the credential client, which may call supply() meanwhile; nothing when there is none.
    using Ask = std::function<void(LoginAccount&)>;

    LoginAccount(reactor::Reactor& loop, reactor::session::LoginOptions login, LoginSource source, std::string channel,
                 Ask ask)
        : loop_(loop), login_(std::move(login)), source_(std::move(source)), channel_(std::move(channel)),
          ask_(std::move(ask)), self_(std::make_shared<LoginAccount*>(this)) {}

    [[nodiscard]] const LoginSource& source() const noexcept { return source_; }
    [[nodiscard]] const std::string& channel() const noexcept { return channel_; }
    /// What is empty stays as it was. False: the attributes cannot be encoded.
    [[nodiscard]] bool supply(std::string_view userName, std::string_view authenticationExtended);
    void shutdown() noexcept { *self_ = nullptr; }

    // --- ChannelAccount
    [[nodiscard]] Ticket prepare(Done done) override;
    void abandon(Ticket ticket) noexcept override { attempts_.erase(ticket); }
    void address(eta::transport::ConnectOptions&) const override {}
    [[nodiscard]] const reactor::session::LoginOptions* login() const noexcept override { return &login_; }

private:
    reactor::Reactor& loop_;
    reactor::session::LoginOptions login_;
    const LoginSource source_;
    const std::string channel_;
    const Ask ask_;
    std::map<Ticket, Done> attempts_;
    Ticket lastTicket_ = 0;
    const std::shared_ptr<LoginAccount*> self_;  // what posted calls look at: null once this is gone
};

/// The same login with other attributes. False: they cannot be read or encoded.
[[nodiscard]] bool changeLogin(reactor::session::LoginOptions& login,
                               const std::function<void(reactor::rdm::LoginAttributes&)>& change);

}  // namespace emissary::ema

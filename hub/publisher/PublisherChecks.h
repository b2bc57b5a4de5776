// hub/publisher: logins of publishers that the login check answers later, and the ends of those that have one.
#pragma once

#include "hub/client/LoginCheck.h"
#include "reactor/Reactor.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace emissary::hub::publisher {

/// One question at a time for each publisher of a port. Stage thread only, with the session lock held.
class PublisherChecks final : client::LoginVerdicts {
public:
    struct Hooks {
        /// The answer to a question, not inside ask().
        std::function<void(std::uint64_t publisher, const client::LoginVerdict&)> decide;
        /// The login of the publisher has ended, since it was not renewed.
        std::function<void(std::uint64_t publisher)> expired;
    };
    /// The check outlives this. `timeout`: a question without an answer has the verdict noAnswer then; 0 = never.
    PublisherChecks(reactor::Reactor& reactor, client::LoginCheck& check, std::chrono::milliseconds timeout,
                    Hooks hooks);
    ~PublisherChecks();
    PublisherChecks(const PublisherChecks&) = delete;
    PublisherChecks& operator=(const PublisherChecks&) = delete;

    /// The verdict, or nothing: it comes later. A question that was open for the publisher is withdrawn.
    [[nodiscard]] std::optional<client::LoginVerdict> ask(std::uint64_t publisher, const client::LoginAsk& ask);
    /// The login ends after that time, and not at the one that was said before; nothing: it has no end.
    void endAfter(std::uint64_t publisher, const std::optional<std::chrono::seconds>& time);
    [[nodiscard]] bool hasEnd(std::uint64_t publisher) const noexcept { return ends_.contains(publisher); }
    /// The publisher has gone.
    void forget(std::uint64_t publisher) noexcept;

private:
    struct Open {
        std::uint64_t publisher = 0;
        reactor::TimerId timer = 0;
    };
    void onVerdict(std::uint64_t ticket, const client::LoginVerdict& verdict) override;
    void withdraw(std::uint64_t publisher) noexcept;

    reactor::Reactor& reactor_;
    client::LoginCheck& check_;
    const std::chrono::milliseconds timeout_;
    const Hooks hooks_;
    std::map<std::uint64_t, Open> open_;              // by ticket
    std::map<std::uint64_t, std::uint64_t> tickets_;  // of open_, by publisher
    std::map<std::uint64_t, reactor::TimerId> ends_;  // by publisher
};

}  // namespace emissary::hub::publisher

// Asks the login check about publishers, and keeps the timers of questions and logins.
#include "hub/publisher/PublisherChecks.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::publisher {

PublisherChecks::PublisherChecks(reactor::Reactor& reactor, client::LoginCheck& check,
                                 std::chrono::milliseconds timeout, Hooks hooks)
    : reactor_(reactor), check_(check), timeout_(timeout), hooks_(std::move(hooks)) {}

PublisherChecks::~PublisherChecks() {
    while (!tickets_.empty())
        withdraw(tickets_.begin()->first);
    for (const auto& [publisher, timer] : ends_)
        reactor_.cancelTimer(timer);
}

std::optional<client::LoginVerdict> PublisherChecks::ask(std::uint64_t publisher, const client::LoginAsk& ask) {
    withdraw(publisher);
    const std::uint64_t ticket = check_.nextTicket();
    std::optional<client::LoginVerdict> verdict = check_.check(ask, ticket, *this);
    if (verdict) return verdict;
    Open& open = open_[ticket];
    open.publisher = publisher;
    tickets_[publisher] = ticket;
    if (timeout_.count() != 0)
        open.timer = reactor_.startTimer(timeout_, [this, ticket] {
            // Withdrawn first: its answer counts for nothing from now on.
            check_.cancel(ticket);
            client::LoginVerdict none;
            none.kind = client::LoginVerdict::Kind::noAnswer;
            onVerdict(ticket, none);
        });
    return {};
}

void PublisherChecks::onVerdict(std::uint64_t ticket, const client::LoginVerdict& verdict) {
    const auto at = open_.find(ticket);
    if (at == open_.end()) return;
    const Open open = at->second;
    open_.erase(at);
    tickets_.erase(open.publisher);
    reactor_.cancelTimer(open.timer);
    hooks_.decide(open.publisher, verdict);
}

void PublisherChecks::withdraw(std::uint64_t publisher) noexcept {
    const auto at = tickets_.find(publisher);
    if (at == tickets_.end()) return;
    const auto open = open_.find(at->second);
    reactor_.cancelTimer(open->second.timer);
    check_.cancel(at->second);
    open_.erase(open);
    tickets_.erase(at);
}

void PublisherChecks::endAfter(std::uint64_t publisher, const std::optional<std::chrono::seconds>& time) {
    if (const auto at = ends_.find(publisher); at != ends_.end()) {
        reactor_.cancelTimer(at->second);
        ends_.erase(at);
    }
    if (!time || *time > client::kLongestLogin) return;
    ends_[publisher] = reactor_.startTimer(std::max(*time, std::chrono::seconds(0)), [this, publisher] {
        ends_.erase(publisher);
        hooks_.expired(publisher);
    });
}

void PublisherChecks::forget(std::uint64_t publisher) noexcept {
    withdraw(publisher);
    const auto at = ends_.find(publisher);
    if (at == ends_.end()) return;
    reactor_.cancelTimer(at->second);
    ends_.erase(at);
}

}  // namespace emissary::hub::publisher

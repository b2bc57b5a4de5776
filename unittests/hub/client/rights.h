// A request check that answers as the test says.
#pragma once

#include "hub/client/RequestCheck.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace emissary::test {

/// Verdicts at once, or by ticket. On the hub's thread, as all of a test is.
class Rights final : public hub::client::RequestCheck {
public:
    struct Open {
        std::uint64_t ticket = 0;
        std::string name;
    };
    bool later = true;
    bool unavailable = false;  ///< verdicts at once: nobody can say
    std::function<bool(const hub::client::RequestAsk&)> grants = [](const auto&) { return true; };
    std::vector<Open> open;
    std::vector<std::uint64_t> cancelled;
    std::vector<std::string> asked;  ///< "dana FEED IBM 6"
    std::size_t looks = 0;           ///< of stillGranted()
    hub::client::RequestVerdicts* to = nullptr;

    std::optional<hub::client::RequestVerdict> check(const hub::client::RequestAsk& ask, std::uint64_t ticket,
                                                     hub::client::RequestVerdicts& answers) override {
        to = &answers;
        if (!later) return now(ask);
        asked.push_back(std::string(ask.user) + " " + std::string(ask.service) + " " + std::string(ask.name) + " " +
                        std::to_string(ask.domain));
        open.push_back({ticket, std::string(ask.name)});
        return {};
    }
    void cancel(std::uint64_t ticket) noexcept override {
        cancelled.push_back(ticket);
        std::erase_if(open, [&](const Open& o) { return o.ticket == ticket; });
    }
    hub::client::RequestVerdict stillGranted(const hub::client::RequestAsk& ask) override {
        ++looks;
        return now(ask);
    }
    [[nodiscard]] hub::client::RequestVerdict now(const hub::client::RequestAsk& ask) const {
        if (unavailable) return {false, {}, true};
        return {grants(ask), {}};
    }
    /// The oldest open ticket for the name. With the session lock held.
    void answer(const std::string& name, bool granted, std::string text = {}, bool unavailable = false) {
        const auto at = std::ranges::find(open, name, &Open::name);
        if (at == open.end()) throw std::runtime_error("nothing is open for " + name);
        const std::uint64_t ticket = at->ticket;
        open.erase(at);
        to->onVerdict(ticket, {granted, std::move(text), unavailable});
    }
};

}  // namespace emissary::test

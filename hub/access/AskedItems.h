// hub/access: what LoginCommand has said of items, as long as that holds (hub.md 11.3).
#pragma once

#include "hub/access/Rules.h"
#include "hub/client/RequestCheck.h"

#include "eta/core/Clock.h"

#include <list>
#include <string>

namespace emissary::hub::access {

/// Answers by all that the question says, the groups of the user above all; the oldest goes for a new one beyond a
/// bound. One thread.
class AskedItems {
public:
    struct Answer {
        client::RequestVerdict verdict;
        eta::TimePoint until;  ///< then the program is asked again
    };

    explicit AskedItems(std::size_t most = kMost) noexcept : most_(most) {}

    /// The same for two requests only when the program would be asked the same about both.
    [[nodiscard]] static std::string keyOf(const client::RequestAsk& ask);
    /// Null: nothing is known. What is too old is known as well, until the next answer.
    [[nodiscard]] const Answer* find(std::string_view key) const noexcept;
    void put(const std::string& key, Answer answer);
    /// All are too old from now on.
    void doubt() noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return answers_.size(); }

    static constexpr std::size_t kMost = 100'000;

private:
    struct Known;
    using Order = std::list<const std::string*>;  // the oldest first; keys of answers_, whose nodes stay
    struct Known {
        Answer answer;
        Order::iterator place;
    };
    const std::size_t most_;
    ByText<Known> answers_;
    Order order_;
};

}  // namespace emissary::hub::access

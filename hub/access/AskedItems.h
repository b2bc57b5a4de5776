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
        bool granted = false;
        std::string text;      ///< of the program; the first kLongestText bytes are kept
        eta::TimePoint until;  ///< then the program is asked again
    };

    explicit AskedItems(std::size_t most = kMost, std::size_t mostBytes = kMostBytes) noexcept
        : most_(most), mostBytes_(mostBytes) {}

    /// The same for two requests only when the program would be asked the same about both.
    [[nodiscard]] static std::string keyOf(const client::RequestAsk& ask);
    /// Null: nothing is known. What is too old is known as well, until the next answer.
    [[nodiscard]] const Answer* find(std::string_view key) const noexcept;
    void put(const std::string& key, Answer answer);
    /// All are too old from now on.
    void doubt() noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return answers_.size(); }

    /// Of keys, texts, and what a table has beside them, about.
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

    static constexpr std::size_t kMost = 100'000, kMostBytes = 64u << 20, kLongestText = 256;

private:
    struct Known;
    using Order = std::list<const std::string*>;  // the oldest first; keys of answers_, whose nodes stay
    struct Known {
        Answer answer;
        Order::iterator place;
    };
    [[nodiscard]] static std::size_t bytesOf(const std::string& key, const Answer& answer) noexcept;
    void dropOldest() noexcept;
    const std::size_t most_, mostBytes_;
    std::size_t bytes_ = 0;
    ByText<Known> answers_;
    Order order_;
};

}  // namespace emissary::hub::access

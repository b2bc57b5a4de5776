// What the rules say of a request.
#pragma once

#include "hub/access/Rules.h"
#include "hub/client/RequestCheck.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace emissary::hub::access {

/// The rules with a memory: those about a subject (everybody, a user, a group), a service and a domain are indexed
/// once, by name, for all requests that they are about. One thread.
class Permission {
public:
    explicit Permission(std::shared_ptr<const Rules> rules) noexcept : rules_(std::move(rules)) {}

    /// The rule that decides, the first that fits; null: none does, which is no.
    [[nodiscard]] const Rule* decide(const client::RequestAsk& ask);
    /// Why it is not granted, for the client. `rule` is that of decide().
    [[nodiscard]] static std::string refusal(const client::RequestAsk& ask, const Rule* rule);
    [[nodiscard]] const Rules& rules() const noexcept { return *rules_; }

    /// Indexes of rules made so far; a request whose indexes are there makes none.
    [[nodiscard]] std::size_t indexesMade() const noexcept { return made_; }
    /// Names compared with patterns so far.
    [[nodiscard]] std::size_t comparisons() const noexcept { return comparisons_; }

private:
    /// Patterns by the text that they begin with, or end with, and among them by place.
    struct Patterns {
        std::unordered_map<std::string_view, std::vector<Rules::Place>> byText;
        std::set<std::size_t> lengths;  ///< of these texts
        void add(std::string_view text, Rules::Place place);
    };
    /// The rules about a subject, a service and a domain, to be looked up by name.
    struct Names {
        std::unordered_map<std::string_view, Rules::Place> exact;  ///< of a name, the first
        Patterns begun;                                            ///< that begin with neither * nor ?
        Patterns open;                                             ///< that do, by their ends
        std::size_t places = 0;
    };
    /// All indexes for one request.
    using Indexes = std::vector<const Names*>;
    [[nodiscard]] const Indexes& indexesFor(const client::RequestAsk& ask);
    /// `rules` about the subject, which has the key.
    [[nodiscard]] const Names& namesFor(std::string key, const std::vector<Rules::Place>& rules,
                                        const client::RequestAsk& ask);
    [[nodiscard]] Names make(const std::vector<Rules::Place>& rules, const client::RequestAsk& ask) const;
    void find(const Names& names, std::string_view name, Rules::Place& best);

    std::shared_ptr<const Rules> rules_;
    ByText<Indexes> known_;       // by what requests have that rules tell apart
    ByText<Names> names_;         // by subject, service and domain; Indexes point there
    std::size_t remembered_ = 0;  // places in names_, and pointers in known_
    std::size_t made_ = 0, comparisons_ = 0;
    std::string key_;  // room for the one that is looked up
};

}  // namespace emissary::hub::access

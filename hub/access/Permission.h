// What the rules say of a request.
#pragma once

#include "hub/access/Rules.h"
#include "hub/client/RequestCheck.h"

#include <compare>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::access {

/// The rules with a memory: those about a user, a service and a domain are found once, and names are looked up in
/// them. Users with the same rules share them. One thread.
class Permission {
public:
    explicit Permission(std::shared_ptr<const Rules> rules) noexcept : rules_(std::move(rules)) {}

    /// The rule that decides, the first that fits; null: none does, which is no.
    [[nodiscard]] const Rule* decide(const client::RequestAsk& ask);
    /// Why it is not granted, for the client. `rule` is that of decide().
    [[nodiscard]] static std::string refusal(const client::RequestAsk& ask, const Rule* rule);
    [[nodiscard]] const Rules& rules() const noexcept { return *rules_; }

private:
    /// The rules about a user, a service and a domain, to be looked up by name.
    struct Names {
        struct Pattern {
            unsigned char first;  ///< byte that names begin with
            Rules::Place place;
            friend auto operator<=>(const Pattern&, const Pattern&) = default;
        };
        std::unordered_map<std::string_view, Rules::Place> exact;  ///< of a name, the first
        std::vector<Pattern> begun;      ///< patterns with a first byte, sorted by it and place
        std::vector<Rules::Place> open;  ///< patterns that begin with * or ?, in order
    };
    [[nodiscard]] const Names& namesFor(const client::RequestAsk& ask);
    [[nodiscard]] Names make(const client::RequestAsk& ask) const;

    std::shared_ptr<const Rules> rules_;
    ByText<Names> known_;
    std::size_t remembered_ = 0;  // places in known_
    std::string key_;             // room for the one that is looked up
};

}  // namespace emissary::hub::access

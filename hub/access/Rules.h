// The rules of a Permission file: who may have which items (hub.md 11.3).
#pragma once

#include "hub/access/text_file.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::hub::access {

/// One line: `allow|deny|ask WHO SERVICE NAME DOMAIN`.
struct Rule {
    enum class Who : std::uint8_t { everybody, user, group };
    enum class What : std::uint8_t { deny, allow, ask };  ///< ask: the program of LoginCommand decides
    What what = What::deny;
    Who who = Who::everybody;
    std::optional<std::uint8_t> domain;  ///< absent = all
    std::uint32_t line = 0;
    std::string subject;        ///< the user or the group, without its @
    std::string service, name;  ///< patterns
};

/// Looks up texts by views.
struct TextHash {
    using is_transparent = void;  ///< as containers ask for it
    [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept {
        return std::hash<std::string_view>()(text);
    }
};
template <class T>
using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// All rules of a file in their order. Does not change.
class Rules {
public:
    using Place = std::uint32_t;  ///< of a rule in the file's order, from 0

    /// What can be read of the text; with any fault it must not be used.
    [[nodiscard]] static Rules read(std::string_view text, Faults& faults);

    [[nodiscard]] const Rule& operator[](Place place) const noexcept { return rules_[place]; }
    [[nodiscard]] std::size_t size() const noexcept { return rules_.size(); }
    /// The line of the first rule that says `ask`; 0: none does.
    [[nodiscard]] std::uint32_t firstAsk() const noexcept { return firstAsk_; }

    /// Places of the rules about one user, about one group, and about everybody, in their order.
    [[nodiscard]] const std::vector<Place>* ofUser(std::string_view user) const noexcept { return find(users_, user); }
    [[nodiscard]] const std::vector<Place>* ofGroup(std::string_view group) const noexcept {
        return find(groups_, group);
    }
    [[nodiscard]] const std::vector<Place>& ofEverybody() const noexcept { return everybody_; }

private:
    [[nodiscard]] static const std::vector<Place>* find(const ByText<std::vector<Place>>& in,
                                                        std::string_view name) noexcept {
        const auto at = in.find(name);
        return at == in.end() ? nullptr : &at->second;
    }

    std::vector<Rule> rules_;
    std::uint32_t firstAsk_ = 0;
    std::vector<Place> everybody_;
    ByText<std::vector<Place>> users_, groups_;
};

}  // namespace emissary::hub::access

// hub/config: entries of a list by their names, for a walk that looks up many of them.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::hub {

/// Made for one walk: the list must stay as it is meanwhile. Of entries with one name it finds the first.
template <class Entry>
class ByName {
public:
    explicit ByName(const std::vector<Entry>& entries) {
        places_.reserve(entries.size());
        for (const Entry& e : entries)
            places_.try_emplace(e.name, &e);
    }
    /// Null when there is none.
    [[nodiscard]] const Entry* find(std::string_view name) const noexcept {
        const auto at = places_.find(name);
        return at == places_.end() ? nullptr : at->second;
    }
    /// `others` when there is none.
    [[nodiscard]] const Entry& findOr(std::string_view name, const Entry& others) const noexcept {
        const Entry* const own = find(name);
        return own != nullptr ? *own : others;
    }
    [[nodiscard]] bool has(std::string_view name) const noexcept { return places_.contains(name); }

private:
    std::unordered_map<std::string_view, const Entry*> places_;
};

template <class Entry>
ByName(const std::vector<Entry>&) -> ByName<Entry>;

}  // namespace emissary::hub

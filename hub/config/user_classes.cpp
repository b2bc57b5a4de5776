// hub/config: rules for the rate of updates put together, and the class of a user.
#include "hub/config/HubSettings.h"

#include <algorithm>

namespace emissary::hub {

Conflation stricter(const Conflation& rule, const std::optional<Conflation>& other) noexcept {
    if (!other) return rule;
    if (!rule.hasInterval() || !other->hasInterval())
        return rule.hasInterval() ? rule : other->hasInterval() || rule.mode == Conflation::Mode::jit ? *other : rule;
    return {std::max(rule.mode, other->mode), std::max(rule.interval, other->interval)};
}

Conflation asked(const Conflation& rule, const Conflation& rate) noexcept {
    Conflation made = stricter(rule, rate);
    // Whoever asks for it takes joined updates, also of a service whose updates are not joined otherwise.
    if (rate.mode == Conflation::Mode::jit && made.mode == Conflation::Mode::none) made.mode = Conflation::Mode::jit;
    return made;
}

OutputLimit stricter(const OutputLimit& a, const OutputLimit& b) noexcept {
    const auto least = [](std::uint64_t x, std::uint64_t y) { return x == 0 ? y : y == 0 ? x : std::min(x, y); };
    return {least(a.updates, b.updates), least(a.bytes, b.bytes)};
}

std::uint8_t userClassOf(std::span<const UserClassSettings> classes, std::string_view user,
                         std::span<const std::string> groups) noexcept {
    const auto found = std::ranges::find_if(classes, [&](const UserClassSettings& c) {
        return std::ranges::find(c.users, user) != c.users.end() ||
               std::ranges::any_of(groups, [&](const std::string& group) {
                   return std::ranges::find(c.groups, group) != c.groups.end();
               });
    });
    return found == classes.end() ? std::uint8_t{0} : static_cast<std::uint8_t>(found - classes.begin() + 1);
}

}  // namespace emissary::hub

// Keeps a bit for each text of whole items, a list for items with views, and has the texts made from them.
#include "hub/relay/ItemTexts.h"

#include <algorithm>

namespace emissary::hub::relay {

using namespace eta::codec;

namespace {

constexpr std::uint8_t kNumbered = 4, kTexts = 8;  // above the bits of what the mount wants

/// A bit's number in ItemSide::texts.
[[nodiscard]] std::uint8_t numberOf(const Mount& mount, const Client& client) noexcept {
    return static_cast<std::uint8_t>((mount.is(Mount::keyInUpdates) ? fanout::kWithKey : 0u) |
                                     (mount.is(Mount::confInfo) ? fanout::kWithConfInfo : 0u) |
                                     (client.expandsEnums ? 0u : kNumbered));
}
/// The form of this message for it.
[[nodiscard]] std::size_t formOf(std::uint8_t number, const Msg& msg) noexcept {
    const std::size_t text = (number & kNumbered) != 0 ? fanout::kText | fanout::kNumbers : fanout::kText;
    return fanout::formOf(fanout::wantsOf(number), text, msg);
}

[[nodiscard]] bool differ(const fanout::RateRules& rules) noexcept {
    const auto waits = [](const std::optional<Conflation>& c) { return c && c->mode >= Conflation::Mode::tradesafe; };
    // What is announced changes images alone, and a fan-out makes those itself (FanOut::form). `jit` makes no class.
    return std::ranges::any_of(
               rules.services,
               [&](const ServiceRates& r) { return waits(r.rule) || std::ranges::any_of(r.offered, waits); }) ||
           std::any_of(rules.listeners.begin(), rules.listeners.end(), waits) ||
           std::any_of(rules.users.begin(), rules.users.end(), waits);
}

}  // namespace

ItemTexts::ItemTexts(const ViewTable& views, const fanout::RateRules& rates, fanout::Rendered& rendered)
    : views_(views), shares_(!differ(rates)), maker_(views, names_, rendered) {}

void ItemTexts::note(ItemSide& side, const Mount& mount, const Client& client) const noexcept {
    if (!client.json || !shares_) return;
    side.textFronts |= std::uint64_t{1} << client.front;
    if (mount.view != 0) side.viewedTexts = true;
    else side.texts |= static_cast<std::uint8_t>(1u << numberOf(mount, client));
}

void ItemTexts::mounted(const Item& item, ItemSide& side, const Mount& mount, const Client& client) {
    if (item.mountCount == 1) viewed_.erase(item.index);
    if (client.json && shares_ && mount.view != 0) {
        const Viewed text{mount.view, numberOf(mount, client)};
        std::vector<Viewed>& known = viewed_[item.index];
        std::erase_if(known, [&](const Viewed& v) { return v == text || !views_.isOn(item, v.view); });
        known.push_back(text);
    }
    note(side, mount, client);
}

const fanout::TextMaker& ItemTexts::make(const Item& item, const ItemSide& side, eta::Bytes message, TurnBudget& work) {
    maker_.begin();
    Msg m;
    if (!decodeMsg(message, m).ok()) return maker_;
    for (std::uint8_t number = 0; number < kTexts; ++number)
        if ((side.texts >> number & 1) != 0) maker_.add(m, formOf(number, m), 0, work);
    if (!side.viewedTexts) return maker_;
    if (const auto at = viewed_.find(item.index); at != viewed_.end())
        for (const Viewed& v : at->second) {
            if (!fanout::isViewed(m)) maker_.add(m, formOf(v.number, m), 0, work);
            else if (views_.isOn(item, v.view)) maker_.add(m, formOf(v.number, m), v.view, work);
        }
    return maker_;
}

}  // namespace emissary::hub::relay

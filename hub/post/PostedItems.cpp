// Charges each user for the items that posts have made, and refuses more than is allowed.
#include "hub/post/PostedItems.h"

#include <algorithm>

namespace emissary::hub::post {

std::size_t PostedItems::image(const Item& item) const noexcept {
    const auto at = items_.find(item.index);
    return at == items_.end() ? 0 : at->second.image;
}

bool PostedItems::mayHave(const std::string& user, const Item* item, std::size_t image) const noexcept {
    // Who made the item pays for it, whoever posts later.
    const auto at = item != nullptr ? items_.find(item->index) : items_.end();
    const bool known = at != items_.end();
    const std::size_t before = known ? at->second.image + kOfItem : 0, after = image + kOfItem;
    if (after <= before) return true;
    const std::size_t more = after - before;
    if (limits_.all != 0 && all_ + more > limits_.all) return false;
    const std::string& who = known ? at->second.user : user;
    const auto of = byUser_.find(who);
    return limits_.ofUser == 0 || who.empty() || (of == byUser_.end() ? 0 : of->second) + more <= limits_.ofUser;
}

void PostedItems::charge(const std::string& user, const Item& item, std::size_t image) {
    const auto [at, made] = items_.try_emplace(item.index, Entry{user, 0});
    std::uint64_t* of = nullptr;
    try {
        of = &byUser_[at->second.user];
    } catch (...) {
        if (made) items_.erase(at);
        throw;
    }
    const std::uint64_t before = made ? 0 : at->second.image + kOfItem, after = image + kOfItem;
    all_ += after - before;
    *of += after - before;
    at->second.image = image;
}

void PostedItems::forget(const Item& item) noexcept {
    const auto at = items_.find(item.index);
    if (at == items_.end()) return;
    const std::uint64_t cost = at->second.image + kOfItem;
    all_ -= cost;
    // Users without items are forgotten: names come from clients, and the table must not grow with them.
    if (const auto of = byUser_.find(at->second.user); of != byUser_.end() && (of->second -= cost) == 0)
        byUser_.erase(of);
    items_.erase(at);
}

}  // namespace emissary::hub::post

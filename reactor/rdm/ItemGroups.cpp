// Finds or makes the number of a group's id, and joins groups that are merged.
#include "rdm/ItemGroups.h"

#include <utility>

namespace emissary::reactor::rdm {

bool ItemGroups::isDefault(Bytes id) noexcept {
    return id.empty() || (id.size() == 2 && id[0] == std::byte{0} && id[1] == std::byte{0});
}

ItemGroups::Number ItemGroups::find(Bytes id) const noexcept {
    if (isDefault(id)) return kDefault;
    const auto at = byId_.find(eta::asText(id));
    return at != byId_.end() ? at->second : kUnknown;
}

void ItemGroups::put(Number& stream, Bytes id) {
    // Most streams never leave the default group, and most refreshes name the group that the stream is in.
    if (stream == kDefault && isDefault(id)) return;
    if (stream != kDefault && stream != kUnknown && *groups_[stream - 1u].id == eta::asText(id)) return;
    const Number to = join(id);
    take(stream);
    stream = to;
}

ItemGroups::Number ItemGroups::join(Bytes id) {
    if (isDefault(id)) return kDefault;
    if (const auto at = byId_.find(eta::asText(id)); at != byId_.end()) {
        ++groups_[at->second - 1u].members;
        return at->second;
    }
    if (byId_.size() == kMost) {
        ++unnumbered_;
        return kUnknown;
    }
    if (free_.empty()) {
        // Room first: giving a number back must not need memory.
        if (free_.capacity() <= groups_.size()) free_.reserve(groups_.size() * 2 + 16);
        groups_.emplace_back();
        free_.push_back(static_cast<Number>(groups_.size()));
    }
    const Number number = free_.back();
    const auto at = byId_.emplace(eta::asText(id), number).first;
    free_.pop_back();
    groups_[number - 1u] = {&at->first, 1};
    return number;
}

void ItemGroups::take(Number& stream) noexcept {
    const Number number = std::exchange(stream, kDefault);
    if (number == kDefault || number == kUnknown) return;
    Group& group = groups_[number - 1u];
    if (--group.members != 0) return;
    byId_.erase(byId_.find(*group.id));
    group.id = nullptr;
    if (!byId_.empty()) return free_.push_back(number);
    // "= {}" would keep the memory.
    decltype(byId_)().swap(byId_);
    decltype(groups_)().swap(groups_);
    decltype(free_)().swap(free_);
}

}  // namespace emissary::reactor::rdm

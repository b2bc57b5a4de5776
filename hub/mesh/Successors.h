// hub/mesh: items that are to go to another owner while theirs, which leaves, still serves them.
#pragma once

#include "eta/core/Clock.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emissary::hub::mesh {

/// The wishes at next owners, one for an item at most. Empty while no owner leaves. Each answer is a whole image, so an
/// owner that is not ready is asked more and more rarely.
class Successors {
public:
    struct Wish {
        std::uint32_t slot = 0, ask = 0;
        eta::TimePoint askedAt = eta::TimePoint::max();  ///< max: it waits for its turn
        std::uint32_t number = 0;                        ///< of the item there, once it has answered; 0: it has not
        std::uint32_t pauses = 1;                        ///< times MeshOptions::retry, until it is asked again
        bool answered = false;                           ///< with what cannot be shown: not yet
    };

    /// The item has none.
    void add(std::uint32_t item, std::uint32_t slot, std::uint32_t ask) {
        wishes_[item] = {.slot = slot, .ask = ask};
        ++counts_[slot];
    }
    /// The wish is made again, with another number. One that got no answer is not asked more rarely: its request or
    /// the answer was lost.
    void renew(Wish& wish, std::uint32_t ask) noexcept {
        if (std::exchange(wish.answered, false)) wish.pauses = std::min(2 * wish.pauses, kMostPauses);
        wish.ask = ask;
        wish.askedAt = eta::TimePoint::max();
    }
    void remove(std::uint32_t item) {
        const auto at = wishes_.find(item);
        if (at == wishes_.end()) return;
        --counts_[at->second.slot];
        wishes_.erase(at);
    }
    [[nodiscard]] bool empty() const noexcept { return wishes_.empty(); }
    [[nodiscard]] std::uint32_t count(std::size_t slot) const noexcept { return counts_[slot]; }
    [[nodiscard]] Wish* find(std::uint32_t item) noexcept {
        if (wishes_.empty()) return nullptr;
        const auto at = wishes_.find(item);
        return at == wishes_.end() ? nullptr : &at->second;
    }
    /// The item's wish, if it is at this owner.
    [[nodiscard]] Wish* at(std::uint32_t item, std::uint32_t slot) noexcept {
        Wish* const wish = find(item);
        return wish != nullptr && wish->slot == slot ? wish : nullptr;
    }
    /// Items with a wish at this owner; a copy.
    [[nodiscard]] std::vector<std::uint32_t> of(std::uint32_t slot) const {
        std::vector<std::uint32_t> items;
        for (const auto& [item, wish] : wishes_)
            if (wish.slot == slot) items.push_back(item);
        return items;
    }

private:
    static constexpr std::uint32_t kMostPauses = 30;
    std::unordered_map<std::uint32_t, Wish> wishes_;
    std::array<std::uint32_t, 64> counts_{};  // by slot
};

}  // namespace emissary::hub::mesh

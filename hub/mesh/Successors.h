// hub/mesh: items that are to go to another owner while theirs, which leaves, still serves them.
#pragma once

#include "eta/core/Clock.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace emissary::hub::mesh {

/// The wishes at next owners, one for an item at most. Empty while no owner leaves. Each answer is a whole image, so an
/// owner that is not ready is asked more and more rarely.
class Successors {
public:
    struct Wish {
        std::uint32_t owner = 0, ask = 0;                ///< `owner`: ownerIn(), of a life that may be over
        eta::TimePoint askedAt = eta::TimePoint::max();  ///< max: it waits for its turn
        std::uint32_t number = 0;                        ///< of the item there, once it has answered; 0: it has not
        std::uint32_t pauses = 1;                        ///< times MeshOptions::retry, until it is asked again
        bool answered = false;                           ///< with what cannot be shown: not yet
    };

    /// The item has none.
    void add(std::uint32_t item, std::uint32_t owner, std::uint32_t ask) {
        wishes_[item] = {.owner = owner, .ask = ask};
        ++counts_[owner];
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
        if (const auto count = counts_.find(at->second.owner); --count->second == 0) counts_.erase(count);
        wishes_.erase(at);
    }
    [[nodiscard]] std::uint32_t count(std::uint32_t owner) const noexcept {
        const auto at = counts_.find(owner);
        return at == counts_.end() ? 0 : at->second;
    }
    [[nodiscard]] Wish* find(std::uint32_t item) noexcept {
        if (wishes_.empty()) return nullptr;
        const auto at = wishes_.find(item);
        return at == wishes_.end() ? nullptr : &at->second;
    }
    /// The item's wish, if it is at this owner.
    [[nodiscard]] Wish* at(std::uint32_t item, std::uint32_t owner) noexcept {
        Wish* const wish = find(item);
        return wish != nullptr && wish->owner == owner ? wish : nullptr;
    }

private:
    static constexpr std::uint32_t kMostPauses = 30;
    std::unordered_map<std::uint32_t, Wish> wishes_;
    std::unordered_map<std::uint32_t, std::uint32_t> counts_;  // by owner; none has 0
};

}  // namespace emissary::hub::mesh

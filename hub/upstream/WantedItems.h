// Items that wait until a source can be asked for them, by service: for a second stream, or to take them over.
#pragma once

#include "hub/upstream/Waiting.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <deque>
#include <vector>

namespace emissary::hub::upstream {

/// In the order in which they came. Whoever takes them says which of them still want it. Stage thread only.
class WantedItems {
public:
    explicit WantedItems(ItemTable& items) noexcept : items_(items) {}

    /// No item is wanted twice.
    void want(const Item& item) {
        const auto [at, first] = wanted_.try_emplace(item.index, item.generation);
        if (!first && at->second == item.generation) return;
        at->second = item.generation;
        if (byService_.size() <= item.service) byService_.resize(std::size_t{item.service} + 1);
        byService_[item.service].push_back(Ref::of(item));
    }
    /// The next item that `still` holds for; those before it are wanted no more. Null: none.
    template <class Still>
    [[nodiscard]] Item* next(std::uint16_t service, Still still) {
        while (waiting(service)) {
            const Ref ref = byService_[service].front();
            Item* const item = items_.find(ref.index, ref.generation);
            if (item != nullptr && still(*item)) return item;
            pop(service);
        }
        return nullptr;
    }
    /// next() gave it, and it is dealt with.
    void pop(std::uint16_t service) {
        const Ref ref = byService_[service].front();
        byService_[service].pop_front();
        if (const auto at = wanted_.find(ref.index); at != wanted_.end() && at->second == ref.generation)
            wanted_.erase(at);
    }
    [[nodiscard]] bool waiting(std::uint16_t service) const noexcept {
        return service < byService_.size() && !byService_[service].empty();
    }

private:
    ItemTable& items_;
    std::vector<std::deque<Ref>> byService_;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> wanted_;  // generations by index
};

}  // namespace emissary::hub::upstream

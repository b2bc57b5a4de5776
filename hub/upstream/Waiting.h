// Items of one service that wait to be requested: in turn, or until somebody can serve them.
#pragma once

#include "hub/core/ItemTable.h"
#include "hub/core/Service.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <deque>
#include <functional>
#include <map>
#include <vector>

namespace emissary::hub::upstream {

/// Names an item for later.
struct Ref {
    std::uint32_t index = 0, generation = 0;
    static Ref of(const Item& item) noexcept { return {item.index, item.generation}; }
    friend bool operator==(const Ref&, const Ref&) = default;
};

/// Higher priority class first, then arrival. Items that have left meanwhile (their phase is another one) are passed
/// over; so it holds at most about twice as many entries as there are items.
class Waiting {
public:
    explicit Waiting(ItemTable& items) noexcept : items_(items) {}

    /// The item's phase is queued.
    void queue(const Item& item) {
        if (entries_ > 2 * queued + 1024) compact();
        byClass_[item.priorityClass()].push_back(Ref::of(item));
        ++entries_;
    }
    /// The next item whose phase is queued; null: none.
    [[nodiscard]] Item* next() {
        while (!byClass_.empty()) {
            const auto first = byClass_.begin();
            if (first->second.empty()) {
                byClass_.erase(first);
                continue;
            }
            if (Item* const item = valid(first->second.front(), Item::Phase::queued)) return item;
            first->second.pop_front();
            --entries_;
        }
        return nullptr;
    }
    /// The item that next() gave is dealt with.
    void pop() {
        byClass_.begin()->second.pop_front();
        --entries_;
    }
    [[nodiscard]] bool empty() { return next() == nullptr; }

    /// The item's phase is parked.
    void park(const Item& item) {
        if (parked_.size() > 2 * here_.size() + 1024)
            std::erase_if(parked_, [this](Ref r) { return valid(r, Item::Phase::parked) == nullptr; });
        parked_.push_back(Ref::of(item));
        here_.insert_or_assign(item.index, item.generation);
    }
    /// Its phase is parked. False: it was parked elsewhere (publisher::UnknownItems).
    [[nodiscard]] bool isParked(const Item& item) const noexcept {
        const auto at = here_.find(item.index);
        return at != here_.end() && at->second == item.generation;
    }
    /// Its phase is another one from now on. False: as above.
    bool unpark(const Item& item) noexcept {
        if (!isParked(item)) return false;
        here_.erase(item.index);
        return true;
    }
    /// Those whose phase is parked, in the order in which they came; the caller queues them.
    [[nodiscard]] std::vector<Ref> takeParked() { return std::exchange(parked_, {}); }
    [[nodiscard]] Item* valid(Ref r, Item::Phase phase) noexcept {
        Item* const item = items_.find(r.index, r.generation);
        return item != nullptr && item->phase == phase ? item : nullptr;
    }

    std::size_t queued = 0;   ///< items in that phase; kept by the supply
    bool pumping = false;     ///< a call for another round is under way
    std::uint64_t timer = 0;  ///< of the next round; 0 = none

private:
    void compact() {
        entries_ = 0;
        for (auto& [cls, refs] : byClass_) {
            std::erase_if(refs, [this](Ref r) { return valid(r, Item::Phase::queued) == nullptr; });
            entries_ += refs.size();
        }
    }
    ItemTable& items_;
    std::map<std::uint8_t, std::deque<Ref>, std::greater<>> byClass_;
    std::vector<Ref> parked_;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> here_;  // items that are parked here: generations by index
    std::size_t entries_ = 0;
};

}  // namespace emissary::hub::upstream

// The items whose messages were left out for a front that is behind.
#pragma once

#include "hub/core/Item.h"

#include <deque>
#include <vector>

namespace emissary::hub::relay {

/// Each item once, in the order in which it came, until its image is sent. Stage thread only.
class CatchUp {
public:
    struct Entry {
        std::uint32_t index = 0, generation = 0;  ///< of the item, which may be gone
        bool state = false;                       ///< a status was left out, too
    };

    /// A message of the item is left out. Throws std::bad_alloc.
    void note(const Item& item, bool isStatus) {
        if (noted_.size() <= item.index) noted_.resize(std::size_t{item.index} + 1);
        Noted& noted = noted_[item.index];
        if (!noted.listed) {
            list_.push_back(item.index);
            noted = {item.generation, true, false};
        } else if (noted.generation != item.generation) {
            noted = {item.generation, true, false};  // the number is another item's now
        }
        noted.state = noted.state || isStatus;
    }
    [[nodiscard]] bool holds(const Item& item) const noexcept {
        return item.index < noted_.size() && noted_[item.index].listed &&
               noted_[item.index].generation == item.generation;
    }
    [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
    /// Takes the first one from the list, which is not empty.
    [[nodiscard]] Entry take() noexcept {
        const std::uint32_t index = list_.front();
        list_.pop_front();
        Noted& noted = noted_[index];
        noted.listed = false;
        if (!list_.empty()) return {index, noted.generation, noted.state};
        const Entry last{index, noted.generation, noted.state};
        noted_ = {};  // the memory of a lag that is over
        return last;
    }

private:
    struct Noted {
        std::uint32_t generation = 0;
        bool listed = false, state = false;
    };
    std::deque<std::uint32_t> list_;
    std::vector<Noted> noted_;  // by ItemTable index
};

}  // namespace emissary::hub::relay

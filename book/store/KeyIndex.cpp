// The part of the index that runs seldom: growing, erasing, clearing.
#include "store/KeyIndex.h"

#include "store/Memory.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace emissary::book::detail {

KeyIndex::~KeyIndex() {
    memory_->give(slots_, bytes());
}

/// Where the row of an occupied slot would stand if nobody were in its way. A small table's slots say so themselves.
std::uint32_t KeyIndex::home(std::uint32_t slot, const Row* rows) const noexcept {
    const std::uint32_t tag = 2 * rowBits_ <= 33 ? slot >> rowBits_ : rows[rowOf(slot)].tag;
    return tag & mask_;
}

void KeyIndex::put(std::uint32_t row, const Row* rows) noexcept {
    const std::uint32_t tag = rows[row].tag;
    std::uint32_t i = tag & mask_;
    while (slots_[i] != 0)
        i = (i + 1) & mask_;
    slots_[i] = tag << rowBits_ | (row + 1);
}

void KeyIndex::makeRoom(const Row* rows) {
    // At most half full, so that a search ends soon.
    if (slots_ != nullptr && 2 * (keys_ + 1) <= mask_ + 1) return;
    const std::uint32_t size = slots_ == nullptr ? kSmallest : 2 * (mask_ + 1);
    auto* fresh = static_cast<std::uint32_t*>(memory_->take(std::size_t{size} * sizeof *slots_));
    std::fill_n(fresh, size, 0u);
    const KeyIndex before(*memory_, std::exchange(slots_, fresh), std::exchange(mask_, size - 1),
                          std::exchange(rowBits_, static_cast<std::uint32_t>(std::bit_width(size))));
    before.forEach([&](std::uint32_t row) { put(row, rows); });
}

void KeyIndex::add(std::uint32_t row, const Row* rows) noexcept {
    put(row, rows);
    ++keys_;
}

/// What stands behind the row moves up, so that nothing marks a grave.
void KeyIndex::erase(std::uint32_t row, const Row* rows) noexcept {
    std::uint32_t hole = rows[row].tag & mask_;
    while (rowOf(slots_[hole]) != row)
        hole = (hole + 1) & mask_;
    for (std::uint32_t i = (hole + 1) & mask_; slots_[i] != 0; i = (i + 1) & mask_) {
        if (((i - home(slots_[i], rows)) & mask_) < ((i - hole) & mask_)) continue;  // would come before its home
        slots_[hole] = slots_[i];
        hole = i;
    }
    slots_[hole] = 0;
    --keys_;
}

void KeyIndex::clear(std::uint32_t least) noexcept {
    // A table that was large once is given back when a book is small for good.
    if (slots_ != nullptr && mask_ + 1 > std::max(8 * keys_, 4 * least)) {
        memory_->give(slots_, bytes());
        slots_ = nullptr;
        mask_ = 0;
    } else if (slots_ != nullptr) {
        std::fill_n(slots_, mask_ + 1, 0u);
    }
    keys_ = 0;
}

}  // namespace emissary::book::detail

// The published items: the application's handles, and a dense table by stream id.
#pragma once

#include "reactor/RestingIds.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace emissary::reactor::niprovider {

/// One stream that this side opened. Small, because a provider may have a hundred thousand.
struct Item {
    std::uint64_t handle = 0;
    std::uint32_t refreshedOn = 0;  ///< number of the connection that got its refresh; 0 = none
    std::uint16_t serviceId = 0;
    std::uint8_t domain = 0;
    bool open = false;  ///< false in a free slot: an item may have any domain
};
static_assert(sizeof(Item) <= 16);

/// Slot n is stream -(n + 1). Freed slots rest before they are used again: a post or close that crosses the end of an
/// item must not reach another one.
class OwnItems {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::uint32_t kMost = 0x7FFFFFFF;

    [[nodiscard]] std::uint32_t find(std::uint64_t handle) const noexcept {
        const auto at = byHandle_.find(handle);
        return at == byHandle_.end() ? kNone : at->second;
    }
    [[nodiscard]] static std::int32_t streamOf(std::uint32_t slot) noexcept {
        return -static_cast<std::int32_t>(slot) - 1;
    }
    /// kNone when nothing is open on that stream.
    [[nodiscard]] std::uint32_t slotOf(std::int32_t streamId) const noexcept {
        if (streamId >= 0) return kNone;
        const auto slot = static_cast<std::uint32_t>(-(static_cast<std::int64_t>(streamId) + 1));
        return slot < items_.size() && items_[slot].open ? slot : kNone;
    }
    [[nodiscard]] Item& operator[](std::uint32_t slot) noexcept { return items_[slot]; }
    [[nodiscard]] const Item& operator[](std::uint32_t slot) const noexcept { return items_[slot]; }
    [[nodiscard]] std::size_t open() const noexcept { return byHandle_.size(); }
    [[nodiscard]] std::uint32_t slots() const noexcept { return static_cast<std::uint32_t>(items_.size()); }

    void reserve(std::size_t n) {
        items_.reserve(n);
        byHandle_.reserve(n);
        wished_ = n;
    }
    /// kNone when stream ids are used up.
    [[nodiscard]] std::uint32_t add(std::uint64_t handle, std::uint8_t domain, std::uint16_t serviceId) {
        if (!free_.ready() && next_ >= kMost) return kNone;
        const std::uint32_t slot = free_.ready() ? free_.take() : next_++;
        if (slot >= items_.size()) items_.resize(std::size_t{slot} + 1);
        items_[slot] = {handle, 0, serviceId, domain, true};
        byHandle_.emplace(handle, slot);
        return slot;
    }
    void remove(std::uint32_t slot) {
        byHandle_.erase(items_[slot].handle);
        items_[slot] = {};
        free_.give(slot);
        ++removed_;
    }
    /// Of a slot just added whose first message was not sent: nobody knows the id, and a new one need not rest.
    void undo(std::uint32_t slot) {
        if (slot + 1 != next_) return remove(slot);
        byHandle_.erase(items_[slot].handle);
        items_[slot] = {};
        --next_;
        ++removed_;
    }
    /// With the connection, whose messages cannot cross any more.
    void clear() noexcept {
        removed_ += open();
        byHandle_.clear();
        items_.clear();
        free_.clear();
        next_ = 0;
    }

    /// Gives back the slots behind the last one in use, and what else is not needed.
    void trim() noexcept {
        if (free_.size() > kLeastPlaces && free_.size() > items_.size() / 2) {
            std::size_t used = items_.size();
            while (used != 0 && !items_[used - 1].open)
                --used;
            items_.resize(used);
            next_ = free_.restart(static_cast<std::uint32_t>(used));
        }
        free_.trim();
        if (std::exchange(removed_, 0) < std::max(kLeastPlaces, open())) return;
        try {  // room that was asked for stays, but in memory that nothing has touched
            ItemVector<Item> items;
            items.reserve(std::max(wished_, items_.size()));
            items.assign(items_.begin(), items_.end());
            ItemMap<std::uint64_t, std::uint32_t> byHandle;
            byHandle.reserve(std::max(wished_, byHandle_.size()));
            byHandle.insert(byHandle_.begin(), byHandle_.end());
            items_.swap(items);
            byHandle_.swap(byHandle);
        } catch (const std::bad_alloc&) {}  // they stay as they are
    }
    /// Slots and places that there is memory for.
    [[nodiscard]] std::size_t capacity() const noexcept {
        return items_.capacity() + free_.capacity() + byHandle_.bucket_count();
    }

private:
    ItemVector<Item> items_;
    RestingIds<std::uint32_t> free_;
    std::uint32_t next_ = 0;   // slots from here on were never used, or have rested
    std::size_t wished_ = 0;   // number of items that room was asked for
    std::size_t removed_ = 0;  // since the last trim
    ItemMap<std::uint64_t, std::uint32_t> byHandle_;
};

}  // namespace emissary::reactor::niprovider

// The published items: the application's handles, and a dense table by stream id.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <vector>

namespace emissary::reactor::niprovider {

/// One stream that this side opened. Small, because a provider has a hundred thousand of them.
struct Item {
    std::uint64_t handle = 0;
    std::uint32_t refreshedOn = 0;  ///< number of the connection that got its refresh; 0 = none
    std::uint16_t serviceId = 0;
    std::uint8_t domain = 0;  ///< 0: a free slot
};
static_assert(sizeof(Item) <= 16);

/// Slot n is stream -(n + 1). Freed slots are used again, the last one first.
class ItemTable {
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
        return slot < items_.size() && items_[slot].domain != 0 ? slot : kNone;
    }
    [[nodiscard]] Item& operator[](std::uint32_t slot) noexcept { return items_[slot]; }
    [[nodiscard]] const Item& operator[](std::uint32_t slot) const noexcept { return items_[slot]; }
    [[nodiscard]] std::size_t open() const noexcept { return byHandle_.size(); }
    [[nodiscard]] std::uint32_t slots() const noexcept { return static_cast<std::uint32_t>(items_.size()); }

    void reserve(std::size_t n) {
        items_.reserve(n);
        byHandle_.reserve(n);
    }
    /// kNone when stream ids are used up.
    [[nodiscard]] std::uint32_t add(std::uint64_t handle, std::uint8_t domain, std::uint16_t serviceId) {
        std::uint32_t slot = 0;
        if (free_.empty()) {
            if (items_.size() >= kMost) return kNone;
            slot = static_cast<std::uint32_t>(items_.size());
            items_.emplace_back();
        } else {
            slot = free_.back();
            free_.pop_back();
        }
        items_[slot] = {handle, 0, serviceId, domain};
        byHandle_.emplace(handle, slot);
        return slot;
    }
    void remove(std::uint32_t slot) {
        byHandle_.erase(items_[slot].handle);
        items_[slot] = {};
        free_.push_back(slot);
    }
    void clear() noexcept {
        byHandle_.clear();
        items_.clear();
        free_.clear();
    }

private:
    std::vector<Item> items_;
    std::vector<std::uint32_t> free_;
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> byHandle_;
};

}  // namespace emissary::reactor::niprovider

// What the relay keeps of items: which fronts have mounts on them, and what these mounts want.
#pragma once

#include "hub/core/Item.h"
#include "reactor/memory.h"

#include <cstddef>
#include <cstdint>

namespace emissary::hub::relay {

/// One item's.
struct ItemSide {
    std::uint64_t fronts = 0;      ///< bit n: a client of front n has, or had, a mount
    std::uint64_t textFronts = 0;  ///< bit n: a JSON client of it
    std::uint16_t wants = 0;       ///< Mount::keyInUpdates and confInfo, of all mounts together
    std::uint8_t texts = 0;        ///< bit n: a JSON client wants a text of the whole item in form n (ItemTexts)
    bool viewedTexts = false;      ///< or of a view
    bool touched = false;          ///< mounts came, went, or changed whether they get updates: they are looked at
    bool quiet = false;            ///< some of the live ones get no updates and are not marked Mount::missed yet
    bool inexact = false;          ///< many mounts have gone since `fronts` was exact
};

/// By the item's number. An entry begins with the first mount of an item, and means nothing while the item has none:
/// so the next item of that number finds nothing of the one before. Stage thread only.
class ItemSides {
public:
    /// The item has got a mount; its entry is made with the first. Throws std::bad_alloc.
    ItemSide& mounted(const Item& item) {
        if (sides_.size() <= item.index) sides_.resize(std::size_t{item.index} + 1);
        ItemSide& side = sides_[item.index];
        if (item.mountCount == 1) side = {};
        side.touched = true;
        return side;
    }
    /// Null: the item has no mount, or memory was short when it got its first.
    [[nodiscard]] ItemSide* find(const Item& item) noexcept {
        return item.mountCount != 0 && item.index < sides_.size() ? &sides_[item.index] : nullptr;
    }
    /// Mounts of the item have changed.
    void touch(const Item& item) noexcept {
        if (ItemSide* const side = find(item)) side->touched = true;
    }
    void trim() noexcept { reactor::trimVector(sides_); }
    [[nodiscard]] std::size_t places() const noexcept { return sides_.capacity(); }

private:
    reactor::ItemVector<ItemSide> sides_;
};

}  // namespace emissary::hub::relay

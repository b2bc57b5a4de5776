// The mounts that a front's clients have, by item.
#pragma once

#include "hub/core/Mounts.h"

#include <vector>

namespace emissary::hub::relay {

/// Stands for an Item.
struct MirrorItem {
    std::uint32_t index = 0;
    std::uint32_t mountCount = 0, mountRoom = 0, liveCount = 0, missedFrom = 0;
    std::uint8_t rule = 0;      ///< for the rate of its service (fanout::RateRules)
    std::uint16_t service = 0;  ///< its id
    Mount* mounts = nullptr;    ///< MountsOf owns this memory, the table what is left of it
};

/// By ItemTable index. Items without mounts take 32 bytes as long as one with a higher index has some.
class MirrorTable {
public:
    MirrorTable() = default;
    MirrorTable(const MirrorTable&) = delete;
    MirrorTable& operator=(const MirrorTable&) = delete;
    ~MirrorTable() {
        for (const MirrorItem& item : items_)
            delete[] item.mounts;
    }
    /// Of an index that make() had.
    [[nodiscard]] MirrorItem& operator[](std::uint32_t index) noexcept { return items_[index]; }
    /// Null when make() never had it.
    [[nodiscard]] MirrorItem* find(std::uint32_t index) noexcept {
        return index < items_.size() ? &items_[index] : nullptr;
    }
    [[nodiscard]] MirrorItem& make(std::uint32_t index) {
        while (items_.size() <= index)
            items_.push_back({static_cast<std::uint32_t>(items_.size())});
        return items_[index];
    }

    template <class F>
    void forEach(F&& f) {
        for (MirrorItem& item : items_)
            f(item);
    }

private:
    std::vector<MirrorItem> items_;
};
using MirrorMounts = MountsOf<MirrorTable>;

}  // namespace emissary::hub::relay

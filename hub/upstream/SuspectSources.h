// Sources that have an item open and do not vouch for it.
#pragma once

#include "hub/core/Source.h"
#include "hub/upstream/Lanes.h"

#include <boost/unordered/unordered_flat_map.hpp>

namespace emissary::hub::upstream {

/// Remembers sources that marked an item Suspect or answered without an image. They are tried again only when no other
/// source is left. No more entries than there have been items at once. Session lock held throughout.
class SuspectSources {
public:
    void add(const Item& item, const Source& source) {
        Entry& e = entries_[item.index];
        if (e.generation != item.generation) e = {item.generation, 0};
        e.sources |= Lanes::bit(source);
    }
    /// As bits of Lanes::choose().
    [[nodiscard]] std::uint64_t of(const Item& item) const noexcept {
        const auto at = entries_.find(item.index);
        return at != entries_.end() && at->second.generation == item.generation ? at->second.sources : 0;
    }
    [[nodiscard]] bool has(const Item& item, const Source& source) const noexcept {
        return (of(item) & Lanes::bit(source)) != 0;
    }
    /// The source has come anew: what it said before does not count.
    void forget(const Item& item, const Source& source) noexcept {
        const auto at = entries_.find(item.index);
        if (at != entries_.end()) at->second.sources &= ~Lanes::bit(source);
    }
    /// The item is Ok, or everybody is to be asked again.
    void forget(const Item& item) noexcept { entries_.erase(item.index); }

private:
    struct Entry {
        std::uint32_t generation = 0;
        std::uint64_t sources = 0;
    };
    boost::unordered_flat_map<std::uint32_t, Entry> entries_;  // by the item's index
};

}  // namespace emissary::hub::upstream

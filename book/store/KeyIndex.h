// The inline half of KeyIndex: what every entry does.
#pragma once

#include "emissary/book/Book.h"
#include "eta/core/prefetch.h"
#include "store/Key.h"

namespace emissary::book::detail {

inline void KeyIndex::prefetch(std::uint32_t tag) const noexcept {
    eta::prefetch(slots_ + (tag & mask_));
}

template <class Accept>
inline std::uint32_t KeyIndex::probe(std::uint32_t tag, Accept&& accept) const noexcept {
    if (slots_ == nullptr) return kNone;
    const std::uint32_t wanted = tag << rowBits_;
    for (std::uint32_t i = tag & mask_;; i = (i + 1) & mask_) {
        const std::uint32_t slot = slots_[i];
        if (slot == 0) return kNone;
        if ((slot ^ wanted) >> rowBits_ == 0 && accept(rowOf(slot))) return rowOf(slot);
    }
}

inline std::uint32_t KeyIndex::likely(std::uint32_t tag) const noexcept {
    return probe(tag, [](std::uint32_t) { return true; });
}

inline std::uint32_t KeyIndex::find(const Key& key, const Row* rows) const noexcept {
    return probe(key.tag(), [&](std::uint32_t row) { return key.matches(rows[row]); });
}

}  // namespace emissary::book::detail

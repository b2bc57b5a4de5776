// The key by which two requests of a client are the same item, and the index that finds streams by it.
#pragma once

#include "provider/StreamTable.h"

#include <algorithm>
#include <cstdint>

namespace emissary::reactor {

using eta::Bytes;

/// session.md 5.3, check 5.
struct ItemKey {
    std::uint32_t hash = 0;
    std::uint8_t domain = 0;
    bool isPrivate = false;
    Bytes content;
};

/// Looks through slot numbers at the streams' keys, so that the index costs four bytes a stream.
struct ItemKeyHash {
    using is_transparent = void;
    const StreamTable* table;
    [[nodiscard]] std::size_t operator()(std::uint32_t slot) const noexcept { return (*table)[slot].keyHash; }
    [[nodiscard]] std::size_t operator()(const ItemKey& key) const noexcept { return key.hash; }
};
struct ItemKeyEqual {
    using is_transparent = void;
    const StreamTable* table;
    [[nodiscard]] bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return a == b; }
    [[nodiscard]] bool operator()(const ItemKey& key, std::uint32_t slot) const noexcept {
        const Stream& s = (*table)[slot];
        const Bytes content = s.key();
        return s.keyHash == key.hash && s.domain == key.domain && s.is(Stream::isPrivate) == key.isPrivate &&
               content.size() == key.content.size() && std::equal(content.begin(), content.end(), key.content.begin());
    }
    [[nodiscard]] bool operator()(std::uint32_t slot, const ItemKey& key) const noexcept { return (*this)(key, slot); }
};

}  // namespace emissary::reactor

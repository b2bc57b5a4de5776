// Entries of element lists, maps, vectors, filter lists and series: kept in order, found by key or index.
#pragma once

#include "hub/cache/nodes.h"

namespace emissary::hub::cache {

/// Entries of the containers of a store; their payloads are somebody else's. Nothing here decodes. One thread.
///
/// Keys are hashed with a number that no peer knows. Removing and adding in turn takes no memory beyond the pool's.
class EntryLists {
public:
    static constexpr std::uint32_t kMostPositions = 65536;  ///< of a vector, where every insert moves those behind it

    /// `seed` goes into the hashes of keys.
    EntryLists(BlockPool& pool, std::uint64_t seed) noexcept : pool_(pool), seed_(seed) {}

    /// A container without entries; 0 when memory has run out.
    [[nodiscard]] Ref make(DataType type) noexcept;
    /// Gives container and index back; its entries are the caller's.
    void free(Ref node) noexcept;

    /// A container in use.
    [[nodiscard]] EntriesNode& at(Ref node) const noexcept { return *pool_.as<EntriesNode>(node); }
    /// An entry in use.
    [[nodiscard]] Entry& entry(Ref ref) const noexcept { return *pool_.as<Entry>(ref); }

    /// The entry with this key; 0: there is none.
    [[nodiscard]] Ref find(const EntriesNode& node, Bytes key) const noexcept;
    /// At the end; the key, of at most 65535 bytes, is not there yet. 0: memory has run out.
    [[nodiscard]] Ref add(EntriesNode& node, Bytes key) noexcept;
    /// At the end, without a key to be found by: of a series. 0: memory has run out.
    [[nodiscard]] Ref append(EntriesNode& node) noexcept;
    void remove(EntriesNode& node, Ref ref) noexcept;  ///< what add() made, its payload already erased

    /// Of a vector, in ascending order; null without any.
    [[nodiscard]] const Position* positions(const EntriesNode& node) const noexcept {
        return node.index == 0 ? nullptr : pool_.as<Position>(node.index);
    }
    /// The first position that is not before `index`; node.count if there is none.
    [[nodiscard]] std::uint32_t lowerBound(const EntriesNode& node, std::uint32_t index) const noexcept;
    /// Makes an entry for `index` at the place that lowerBound() gave; others move up there but keep their index. 0:
    /// memory has run out.
    [[nodiscard]] Ref insert(EntriesNode& node, std::uint32_t place, std::uint32_t index) noexcept;
    void removeAt(EntriesNode& node, std::uint32_t place) noexcept;           ///< its payload already erased
    void shift(EntriesNode& node, std::uint32_t fromPlace, int by) noexcept;  ///< the indexes from a place on

private:
    [[nodiscard]] std::uint32_t hash(Bytes key) const noexcept;
    [[nodiscard]] Ref newEntry(Bytes key) noexcept;
    void linkLast(EntriesNode& node, Ref ref) noexcept;
    [[nodiscard]] bool reindex(EntriesNode& node, std::uint32_t places) noexcept;
    void place(Ref* index, std::uint32_t places, Ref ref) const noexcept;
    void unindex(EntriesNode& node, Ref ref) noexcept;

    static constexpr std::uint32_t kLinear = 4;  // up to this many entries need no index
    BlockPool& pool_;
    std::uint64_t seed_;
};

}  // namespace emissary::hub::cache

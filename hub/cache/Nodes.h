// All that a store keeps, and how it is erased.
#pragma once

#include "hub/cache/EntryLists.h"
#include "hub/cache/FieldLists.h"

namespace emissary::hub::cache {

/// The parts of a store, which know one another in this order. One thread.
class Nodes {
public:
    Nodes(std::uint64_t maxBytes, Counts& counts);  ///< throws std::bad_alloc

    /// Gives a node back with everything below it; 0 is ignored.
    void erase(Ref ref) noexcept;
    void eraseEntries(EntriesNode& node) noexcept;  ///< every entry; the summary stays
    /// Payload and permissions of an entry, not the entry itself.
    void eraseContent(Entry& entry) noexcept;

    /// A node in use.
    [[nodiscard]] Node& at(Ref ref) const noexcept { return *pool.as<Node>(ref); }

    BlockPool pool;
    Shapes shapes;
    Values values;
    FieldLists fields;
    EntryLists entries;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary;  // shared with its loader
};

}  // namespace emissary::hub::cache

// All items of the hub, found by key or by number.
#pragma once

#include "hub/core/Item.h"
#include "reactor/memory.h"

#include <functional>

namespace emissary::hub {

/// What makes an item: service, domain, and the key without its service id.
struct ItemKey {
    std::uint16_t service = 0;
    std::uint8_t domain = 0;
    Bytes content;  ///< ItemTable::content()
    std::uint32_t hash = 0;
};

/// Records stay where they are until erase(). An index alone may name another item later; with its generation it does
/// not.
class ItemTable {
public:
    ItemTable() : byKey_(0, Hash{this}, Equal{this}) {}
    ItemTable(const ItemTable&) = delete;
    ItemTable& operator=(const ItemTable&) = delete;
    ~ItemTable();

    /// The key of a request or publisher's message in the form that items are found by; the bytes are valid until the
    /// next call. A key whose attributes or name do not fit 32 KiB gives an empty content, which no item has.
    [[nodiscard]] ItemKey keyOf(std::uint16_t service, std::uint8_t domain, const eta::codec::MsgKey& key);
    /// Null when there is none.
    [[nodiscard]] Item* find(const ItemKey& key) noexcept;
    /// A new item; `shared` false: find() will not find it (private streams). Throws std::bad_alloc.
    Item& create(const ItemKey& key, bool shared = true);
    /// The item has no mounts, no image and no group any more.
    void erase(Item& item) noexcept;
    /// Of an index that is in use.
    [[nodiscard]] Item& operator[](std::uint32_t index) noexcept { return *pool_.at(index); }
    /// Null when the item of that generation is gone.
    [[nodiscard]] Item* find(std::uint32_t index, std::uint32_t generation) noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Every item; `f` may erase the item it is called with, and no other.
    void forEach(const std::function<void(Item&)>& f);
    /// Fetches the record into the cache of the processor.
    void prefetch(const Item& item) const noexcept { __builtin_prefetch(&item); }
    /// See reactor::MemoryOwner.
    void trim() noexcept;
    [[nodiscard]] std::size_t places() const noexcept { return pool_.capacity() + byKey_.bucket_count(); }

private:
    struct Hash {
        using is_transparent = void;
        const ItemTable* table;
        [[nodiscard]] std::size_t operator()(std::uint32_t index) const noexcept {
            return const_cast<ItemTable*>(table)->pool_.at(index)->keyHash;
        }
        [[nodiscard]] std::size_t operator()(const ItemKey& key) const noexcept { return key.hash; }
    };
    struct Equal {
        using is_transparent = void;
        const ItemTable* table;
        [[nodiscard]] bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return a == b; }
        [[nodiscard]] bool operator()(const ItemKey& key, std::uint32_t index) const noexcept;
        [[nodiscard]] bool operator()(std::uint32_t index, const ItemKey& key) const noexcept {
            return (*this)(key, index);
        }
    };

    reactor::Pool<Item> pool_;
    reactor::ItemSet<std::uint32_t, Hash, Equal> byKey_;
    std::vector<std::byte> scratch_;
    std::size_t size_ = 0;
};

}  // namespace emissary::hub

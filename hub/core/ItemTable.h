// All items of the hub, found by key or by number.
#pragma once

#include "hub/core/Source.h"
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

    // --- by source: an item stands in one list, that of its source in its service, or of those that nobody serves
    /// Makes the source the one that serves the item; null: it has none. Throws std::bad_alloc and changes nothing
    /// then; with null it never throws.
    void serve(Item& item, Source* source);
    /// The item has no source from now on.
    void leave(Item& item) noexcept;
    /// How many items of the service the source serves; null: items that nobody serves.
    [[nodiscard]] std::uint32_t count(std::uint16_t service, const Source* source) const noexcept;
    /// The item that has been in the list longest, apart from toBack(); null when the list is empty.
    [[nodiscard]] Item* first(std::uint16_t service, const Source* source) noexcept;
    /// The one behind it in the list; null: it was the last.
    [[nodiscard]] Item* next(const Item& item) noexcept {
        return item.sourceNext == Item::kNone ? nullptr : pool_.at(item.sourceNext);
    }
    /// It goes behind the others of its list.
    void toBack(Item& item) noexcept;
    /// Any item of the service; null: there is none.
    [[nodiscard]] Item* anyOf(std::uint16_t service) noexcept;
    /// Of all items of all services that the source serves one; null: there is none.
    [[nodiscard]] Item* anyOf(const Source& source) noexcept;
    /// Calls `f` with each item of the service; `f` may erase or serve() the item it is called with, and no other.
    template <class F>
    void forEachOf(std::uint16_t service, const Source* source, F&& f) {
        for (Item* item = first(service, source); item != nullptr;) {
            Item* const after = next(*item);
            f(*item);
            item = after;
        }
    }
    /// Calls `f` with each source that serves items of the service, which `f` leaves as they are.
    template <class F>
    void forEachSource(std::uint16_t service, F&& f) {
        if (service >= byService_.size()) return;
        for (Source* const source : byService_[service].sources)
            f(*source);
    }

    /// Of an index that is in use.
    [[nodiscard]] Item& operator[](std::uint32_t index) noexcept { return *pool_.at(index); }
    /// Null when the item of that generation is gone.
    [[nodiscard]] Item* find(std::uint32_t index, std::uint32_t generation) noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Every item; `f` may erase the item it is called with, and no other.
    void forEach(const std::function<void(Item&)>& f);
    /// Fetches the record into the cache of the processor. Any number.
    void prefetch(std::uint32_t index) const noexcept {
        const auto* const record = reinterpret_cast<const std::byte*>(pool_.at(index));
        if (record == nullptr) return;
        __builtin_prefetch(record);
        __builtin_prefetch(record + sizeof(Item) / 2);
    }
    /// The record of any number, in use or not; null: there is none. For fetching what it leads to.
    [[nodiscard]] const Item* peek(std::uint32_t index) const noexcept { return pool_.at(index); }
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

    struct OfService {
        ItemList unserved;
        std::vector<Source*> sources;  // whose lists are not empty
    };
    [[nodiscard]] ItemList* listOf(std::uint16_t service, const Source* source) noexcept;
    void link(Item& item, ItemList& list) noexcept;
    void unlink(Item& item) noexcept;

    std::vector<OfService> byService_;
    reactor::Pool<Item> pool_;
    reactor::ItemSet<std::uint32_t, Hash, Equal> byKey_;
    std::vector<std::byte> scratch_;
    std::size_t size_ = 0;
};

}  // namespace emissary::hub

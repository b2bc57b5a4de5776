// Puts mounts on items and takes them off; both sides know each other's place.
#pragma once

#include "hub/core/Client.h"
#include "hub/core/ItemTable.h"

#include <algorithm>
#include <new>

namespace emissary::hub {

/// The list of an item grows by doubling and shrinks by halves; its order has no meaning, and changes with remove().
/// `Items` finds a record by its index; a record has `index`, `mounts`, `mountCount` and `mountRoom`: an Item, or what
/// stands for it where only its mounts are known (relay/Mirror.h).
template <class Items>
class MountsOf {
public:
    MountsOf(Items& items, ClientTable& clients) noexcept : items_(items), clients_(clients) {}

    /// The client has no mount on that stream. The reference is good until the next add() or remove() on the item.
    /// Throws std::bad_alloc, and nothing has happened then.
    template <class Record>
    Mount& add(Record& item, Client& client, std::int32_t stream, std::uint16_t flags, std::uint16_t view) {
        if (item.mountCount == item.mountRoom) resize(item, item.mountRoom == 0 ? 1 : item.mountRoom * 2);
        const std::uint32_t at = item.mountCount;
        client.mounts.emplace(stream, MountPlace{item.index, at});
        item.mounts[at] = Mount{client.index, stream, view, flags};
        ++item.mountCount;
        ++size_;
        return item.mounts[at];
    }
    /// Null when the client has none on that stream.
    [[nodiscard]] Mount* find(const Client& client, std::int32_t stream) noexcept {
        const auto found = client.mounts.find(stream);
        return found == client.mounts.end() ? nullptr : &items_[found->second.item].mounts[found->second.at];
    }
    /// Null when the client has no mount on that stream.
    [[nodiscard]] auto* itemOf(const Client& client, std::int32_t stream) noexcept {
        const auto found = client.mounts.find(stream);
        return found == client.mounts.end() ? nullptr : &items_[found->second.item];
    }
    /// The mount in place `at`; another one may come into its place.
    template <class Record>
    void remove(Record& item, std::uint32_t at) noexcept {
        const Mount gone = item.mounts[at];
        clients_[gone.client].mounts.erase(gone.stream);
        const std::uint32_t last = --item.mountCount;
        --size_;
        if (at != last) {
            const Mount& moved = item.mounts[at] = item.mounts[last];
            clients_[moved.client].mounts.find(moved.stream)->second.at = at;
        }
        if (last == 0) {
            delete[] item.mounts;
            item.mounts = nullptr;
            item.mountRoom = 0;
        } else if (last * 4 <= item.mountRoom) {
            try {
                resize(item, item.mountRoom / 2);
            } catch (const std::bad_alloc&) {}  // the larger one does as well
        }
    }
    /// By stream; false when there is none.
    bool remove(Client& client, std::int32_t stream) noexcept {
        const auto found = client.mounts.find(stream);
        if (found == client.mounts.end()) return false;
        const MountPlace place = found->second;
        remove(items_[place.item], place.at);
        return true;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    template <class Record>
    static void resize(Record& item, std::uint32_t room) {
        auto* const mounts = new Mount[room];
        std::copy_n(item.mounts, item.mountCount, mounts);
        delete[] item.mounts;
        item.mounts = mounts;
        item.mountRoom = room;
    }

    Items& items_;
    ClientTable& clients_;
    std::size_t size_ = 0;
};

using Mounts = MountsOf<ItemTable>;

}  // namespace emissary::hub

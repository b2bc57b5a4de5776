// Puts mounts on items and takes them off; both sides know each other's place.
#pragma once

#include "hub/core/Client.h"
#include "hub/core/ItemTable.h"

#include <algorithm>
#include <new>

namespace emissary::hub {

/// The list of an item grows by doubling and shrinks by halves. It has three divisions, each without order: up to
/// `liveCount` those that updates are looked at for; up to `missedFrom` those that get none and have missed none; then
/// those that get none and have missed some (Mount::missed). So an update costs nothing for mounts that are paused,
/// however many they are. `Items` finds a record by its index; a record has `index`, `mounts`, `mountCount`,
/// `mountRoom`, `liveCount` and `missedFrom`: an Item, or what stands for it where only its mounts are known
/// (relay/Mirror.h).
template <class Items>
class MountsOf {
public:
    MountsOf(Items& items, ClientTable& clients) noexcept : items_(items), clients_(clients) {}

    /// The client has no mount on that stream. The reference is good until the next call for the item that changes its
    /// list; the mount is a live one. Throws std::bad_alloc, and nothing has happened then.
    template <class Record>
    Mount& add(Record& item, Client& client, std::int32_t stream, std::uint16_t flags, std::uint16_t view) {
        if (item.mountCount == item.mountRoom) resize(item, item.mountRoom == 0 ? 1 : item.mountRoom * 2);
        MountPlace& place = client.mounts.emplace(stream, MountPlace{item.index, 0}).first->second;
        // The first of each division behind goes to its end, which makes room before it.
        std::uint32_t at = item.mountCount++;
        at = giveWay(item, item.missedFrom++, at);
        at = giveWay(item, item.liveCount++, at);
        item.mounts[at] = Mount{client.index, stream, view, flags};
        place.at = at;
        if constexpr (requires { item.keyCost(); }) client.keyBytes += item.keyCost();
        if (client.userMounts != nullptr) ++*client.userMounts;
        ++size_;
        return item.mounts[at];
    }
    /// Updates are not looked at for this mount any more; it is another place afterwards.
    template <class Record>
    Mount& quieten(Record& item, Mount& mount) noexcept {
        auto at = static_cast<std::uint32_t>(&mount - item.mounts);
        if (at < item.liveCount) at = swap(item, at, --item.liveCount);
        if (at < item.missedFrom && item.mounts[at].is(Mount::missed)) at = swap(item, at, --item.missedFrom);
        return item.mounts[at];
    }
    /// The opposite. Mount::missed stays.
    template <class Record>
    Mount& enliven(Record& item, Mount& mount) noexcept {
        auto at = static_cast<std::uint32_t>(&mount - item.mounts);
        if (at >= item.missedFrom) at = swap(item, at, item.missedFrom++);
        if (at >= item.liveCount) at = swap(item, at, item.liveCount++);
        return item.mounts[at];
    }
    /// It has what it had missed.
    template <class Record>
    Mount& caughtUp(Record& item, Mount& mount) noexcept {
        auto at = static_cast<std::uint32_t>(&mount - item.mounts);
        mount.set(Mount::missed, false);
        if (at >= item.missedFrom) at = swap(item, at, item.missedFrom++);
        return item.mounts[at];
    }
    /// An update passes by those that get none: marks those that had missed nothing.
    template <class Record>
    static void passBy(Record& item) noexcept {
        while (item.missedFrom != item.liveCount)
            item.mounts[--item.missedFrom].set(Mount::missed, true);
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
    /// The mount in place `at`; another one may come into its place. Who takes off all, from the last one on, moves
    /// none.
    template <class Record>
    void remove(Record& item, std::uint32_t at) noexcept {
        const Mount gone = item.mounts[at];
        Client& client = clients_[gone.client];
        client.mounts.erase(gone.stream);
        if constexpr (requires { item.keyCost(); }) client.keyBytes -= item.keyCost();
        if (client.userMounts != nullptr) --*client.userMounts;
        // The last of each division fills the hole that the one before leaves at its end.
        if (at < item.liveCount) at = fill(item, at, --item.liveCount);
        if (at < item.missedFrom) at = fill(item, at, --item.missedFrom);
        const std::uint32_t last = --item.mountCount;
        fill(item, at, last);
        --size_;
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
    /// Into a place whose former mount is elsewhere, or gone.
    template <class Record>
    void put(Record& item, std::uint32_t at, const Mount& mount) noexcept {
        item.mounts[at] = mount;
        clients_[mount.client].mounts.find(mount.stream)->second.at = at;
    }
    /// The mount at `first` goes to the place `to`, which is free; returns the place that is free then.
    template <class Record>
    std::uint32_t giveWay(Record& item, std::uint32_t first, std::uint32_t to) noexcept {
        if (first != to) put(item, to, item.mounts[first]);
        return first;
    }
    /// The mount at `last` goes to the place `at`, which is free; returns the place that is free then.
    template <class Record>
    std::uint32_t fill(Record& item, std::uint32_t at, std::uint32_t last) noexcept {
        if (at != last) put(item, at, item.mounts[last]);
        return last;
    }
    /// Returns where the first one is now.
    template <class Record>
    std::uint32_t swap(Record& item, std::uint32_t at, std::uint32_t with) noexcept {
        if (at == with) return with;
        const Mount moved = item.mounts[at];
        put(item, at, item.mounts[with]);
        put(item, with, moved);
        return with;
    }
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

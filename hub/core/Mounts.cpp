#include "hub/core/Mounts.h"

#include <algorithm>
#include <memory>

namespace emissary::hub {

void Mounts::resize(Item& item, std::uint32_t room) {
    auto* const mounts = new Mount[room];
    std::copy_n(item.mounts, item.mountCount, mounts);
    delete[] item.mounts;
    item.mounts = mounts;
    item.mountRoom = room;
}

Mount& Mounts::add(Item& item, Client& client, std::int32_t stream, std::uint16_t flags, std::uint16_t view) {
    if (item.mountCount == item.mountRoom) resize(item, item.mountRoom == 0 ? 1 : item.mountRoom * 2);
    const std::uint32_t at = item.mountCount;
    client.mounts.emplace(stream, MountPlace{item.index, at});
    item.mounts[at] = Mount{client.index, stream, view, flags};
    ++item.mountCount;
    ++size_;
    return item.mounts[at];
}

Mount* Mounts::find(const Client& client, std::int32_t stream) noexcept {
    const auto found = client.mounts.find(stream);
    return found == client.mounts.end() ? nullptr : &items_[found->second.item].mounts[found->second.at];
}

Item* Mounts::itemOf(const Client& client, std::int32_t stream) noexcept {
    const auto found = client.mounts.find(stream);
    return found == client.mounts.end() ? nullptr : &items_[found->second.item];
}

void Mounts::remove(Item& item, std::uint32_t at) noexcept {
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

bool Mounts::remove(Client& client, std::int32_t stream) noexcept {
    const auto found = client.mounts.find(stream);
    if (found == client.mounts.end()) return false;
    const MountPlace place = found->second;
    remove(items_[place.item], place.at);
    return true;
}

}  // namespace emissary::hub

// Puts mounts on items and takes them off; both sides know each other's place.
#pragma once

#include "hub/core/Client.h"
#include "hub/core/ItemTable.h"

namespace emissary::hub {

/// The list of an item grows by doubling and shrinks by halves; its order has no meaning, and changes with remove().
class Mounts {
public:
    Mounts(ItemTable& items, ClientTable& clients) noexcept : items_(items), clients_(clients) {}

    /// The client has no mount on that stream. The reference is good until the next add() or remove() on the item.
    /// Throws std::bad_alloc, and nothing has happened then.
    Mount& add(Item& item, Client& client, std::int32_t stream, std::uint16_t flags, std::uint16_t view);
    /// Null when the client has none on that stream.
    [[nodiscard]] Mount* find(const Client& client, std::int32_t stream) noexcept;
    /// Null when the client has no mount on that stream.
    [[nodiscard]] Item* itemOf(const Client& client, std::int32_t stream) noexcept;
    /// The mount in place `at`; another one may come into its place.
    void remove(Item& item, std::uint32_t at) noexcept;
    /// By stream; false when there is none.
    bool remove(Client& client, std::int32_t stream) noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    void resize(Item& item, std::uint32_t room);

    ItemTable& items_;
    ClientTable& clients_;
    std::size_t size_ = 0;
};

}  // namespace emissary::hub

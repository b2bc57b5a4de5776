// hub/backbone: items of this hub's sources that a hub of a lower rank is asked for (PreferRank).
#pragma once

#include "hub/backbone/Exports.h"
#include "hub/core/ItemTable.h"
#include "hub/flow/ItemFlow.h"
#include "hub/nats/MeshMember.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <deque>
#include <functional>

namespace emissary::hub::backbone {

/// Asks for items of services for which other hubs come first (Service::meshFirst()), some of them in each look. A wish
/// stays open until its image can be shown: the other hub's source has as long as it needs, and is asked once. Who
/// serves an item goes on with it until that hub has sent an image that is Ok; then the item goes over to the mesh,
/// which shows the image, and clients see no state in between. Stage thread, with the session lock held.
class Wishes {
public:
    /// Borrowed; all of it outlives the wishes. `yield`: InteractiveSupply::yield().
    struct Rooms {
        reactor::Reactor& reactor;
        ItemTable& items;
        ServiceTable& services;
        flow::ItemFlow& flow;
        std::function<bool(Item&)> yield;
    };
    /// `mesh` is the source of items that have gone over.
    Wishes(Rooms rooms, const MeshSettings& settings, Source& mesh)
        : rooms_(std::move(rooms)), settings_(settings), mesh_(mesh) {}

    /// An item that `exports` gives other hubs stays with the own source that it has.
    void use(nats::MeshMember& member, const Exports& exports) {
        member_ = &member;
        exports_ = &exports;
    }
    void stop();
    /// Looks at some items, each in its turn. Not inside a call of the edge.
    void look();
    /// The edge has this item for a wish, and nobody else.
    [[nodiscard]] bool has(std::uint32_t index) const { return !asked_.empty() && asked_.contains(index); }
    /// The edge has an image, or a message, of such an item. The item that has gone over and is to show it; else null.
    [[nodiscard]] Item* take(std::uint32_t index, eta::Bytes messages);
    /// The edge has nothing for the wish: it is closed there, and asked for again later.
    void ended(std::uint32_t index);
    /// Nothing is asked of the mesh for the item any more. Not inside a call of the edge.
    void forget(std::uint32_t item);
    /// Whoever serves the item at the edge has a lower rank than this hub, and stays.
    [[nodiscard]] bool ranksBefore(std::uint32_t index) const noexcept;
    /// Items that went over.
    [[nodiscard]] std::uint64_t gone() const noexcept { return gone_; }

private:
    struct Wish {
        std::uint32_t generation = 0;
        std::int64_t index = -1;     ///< at the edge; -1: it is not asked now
        reactor::TimePoint again{};  ///< it is asked, or asked for its image once more
        std::uint32_t pauses = 1;    ///< times a second, from then on
    };
    void seek(const Service& service, std::size_t& left);
    void want(const Item& item);
    void ask(std::uint32_t item, Wish& wish);
    void drop(Wish& wish);

    const Rooms rooms_;
    const MeshSettings& settings_;
    Source& mesh_;
    nats::MeshMember* member_ = nullptr;
    const Exports* exports_ = nullptr;
    boost::unordered_flat_map<std::uint32_t, Wish> wishes_;          // by the item's index
    std::deque<std::uint32_t> turns_;                                // each of them once
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> asked_;  // items by their index at the edge
    std::uint64_t gone_ = 0;
};

}  // namespace emissary::hub::backbone

// Item groups of all sources, under numbers of the hub's own (hub.md 3.3).
#pragma once

#include "eta/core/Count.h"
#include "hub/core/ItemTable.h"
#include "hub/core/Source.h"
#include "hub/flow/Rooms.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::directory {

/// Written by the stage thread only.
struct GroupCounts {
    eta::Level<"emissary_hub_groups", "groups", "Item groups there are."> groups;
    eta::Total<"emissary_hub_groupless_total", "items", "Items put into no group since a service has 65,534 of them.">
        groupless;
};

/// A group's number belongs to its service; it is given back, and used again, when the last item has left. A group of
/// one source never has items of another, whatever its id.
class Groups final : public flow::GroupMap {
public:
    static constexpr std::size_t kMost = 65'534;  ///< groups of one service

    explicit Groups(ItemTable& items) noexcept : items_(items) {}

    // --- flow::GroupMap
    /// An item without a source is in no group.
    void put(Item& item, Bytes sourceGroup) override;
    void take(Item& item) noexcept override;

    /// The number of a source's group; 0: it has no items.
    [[nodiscard]] std::uint16_t find(std::uint16_t service, const Source& source, Bytes sourceGroup) const;
    /// What the source calls the item's group; empty where the item is in none. Good until the next call that changes a
    /// group.
    [[nodiscard]] Bytes sourceGroupOf(const Item& item) const noexcept;
    /// The numbers of all groups that a source has in the service.
    [[nodiscard]] std::vector<std::uint16_t> ofSource(std::uint16_t service, const Source& source) const;
    /// The group has items, and they are this source's.
    [[nodiscard]] bool belongs(std::uint16_t service, std::uint16_t group, const Source& source) const;
    /// The items of a group, by index and generation, because the caller may end items while it goes through them.
    struct Ref {
        std::uint32_t index, generation;
    };
    [[nodiscard]] std::vector<Ref> itemsOf(std::uint16_t service, std::uint16_t group) const;
    /// Moves all items of one of the source's groups to another group of it. Returns the new group's number, 0 when
    /// there was nothing to move.
    std::uint16_t merge(std::uint16_t service, const Source& source, Bytes group, Bytes into);

    [[nodiscard]] const GroupCounts& counts() const noexcept { return counts_; }

private:
    struct Group {
        std::string key;  // the source's number, then its id of the group
        std::uint32_t first = Item::kNone, size = 0;
    };
    struct Numbers {
        std::vector<Group> groups{1};  // by number; 0 is none
        std::vector<std::uint16_t> free;
        boost::unordered_flat_map<std::string, std::uint16_t> byKey;
    };
    static void makeKey(std::string& key, const Source& source, Bytes sourceGroup);
    [[nodiscard]] Numbers& numbersOf(std::uint16_t service);
    [[nodiscard]] const Numbers* find(std::uint16_t service) const noexcept {
        return service < byService_.size() ? byService_[service].get() : nullptr;
    }
    /// 0: there are too many.
    [[nodiscard]] std::uint16_t numberOf(Numbers& numbers, const std::string& key);
    void link(Numbers& numbers, Item& item, std::uint16_t number) noexcept;

    ItemTable& items_;
    std::vector<std::unique_ptr<Numbers>> byService_;
    mutable std::string key_;
    GroupCounts counts_;
};

}  // namespace emissary::hub::directory

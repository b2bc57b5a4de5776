// Passes states of whole groups and services from sources to their items and to clients (hub.md 3.3).
#pragma once

#include "hub/directory/Groups.h"
#include "hub/directory/StatusPace.h"
#include "hub/flow/ItemFlow.h"

#include <functional>

namespace emissary::hub::directory {

/// Clients that hear groups get one message for a group, the others one for an item.
class GroupStates {
public:
    /// What the owner of the items does before their state changes. Both may end the item.
    struct Hooks {
        /// The source has ended the item's stream by a state of its group or service.
        std::function<void(Item&, const eta::codec::State&)> ended;
        /// The source calls the item suspect. True: the item goes on with another source, without a status. May
        /// be empty.
        std::function<bool(Item&, const eta::codec::State&)> spare;
    };

    /// `pace` limits statuses sent item by item; null: no limit.
    GroupStates(Groups& groups, flow::ItemFlow& flow, ItemTable& items, ServiceTable& services,
                ServiceListener& clients, StatusPace* pace = nullptr) noexcept
        : groups_(groups), flow_(flow), items_(items), services_(services), clients_(clients), pace_(pace) {}
    GroupStates(const GroupStates&) = delete;
    GroupStates& operator=(const GroupStates&) = delete;

    /// For items of the group that had a refresh.
    void onGroupStatus(Source& source, Service& service, Bytes group, const eta::codec::State& state,
                       const Hooks& hooks);
    /// For all items that the source serves in the service.
    void onServiceStatus(Source& source, Service& service, const eta::codec::State& state, const Hooks& hooks);
    /// Takes effect with the next call here: a status for the same group goes out before it, as a message of its own.
    void onGroupMerged(Source& source, Service& service, Bytes group, Bytes into);
    [[nodiscard]] Groups& groups() noexcept { return groups_; }
    /// The source's message is over.
    void flush();
    /// The source is lost: its open items are suspect from now on. Private ones are not looked at.
    void suspect(Source& source, Service& service, std::uint8_t code, std::string_view text);
    // The same in pieces: each item, and then each group that still has items.
    void suspect(Item& item, std::uint8_t code, std::string_view text);
    void tellSuspect(const Source& source, Service& service, std::uint16_t group, std::uint8_t code,
                     std::string_view text);
    /// The source is about to end: a merger of it that waits is no more.
    void forget(const Source& source) noexcept {
        if (pending_.source == &source) pending_ = {};
    }

private:
    struct Merger {
        Source* source = nullptr;
        std::uint16_t service = 0;  // local
        std::vector<std::byte> group, into;
    };
    void toGroup(Source& source, Service& service, std::uint16_t number, const eta::codec::State& state,
                 const Hooks& hooks);

    Groups& groups_;
    flow::ItemFlow& flow_;
    ItemTable& items_;
    ServiceTable& services_;
    ServiceListener& clients_;
    StatusPace* const pace_;
    Merger pending_;
};

}  // namespace emissary::hub::directory

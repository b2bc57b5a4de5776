// The base of all parts of the flow.
#pragma once

#include "hub/core/Mounts.h"
#include "hub/core/Outputs.h"
#include "hub/core/Service.h"
#include "hub/core/ViewTable.h"
#include "hub/flow/flow_counts.h"

namespace emissary::hub::flow {

/// Local numbers of item groups. Implemented in the directory room.
class GroupMap {
public:
    virtual ~GroupMap() = default;
    /// The item belongs to its source's group of that id from now on; sets Item::group and its place in the group.
    virtual void put(Item& item, Bytes sourceGroup) = 0;
    /// The item is in no group any more.
    virtual void take(Item& item) noexcept = 0;

protected:
    /// The one place that writes Item::group; 0: it is in none.
    static void number(Item& item, std::uint16_t group) noexcept { item.group = group; }
};

/// Answers what waits on streams of an item. Implemented in the post room. Neither call ends the item or a mount.
class StreamEnds {
public:
    virtual ~StreamEnds() = default;
    /// Called before the streams of all mounts of the item, or of this mount alone, get their final message.
    virtual void onStreamsEnd(Item& item, const Mount* mount) = 0;
    /// The item's stream at its source is over, or goes on at another source; the item stays.
    virtual void onSourceStreamEnds(Item& item) = 0;
};

/// Borrowed; all of it outlives the flow.
struct Rooms {
    ItemTable& items;
    ClientTable& clients;
    ServiceTable& services;
    Mounts& mounts;
    Outputs& out;
    GroupMap& groups;
    ViewOwner& views;
    StreamEnds* ends = nullptr;  ///< ItemFlow::use(); null: nothing waits on streams
};

}  // namespace emissary::hub::flow

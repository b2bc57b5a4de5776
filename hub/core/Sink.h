// What gets items without being a connection of a client.
#pragma once

#include "hub/core/Deliveries.h"

namespace emissary::hub {

/// Gets what mounts of its own get, in order, as clients' mounts do. Its client (Outputs::attach()) is a record without
/// a connection, so ItemFlow knows no difference. No call may come back into the rooms before it has returned: a mount
/// that comes or goes meanwhile would move the list that is walked. Stage thread, with the session lock held.
class Sink {
public:
    /// A message for one of its mounts, as FanOut gets it: members that the mount does not want, its view, its stream
    /// id and the service id of a key are for the sink to see to (sink::ItemFeed does).
    virtual void deliver(Item& item, const Mount& mount, const Msg& msg) noexcept = 0;
    /// The mount goes for good; nothing more comes for it.
    virtual void ended(Item& item, const Mount& mount) noexcept = 0;
    /// What is told to its client alone, on a stream that need be no mount: the answer to a post.
    virtual void told(std::int32_t /*stream*/, const Msg& /*msg*/) noexcept {}

protected:
    ~Sink() = default;
};

/// Sees what goes to mounts of connections, after it went; sinks' mounts are not shown. Stage thread, with the session
/// lock held.
class MountObserver {
public:
    /// To all mounts of the item that `to` names.
    virtual void sent(Item& item, const Msg& msg, To to) noexcept = 0;
    /// To one mount.
    virtual void sent(Item& item, const Mount& mount, const Msg& msg) noexcept = 0;
    virtual void mounted(Item& item, const Mount& mount) noexcept = 0;
    virtual void unmounted(Item& item, const Mount& mount, Leaves how) noexcept = 0;
    /// See Deliveries.
    virtual void quietened(Item& item, Mount& mount) noexcept = 0;
    virtual void enlivened(const Item& item, const Mount& mount) noexcept = 0;

protected:
    ~MountObserver() = default;
};

}  // namespace emissary::hub

// What happens to items: messages of sources on their way through the cache to the mounts, and mounts that come and go.
#pragma once

#include "hub/cache/ImageStore.h"
#include "hub/core/Mounts.h"
#include "hub/core/Service.h"
#include "hub/fanout/FanOut.h"
#include "hub/flow/counts.h"

#include <map>

namespace emissary::hub::flow {

/// A request that passed the checks of hub.md 5.1.
struct JoinRequest {
    std::uint16_t service = 0;  ///< local id
    std::uint8_t domain = 0;
    const eta::codec::MsgKey* key = nullptr;
    bool streaming = true, noRefresh = false, isPrivate = false, qualified = false;
    std::uint16_t mountFlags = 0;  ///< Mount::paused, keyInUpdates, confInfo
    std::uint16_t view = 0;        ///< one reference to it goes over to the mount
};

/// Local numbers of item groups. Implemented in the directory room.
class GroupMap {
public:
    virtual ~GroupMap() = default;
    /// The item belongs to its source's group of that id from now on; sets Item::group and its place in the group.
    virtual void put(Item& item, Bytes sourceGroup) = 0;
    /// The item is in no group any more.
    virtual void take(Item& item) noexcept = 0;
};

/// Gives views back that mounts held. Implemented by fanout::ViewTable.
class ViewOwner {
public:
    virtual ~ViewOwner() = default;
    virtual void release(std::uint16_t view) noexcept = 0;
};

/// The one place that writes image, state and sequence number of items, and that decides which mount gets which
/// refresh (hub.md 5.2). All on the reactor's thread.
class ItemFlow {
public:
    struct Rooms {
        ItemTable& items;
        ClientTable& clients;
        ServiceTable& services;
        Mounts& mounts;
        fanout::FanOut& fanOut;
        GroupMap& groups;
        ViewOwner& views;
        reactor::Reactor& reactor;
    };
    explicit ItemFlow(Rooms rooms, std::size_t refreshPartBytes = 6000);
    ~ItemFlow();
    ItemFlow(const ItemFlow&) = delete;
    ItemFlow& operator=(const ItemFlow&) = delete;

    // --- clients
    /// The client has no mount on that stream. The refresh goes out at once from the cache, or the item's Supply is
    /// asked for it. False when the service's items are at their limit: nothing has happened.
    [[nodiscard]] bool join(Client& client, std::int32_t stream, const JoinRequest& request);
    /// A request on a stream that is open: what may change is taken over (pause, view, refresh wanted).
    struct Reissue {
        bool wantsRefresh = true, paused = false;
        std::optional<std::uint16_t> view;  ///< another one; its reference goes over
    };
    void reissue(Client& client, std::int32_t stream, const Reissue& reissue);
    /// The client closed the stream; unknown ones are ignored.
    void leave(Client& client, std::int32_t stream);
    /// The client is gone or logged out.
    void leaveAll(Client& client);
    /// Pause-all is over, or the client is no standby any more: each mount that missed something gets a refresh.
    void resume(Client& client);

    // --- sources; also posts that are applied here
    /// A refresh, update, status or generic message of the item from the source that serves it, as received. The item
    /// may be erased when it returns.
    void received(Item& item, const Msg& msg);
    /// The item's source is another one from now on (null: none). `bound` true: its next refresh replaces the image.
    void bind(Item& item, Source* source, std::uint64_t upstream);
    /// Everybody is told, once, that the data are suspect for now; the image is marked so. Mounts of clients that do
    /// not allow suspect data get ClosedRecover and go (hub.md 2.3).
    void suspect(Item& item, std::uint8_t code, std::string_view text);
    /// The state is Open/Ok again without a new image: a standby image took over, or a source said so by its group.
    void changeState(Item& item, const eta::codec::State& state, bool tell);
    /// A final state for everybody; mounts and image go, and the item with them.
    void close(Item& item, const eta::codec::State& state);
    /// Everybody gets the image as an unsolicited refresh.
    void sendImage(Item& item);
    /// The item is erased unless it has mounts or an image, or is bound to a source.
    void erase(Item& item);
    /// An item for what a publisher sends or a post creates; found or made. Null at the service's limit.
    [[nodiscard]] Item* take(std::uint16_t service, std::uint8_t domain, const eta::codec::MsgKey& key);

    /// Images of one service; made when first asked for.
    [[nodiscard]] cache::ImageStore& store(const Service& service);
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);
    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

private:
    struct Impl;
    Counts counts_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::hub::flow

// The way of messages from sources through the cache to the mounts; mounts that come and go.
#pragma once

#include "hub/cache/ImageStore.h"
#include "hub/flow/Rooms.h"
#include "hub/flow/SecondImage.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace emissary::hub::flow {

/// A request that passed the checks of hub.md 5.1.
struct JoinRequest {
    std::uint16_t service = 0;  ///< local id
    std::uint8_t domain = 0;
    const eta::codec::MsgKey* key = nullptr;
    bool streaming = true, noRefresh = false, isPrivate = false, qualified = false;
    bool early = false;            ///< it came before its service was up
    std::uint16_t mountFlags = 0;  ///< Mount::paused, keyInUpdates, confInfo
    std::uint16_t view = 0;        ///< one reference to it goes over to the mount
    /// The request itself: its priority counts; of a private stream it is kept for the source (ItemExtras::request).
    /// May be null.
    const Msg* request = nullptr;
};

/// What a request says of the members of updates: Mount::keyInUpdates, Mount::confInfo.
[[nodiscard]] inline std::uint16_t membersWanted(const Msg& request) noexcept {
    using namespace eta::codec;
    return static_cast<std::uint16_t>((request.has(RequestFlag::msgKeyInUpdates) ? Mount::keyInUpdates : 0) |
                                      (request.has(RequestFlag::confInfoInUpdates) ? Mount::confInfo : 0));
}

/// A request on a stream that is open.
struct Reissue {
    bool wantsRefresh = true, paused = false;
    std::optional<std::uint16_t> view{};  ///< another one; its reference goes over
    const Msg* request = nullptr;         ///< its priority and flags count from now on; may be null
    /// The client did not ask: a refresh is unsolicited, and a mount that gets no updates has it when it gets some
    /// again.
    bool unasked = false;
};

/// Which clients get a state.
enum class Tell : std::uint8_t {
    everybody,
    thoseWithoutGroups,  ///< the others hear it as the status of a group (ServiceListener::onGroupStatus)
    nobody,
};

/// The one place that writes image, state and sequence number of items, and that decides which mount gets which
/// refresh (hub.md 5.2). Stage thread only. Calls may come from inside the callbacks of Supply.
class ItemFlow {
public:
    explicit ItemFlow(const Rooms& rooms, std::size_t refreshPartBytes = 6000);
    ~ItemFlow();
    ItemFlow(const ItemFlow&) = delete;
    ItemFlow& operator=(const ItemFlow&) = delete;

    /// Sets the object that answers posts and requests that wait on streams. It outlives the flow's last message.
    void use(StreamEnds& ends) noexcept;

    // --- clients
    /// The client has no mount on that stream. The refresh goes out at once from the cache, or the item's Supply is
    /// asked for it. False when the service is unknown, its items are at their limit, or the key is longer than 32 KiB:
    /// nothing has happened then.
    [[nodiscard]] bool join(Client& client, std::int32_t stream, const JoinRequest& request);
    /// What may change is taken over. Unknown streams are ignored.
    void reissue(Client& client, std::int32_t stream, const Reissue& reissue);
    /// The client closed the stream; unknown ones are ignored.
    void leave(Client& client, std::int32_t stream);
    /// Applies the pause or standby state of the client to this mount. A mount that resumes and has missed updates gets
    /// a refresh; with `image` any mount that gets updates does. `resumed`: also when it was paused by itself. Unknown
    /// streams are ignored.
    void settle(Client& client, std::int32_t stream, bool resumed = false, bool image = false);

    // --- supplies
    /// The source is asked for another image, since what came meanwhile was sent to nobody: no mount gets an update
    /// before that image.
    void awaitImage(Item& item) noexcept;
    /// Those that wait get this image, which is not up to date and stays so: the next one to come asks the supply as
    /// well, and a refresh of the source takes its place. `image` is a refresh, solicited and complete, that says
    /// Suspect; the item may be gone when this returns.
    void showOutdated(Item& item, const Msg& image);
    /// Stops waiting for an image: each mount that waits gets a status with its state, then updates.
    void goOnWithoutImage(Item& item);

    // --- sources, and posts that are applied here
    /// A refresh, update, status or generic message of the item from the source that serves it, as received. The item
    /// may be gone when it returns. An update before the first refresh is counted and not passed on.
    void received(Item& item, const Msg& msg);
    /// Fetches into the cache what received() will look at: the image and the first mounts. Any record.
    void prefetch(const Item& item) const noexcept;
    /// Gives the item another source (null: none). The next refresh of that source replaces the image and goes to all
    /// mounts, or to those that got the loss as a status (suspect()).
    void bind(Item& item, Source* source, std::uint64_t upstream);
    /// The item's stream at its source is over, and nobody serves it until bind(). What clients have is not touched.
    void release(Item& item) noexcept;
    /// Another source goes on with the item: its image and what it said of itself become the item's, its state as well,
    /// and everybody gets the image. The item may be gone when this returns.
    void takeOver(Item& item, Source& source, std::uint64_t upstream, SecondImage second,
                  const eta::codec::State& state);
    /// Open/Suspect, until the next refresh. The item stays unless all its mounts go with that (hub.md 2.3); then it is
    /// for the caller to let it go.
    void suspect(Item& item, std::uint8_t code, std::string_view text, Tell tell = Tell::everybody);
    /// A state from elsewhere than the item's own stream: of its service or group (hub.md 3.3). A final one closes.
    void changeState(Item& item, const eta::codec::State& state, Tell tell);
    /// A final state for everybody; mounts and image go, and the item with them.
    void close(Item& item, const eta::codec::State& state);
    /// For an output that left messages of the item out for some clients, those for which `lacks` is true, and that
    /// passes on what this call sends to these clients alone. Sends the image to their mounts that get updates; without
    /// an image these get a Suspect status and wait for the next refresh. Mounts that get no updates have missed some.
    /// `state`: a state was left out too, and all mounts get the present one. True: the caller calls renewed() next,
    /// when its output is for everybody again.
    [[nodiscard]] bool renew(Item& item, bool state, const std::function<bool(const Client&)>& lacks);
    /// Asks the item's Supply for what renew() did not have. The item may be gone when it returns.
    void renewed(Item& item);
    /// The item goes, with its image. It has no mounts.
    void erase(Item& item) noexcept;
    /// The image goes, and the record stays, since a source that does not serve the item has published it. It is idle,
    /// with no mounts and no source.
    void forgetImage(Item& item) noexcept;
    /// Called for items that only posts had made (Item::onlyPosted) when they go, or when a source takes them.
    void onPostedGone(std::function<void(const Item&)> told);
    /// The item for what a publisher sends or a post creates; found or made. Null where join() says false.
    [[nodiscard]] Item* take(std::uint16_t service, std::uint8_t domain, const eta::codec::MsgKey& key);

    // --- images
    /// Of one service; made when first asked for. For second images of items; an item's own is not for others.
    [[nodiscard]] cache::ImageStore& store(std::uint16_t service);
    /// A late joiner can be served from the item's image.
    [[nodiscard]] bool hasImage(const Item& item) const noexcept;
    /// For all services, those to come included.
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

private:
    struct Parts;
    Counts counts_;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emissary::hub::flow

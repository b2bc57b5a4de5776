// Items of the hub for code of the hub itself: what a client gets, without a connection.
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "hub/core/Outputs.h"
#include "hub/core/ViewTable.h"
#include "hub/fanout/ViewFilter.h"
#include "hub/flow/ItemFlow.h"

#include <cstdint>
#include <string>
#include <utility>

namespace emissary::hub::sink {

/// Hears what comes on the streams of a feed, on the stage thread with the session lock held. No call may come back
/// into the feed or another room before it has returned: post it to the reactor (Reactor::post()).
class FeedHandler {
public:
    /// The next message of the stream: image, update, status or generic message, as a RIPC client gets it. Its stream
    /// id is the feed's, its service id the hub's. `raw` is there where the message goes out as it was received, but
    /// for the stream id. Everything borrows until the call returns. May throw std::bad_alloc: onLost() follows.
    virtual void onMessage(const Item& item, const Msg& msg) = 0;
    /// The stream is over: closed by its source, its service or ItemFeed::close(), or a snapshot that has come. What a
    /// final status said came before. Its number may be used again.
    virtual void onEnd(std::int32_t stream) noexcept = 0;
    /// Memory was short, or a payload could not be cut to the view: a message is missing. Closing the stream and
    /// opening it again mends that.
    virtual void onLost(std::int32_t stream) noexcept = 0;
    /// The answer to a post that was given to the post room as one of ItemFeed::poster(). Borrows as onMessage() does.
    virtual void onAck(const Msg& /*ack*/) noexcept {}

protected:
    ~FeedHandler() = default;
};

/// Borrowed; all of it outlives the feed.
struct FeedRooms {
    Outputs& outputs;
    ServiceTable& services;
    flow::ItemFlow& flow;
    ViewTable& views;
};

/// What is asked for. Private streams are not offered.
struct FeedRequest {
    std::uint16_t service = 0;  ///< local id
    std::uint8_t domain = 0;
    const eta::codec::MsgKey* key = nullptr;   ///< of the item; its service id does not count
    bool streaming = true;                     ///< else an image, and then the end
    std::uint16_t members = 0;                 ///< of updates: Mount::keyInUpdates, Mount::confInfo
    const reactor::rdm::View* view = nullptr;  ///< null: all fields
};

/// What became of a request.
enum class Opened : std::uint8_t {
    yes,
    inUse,    ///< the stream is open already
    unknown,  ///< there is no such service
    down,     ///< the service is down
    views,    ///< there are as many different views as may be
    items,    ///< the service has as many items as may be, or the key is longer than 32 KiB
};

/// Streams of one sink. They hold items open at their source as clients do, keep images, and share the request with
/// clients; updates are never joined or left out. Rights are not asked: whoever makes a feed answers for where its
/// items go. Stage thread only, with the session lock held.
class ItemFeed final : Sink {
public:
    /// `name` stands for the user where mounts are listed. Throws std::bad_alloc.
    ItemFeed(const FeedRooms& rooms, FeedHandler& handler, std::string name);
    /// Closes all streams; the handler hears nothing of that.
    ~ItemFeed();
    ItemFeed(const ItemFeed&) = delete;
    ItemFeed& operator=(const ItemFeed&) = delete;

    /// Messages may come before this returns, and the end as well. Anything but `yes`: nothing has happened. Throws
    /// std::bad_alloc; the stream is not open then.
    [[nodiscard]] Opened open(std::int32_t stream, const FeedRequest& request);
    /// A stream that is paused gets states only; it gets an image when it goes on, if it has missed updates.
    void pause(std::int32_t stream, bool on);
    /// onEnd() follows at once; unknown streams are ignored.
    void close(std::int32_t stream);

    /// Streams that are open.
    [[nodiscard]] std::size_t size() const noexcept { return client_.mounts.size(); }
    [[nodiscard]] const Client& client() const noexcept { return client_; }
    /// While it lives, what the feed's client does is done for a user at an address. Throws std::bad_alloc.
    class Poster {
    public:
        Poster(ItemFeed& feed, std::string user, std::string address) : client_(feed.client_) {
            feedName_ = std::exchange(client_.user, std::move(user));
            client_.address = std::move(address);
        }
        ~Poster() {
            client_.user = std::move(feedName_);
            client_.address.clear();
        }
        Poster(const Poster&) = delete;
        Poster& operator=(const Poster&) = delete;
        /// Off-stream posts have its login stream, which is 0.
        [[nodiscard]] Client& client() const noexcept { return client_; }

    private:
        Client& client_;
        std::string feedName_;
    };
    /// The feed's client, for calls of the post room that name no user (Poster names one).
    [[nodiscard]] Client& poster() noexcept { return client_; }

private:
    // --- Sink
    void deliver(Item& item, const Mount& mount, const Msg& msg) noexcept override;
    void ended(Item& item, const Mount& mount) noexcept override;
    void told(std::int32_t stream, const Msg& msg) noexcept override;
    /// False: the view leaves nothing of an update.
    [[nodiscard]] bool cut(const Mount& mount, const Msg& msg, Msg& made);

    const FeedRooms rooms_;
    FeedHandler* handler_;  ///< null once the feed ends
    Client& client_;
    fanout::ViewFilter filter_;
    eta::GrowingBuffer payload_{4096};
};

}  // namespace emissary::hub::sink

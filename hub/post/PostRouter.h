// Routes posts and generic messages of clients (hub.md 7).
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Item.h"

namespace emissary::hub::post {

/// Implemented in this room, called by the client room with what consumers send. The client is logged in; the message
/// and its views live until the call returns.
class PostRouter {
public:
    virtual ~PostRouter() = default;
    /// A post on the stream of an item, or off-stream on the login: `item` is null then, and the key says which. On any
    /// other stream it is refused.
    virtual void onPost(Client& client, Item* item, const Msg& post) = 0;
    /// A generic message on the stream of an item; null: on the login or the directory stream, and the key may name a
    /// service. What the client room consumes itself (round trips, standby modes) does not come here.
    virtual void onGeneric(Client& client, Item* item, const Msg& generic) = 0;
    /// No further parts of a post come, which the client has left unfinished under this id.
    virtual void onPostGivenUp(Client& /*client*/, std::int32_t /*stream*/, std::uint32_t /*postId*/) {}
    /// The client is logged out or gone: nothing is answered to it any more.
    virtual void onClientGone(Client& client) noexcept = 0;
};

}  // namespace emissary::hub::post

// Sends each message about an item to batches, waiting services or streams.
#include "hub/client/ItemMessages.h"

namespace emissary::hub::client {

using namespace eta::codec;

bool ItemMessages::onMessage(Client& client, const Msg& m) {
    Item* item = nullptr;
    switch (m.cls) {
    case MsgClass::Request:
        onRequest(client, m);
        return true;
    case MsgClass::Close:
        return onClose(client, m);
    case MsgClass::Post:
    case MsgClass::Generic:
        item = context_.rooms.mounts.itemOf(client, m.streamId);
        // Posts may come on a stream whose item has gone: the room of the posts answers them with a nak.
        if (m.cls == MsgClass::Post) context_.rooms.posts.onPost(client, item, m);
        else if (item != nullptr) context_.rooms.posts.onGeneric(client, item, m);
        else break;
        return true;
    case MsgClass::Refresh:
    case MsgClass::Status:
    case MsgClass::Update:
    case MsgClass::Ack:
        // These classes flow from the hub to a client only.
        break;
    }
    ++context_.counts.of.ignored;
    return false;
}

void ItemMessages::onRequest(Client& client, const Msg& m) {
    if (m.has(RequestFlag::batch)) return batches_.onRequest(client, m);
    TurnBudget& work = context_.rooms.out.work();
    work.spend(TurnBudget::kRequest + (m.has(RequestFlag::view) ? m.payload.size() * TurnBudget::kList : 0));
    RequestPayload payload;
    const PayloadError fault = readPayload(m, payload);
    if (Item* const item = context_.rooms.mounts.itemOf(client, m.streamId))
        return streams_.reissue(client, *item, m, m.streamId, payload, fault, ItemStreams::Key::compared);
    // A new request on the stream of a waiting one replaces it, so the old copy leaves the bounds of the client first.
    streams_.drop(client, m.streamId);  // this one is in its place
    streams_.open(client, m, m.streamId, payload, fault);
}

bool ItemMessages::onClose(Client& client, const Msg& m) {
    if (m.has(CloseFlag::batch)) {
        batches_.onClose(client, m);
        return true;
    }
    const bool waited = streams_.drop(client, m.streamId);
    if (!waited && context_.rooms.mounts.find(client, m.streamId) == nullptr) {
        ++context_.counts.of.ignored;
        return false;
    }
    ++context_.counts.of.closes;
    context_.rooms.out.work().spend(TurnBudget::kRequest);
    if (!waited) streams_.leave(client, m.streamId);
    // The ack is last, so it follows whatever leaving the item has sent.
    if (m.has(CloseFlag::ack)) replies_.closed(client, m, m.streamId);
    return true;
}

}  // namespace emissary::hub::client

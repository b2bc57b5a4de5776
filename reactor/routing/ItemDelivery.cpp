// Rewrites messages of a session for the application: handle, service id, and states that the router hides.
#include "routing/ItemDelivery.h"

#include "reactor/rdm/stream_state.h"

namespace emissary::reactor::routing {

using namespace eta::codec;

void ItemDelivery::onItem(Session& s, const Msg& msg, Item& item, std::string_view serviceName) {
    if (msg.cls != MsgClass::Update && requests_.noticesWaiting()) [[unlikely]] {
        const Handle handle = item.request->handle();
        requests_.deliverNotices();
        if (items_.find(handle) != &item) return;
    }
    Request& r = *item.request;
    Msg out = msg;
    const bool isData = msg.streamId < 0;  // opened by a symbol list
    out.streamId = isData
                       ? msg.streamId * static_cast<std::int32_t>(sessions_.size()) - static_cast<std::int32_t>(s.index)
                       : r.appStreamId;
    if (item.service != nullptr && out.hasKey() && out.key.has(KeyFlag::serviceId))
        out.key.serviceId = item.service->id;
    const Recipient to = RequestTable::recipient(r);
    if (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Status) return sink_.onMessage(out, to, serviceName);

    if (!isData && leaves(s, msg, item)) {
        // The posts that wait there are answered first: another session does not know these posts.
        const Handle handle = r.handle();
        s.role->answerPosts(item.inner);
        if (items_.find(handle) != &item) return;
    }
    takeEffect(s, msg, item, isData, out);
    sink_.onMessage(out, to, serviceName);
}

/// The item goes to another session, since this one cannot serve it any more.
bool ItemDelivery::leaves(const Session& s, const Msg& msg, const Item& item) const {
    return recoverElsewhere_ && msg.hasState() && msg.state.data == DataState::suspect &&
           msg.state.stream == StreamState::open && item.wanted != nullptr && !item.isPrivate && login_.singleOpen() &&
           !placement_.serves(s, item);
}

/// The application has one stream whatever session serves it: only its first image is solicited, and the end of the
/// stream at a session that is over is none when another session may take the item on.
void ItemDelivery::takeEffect(Session& s, const Msg& msg, Item& item, bool isData, Msg& out) {
    if (msg.cls == MsgClass::Refresh && !isData) {
        if (item.refreshed) out.flags = static_cast<std::uint16_t>(out.flags & ~RefreshFlag::solicited);
        if (msg.has(RefreshFlag::complete)) item.refreshed = item.qosFixed = true;
    }
    if (rdm::endsStream(msg) && !s.role->knows(item.inner)) {
        item.inner = 0;
        const bool sessionIsOver =
            s.closed() && !sessions_.allClosed() && item.wanted != nullptr && msg.state.isFinal();
        if (sessionIsOver && login_.singleOpen() && !item.isPrivate) {
            out.state.stream = StreamState::open;
            out.state.data = DataState::suspect;
            placement_.detach(item);
        } else {
            items_.release(item, false);
        }
    } else if (!isData && leaves(s, msg, item)) {
        placement_.detach(item);
    }
}

}  // namespace emissary::reactor::routing

// Gives messages the form that a client gets, and opens and closes streams through ItemFlow.
#include "hub/sink/ItemFeed.h"

#include "hub/fanout/outgoing.h"

#include <new>

namespace emissary::hub::sink {

using namespace eta::codec;

namespace {
constexpr std::size_t kOneFilter = 256;  // of work, however short the payload
constexpr std::size_t kKeptBuffer = 256u << 10;
}  // namespace

ItemFeed::ItemFeed(const FeedRooms& rooms, FeedHandler& handler, std::string name)
    : rooms_(rooms), handler_(&handler), client_(rooms.outputs.attach(*this)) {
    client_.user = std::move(name);
}

ItemFeed::~ItemFeed() {
    handler_ = nullptr;
    while (!client_.mounts.empty())
        rooms_.flow.leave(client_, client_.mounts.begin()->first);
    rooms_.outputs.detach(client_);
}

Opened ItemFeed::open(std::int32_t stream, const FeedRequest& request) {
    if (client_.mounts.contains(stream)) return Opened::inUse;
    const Service* const service = rooms_.services.find(request.service);
    if (service == nullptr) return Opened::unknown;
    if (!service->up()) return Opened::down;
    std::uint16_t view = 0;
    if (request.view != nullptr) {
        view = rooms_.views.intern(*request.view);
        if (view == 0) return Opened::views;
    }
    flow::JoinRequest join;
    join.service = request.service;
    join.domain = request.domain;
    join.key = request.key;
    join.streaming = request.streaming;
    join.mountFlags = request.members & (Mount::keyInUpdates | Mount::confInfo);
    join.view = view;
    bool joined = false;
    try {
        joined = rooms_.flow.join(client_, stream, join);
    } catch (const std::bad_alloc&) {
        if (client_.mounts.contains(stream)) rooms_.flow.leave(client_, stream);
        throw;
    }
    if (joined) return Opened::yes;
    rooms_.views.release(view);
    return Opened::items;
}

void ItemFeed::pause(std::int32_t stream, bool on) {
    flow::Reissue reissue;
    reissue.wantsRefresh = false;
    reissue.paused = on;
    rooms_.flow.reissue(client_, stream, reissue);
}

void ItemFeed::close(std::int32_t stream) {
    rooms_.flow.leave(client_, stream);
}

void ItemFeed::deliver(Item& item, const Mount& mount, const Msg& msg) noexcept {
    if (handler_ == nullptr) return;
    try {
        const std::uint16_t taken = fanout::takenFrom(msg, mount.flags);
        const bool whole = mount.view == 0 && !fanout::lacksKey(msg, mount.flags);
        Msg made = fanout::changed(msg, item.service, mount.flags, [&] { return item.msgKey(); });
        if (!whole || !fanout::goesAsReceived(msg, item.service, taken)) made.raw = {};
        made.streamId = mount.stream;
        if (mount.view != 0 && (msg.cls == MsgClass::Update || msg.cls == MsgClass::Refresh) && !cut(mount, msg, made))
            return;
        handler_->onMessage(item, made);
    } catch (const std::bad_alloc&) { handler_->onLost(mount.stream); }
}

bool ItemFeed::cut(const Mount& mount, const Msg& msg, Msg& made) {
    payload_.trim(kKeptBuffer);
    rooms_.outputs.work().spend(kOneFilter + msg.payload.size() * TurnBudget::kFilter);
    switch (filter_.filter(rooms_.views[mount.view], msg.containerType, msg.payload, payload_.start())) {
    case fanout::ViewFilter::Left::something:
        break;
    case fanout::ViewFilter::Left::nothing:
        if (msg.cls == MsgClass::Update) return false;
        break;
    case fanout::ViewFilter::Left::malformed:
        handler_->onLost(mount.stream);
        return false;
    }
    made.payload = payload_.view();
    return true;
}

void ItemFeed::ended(Item& /*item*/, const Mount& mount) noexcept {
    if (handler_ != nullptr) handler_->onEnd(mount.stream);
}

void ItemFeed::told(std::int32_t /*stream*/, const Msg& msg) noexcept {
    if (handler_ != nullptr && msg.cls == MsgClass::Ack) handler_->onAck(msg);
}

}  // namespace emissary::hub::sink

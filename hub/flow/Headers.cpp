// Fills in refresh and status headers from the record of an item.
#include "hub/flow/Headers.h"

namespace emissary::hub::flow {

using namespace eta::codec;

// Big-endian on the wire: service id, group number (hub.md 3.3). Group 0 is the default group, two bytes of 0.
Bytes groupId(std::uint16_t service, std::uint16_t group, std::array<std::byte, 4>& room) noexcept {
    room = {};
    if (group == 0) return Bytes(room).first(2);
    room = {std::byte(service >> 8), std::byte(service & 0xFF), std::byte(group >> 8), std::byte(group & 0xFF)};
    return room;
}

/// A private stream is in no group towards its client: it always gets a status of its own, and one is enough.
Bytes Headers::group(const Item& item) noexcept {
    return groupId(item.service, item.is(Item::isPrivate) ? std::uint16_t{0} : item.group, group_);
}

Msg& Headers::refresh(const Item& item, bool solicited) noexcept {
    // One message object for each Headers: the caller sends it before it asks for the next one.
    Msg& m = msg_ = Msg{};
    m.cls = MsgClass::Refresh;
    m.domain = item.domain;
    // An image from the cache is the whole truth, so the client drops what it has (CLEAR_CACHE, hub.md 5.2).
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache;
    if (solicited) m.flags |= RefreshFlag::solicited;
    if (item.is(Item::isPrivate)) m.flags |= RefreshFlag::privateStream;
    sayQos(m, item.qos);
    if (item.is(Item::hasSeqNum)) {
        m.flags |= RefreshFlag::seqNum;
        m.seqNum = item.seqNum;
    }
    if (item.extras && !item.extras->permData.empty()) {
        m.flags |= RefreshFlag::permData;
        m.permData = item.extras->permData;
    }
    // The image's last change was a post: clients recognise their own by these members (hub.md 5.2).
    if (item.extras && item.extras->posted) {
        m.flags |= RefreshFlag::postUserInfo;
        m.postUserAddress = item.extras->postUserAddress;
        m.postUserId = item.extras->postUserId;
    }
    m.state = item.state();
    m.groupId = group(item);
    m.key = item.msgKey();
    m.containerType = static_cast<DataType>(item.containerType);
    return m;
}

Msg& Headers::status(const Item& item, const State& state) noexcept {
    Msg& m = msg_ = Msg{};
    m.cls = MsgClass::Status;
    m.domain = item.domain;
    m.flags = StatusFlag::state;
    if (item.is(Item::isPrivate)) m.flags |= StatusFlag::privateStream;
    m.state = state;
    return m;
}

}  // namespace emissary::hub::flow

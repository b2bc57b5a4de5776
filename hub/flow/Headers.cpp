// Fills in refresh and status headers from the record of an item.
#include "hub/flow/Headers.h"

namespace emissary::hub::flow {

using namespace eta::codec;

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
    Msg& m = msg_ = Msg{};
    m.cls = MsgClass::Refresh;
    m.domain = item.domain;
    m.flags = RefreshFlag::msgKey | RefreshFlag::complete | RefreshFlag::clearCache;
    if (solicited) m.flags |= RefreshFlag::solicited;
    if (item.is(Item::isPrivate)) m.flags |= RefreshFlag::privateStream;
    if (item.qos.timeliness != 0) {
        m.flags |= RefreshFlag::qos;
        m.qos = item.qos;
    }
    if (item.is(Item::hasSeqNum)) {
        m.flags |= RefreshFlag::seqNum;
        m.seqNum = item.seqNum;
    }
    if (item.extras && !item.extras->permData.empty()) {
        m.flags |= RefreshFlag::permData;
        m.permData = item.extras->permData;
    }
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

// RefreshMsg and StatusMsg (ema-api.md 4.3, 4.4).
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/StatusMsg.h"
#include "data/message_members.h"

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;

EMISSARY_MESSAGE(RefreshMsg, Refresh)
EMISSARY_SERVICE_NAME(RefreshMsg)
EMISSARY_SEQ_NUM(RefreshMsg, codec::RefreshFlag)
EMISSARY_PART_NUM(RefreshMsg, codec::RefreshFlag)
EMISSARY_PERMISSION(RefreshMsg, codec::RefreshFlag)
EMISSARY_PUBLISHER(RefreshMsg, codec::RefreshFlag)
EMISSARY_FLAG(RefreshMsg, solicited, getSolicited, codec::RefreshFlag::solicited)
EMISSARY_FLAG(RefreshMsg, doNotCache, getDoNotCache, codec::RefreshFlag::doNotCache)
EMISSARY_FLAG(RefreshMsg, clearCache, getClearCache, codec::RefreshFlag::clearCache)
EMISSARY_FLAG(RefreshMsg, complete, getComplete, codec::RefreshFlag::complete)
EMISSARY_FLAG(RefreshMsg, privateStream, getPrivateStream, codec::RefreshFlag::privateStream)

bool RefreshMsg::hasQos() const {
    return impl_->has(codec::RefreshFlag::qos);
}
RefreshMsg& RefreshMsg::qos(UInt32 timeliness, UInt32 rate) {
    impl_->change().qos = emissary::ema::wireQos(timeliness, rate);
    impl_->setFlag(codec::RefreshFlag::qos, true);
    return *this;
}
const OmmQos& RefreshMsg::getQos() const {
    impl_->require(hasQos(), "getQos()");
    return impl_->qos();
}
const OmmState& RefreshMsg::getState() const {
    return impl_->state();
}
RefreshMsg& RefreshMsg::state(OmmState::StreamState streamState, OmmState::DataState dataState, UInt8 statusCode,
                              const EmaString& statusText) {
    emissary::ema::setState(*impl_, streamState, dataState, statusCode, statusText);
    return *this;
}
/// A refresh always has a group; a peer that sends none means 0x0000.
const EmaBuffer& RefreshMsg::getItemGroup() const {
    static constexpr std::byte kDefault[2] = {};
    const emissary::ema::Bytes group = impl_->wire->groupId;
    return impl_->bufferOf(emissary::ema::MsgImpl::groupBuffer, group.empty() ? emissary::ema::Bytes(kDefault) : group);
}
RefreshMsg& RefreshMsg::itemGroup(const EmaBuffer& itemGroup) {
    impl_->change().groupId = impl_->keep(emissary::ema::MsgImpl::groupId, emissary::ema::bytesOf(itemGroup));
    return *this;
}

EMISSARY_MESSAGE(StatusMsg, Status)
EMISSARY_SERVICE_NAME(StatusMsg)
EMISSARY_PERMISSION(StatusMsg, codec::StatusFlag)
EMISSARY_PUBLISHER(StatusMsg, codec::StatusFlag)
EMISSARY_FLAG(StatusMsg, clearCache, getClearCache, codec::StatusFlag::clearCache)
EMISSARY_FLAG(StatusMsg, privateStream, getPrivateStream, codec::StatusFlag::privateStream)

bool StatusMsg::hasState() const {
    return impl_->has(codec::StatusFlag::state);
}
const OmmState& StatusMsg::getState() const {
    impl_->require(hasState(), "getState()");
    return impl_->state();
}
StatusMsg& StatusMsg::state(OmmState::StreamState streamState, OmmState::DataState dataState, UInt8 statusCode,
                            const EmaString& statusText) {
    emissary::ema::setState(*impl_, streamState, dataState, statusCode, statusText);
    impl_->setFlag(codec::StatusFlag::state, true);
    return *this;
}
bool StatusMsg::hasItemGroup() const {
    return impl_->has(codec::StatusFlag::groupId);
}
const EmaBuffer& StatusMsg::getItemGroup() const {
    impl_->require(hasItemGroup(), "getItemGroup()");
    return impl_->bufferOf(emissary::ema::MsgImpl::groupBuffer, impl_->wire->groupId);
}
StatusMsg& StatusMsg::itemGroup(const EmaBuffer& itemGroup) {
    impl_->change().groupId = impl_->keep(emissary::ema::MsgImpl::groupId, emissary::ema::bytesOf(itemGroup));
    impl_->setFlag(codec::StatusFlag::groupId, true);
    return *this;
}

}  // namespace refinitiv::ema::access

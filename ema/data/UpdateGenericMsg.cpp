// UpdateMsg and GenericMsg (ema-api.md 4.5, 4.6).
#include "Access/Include/GenericMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "data/message_members.h"

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;

EMISSARY_MESSAGE(UpdateMsg, Update)
EMISSARY_SERVICE_NAME(UpdateMsg)
EMISSARY_SEQ_NUM(UpdateMsg, codec::UpdateFlag)
EMISSARY_PERMISSION(UpdateMsg, codec::UpdateFlag)
EMISSARY_PUBLISHER(UpdateMsg, codec::UpdateFlag)
EMISSARY_FLAG(UpdateMsg, doNotCache, getDoNotCache, codec::UpdateFlag::doNotCache)
EMISSARY_FLAG(UpdateMsg, doNotConflate, getDoNotConflate, codec::UpdateFlag::doNotConflate)
EMISSARY_FLAG(UpdateMsg, doNotRipple, getDoNotRipple, codec::UpdateFlag::doNotRipple)

UInt8 UpdateMsg::getUpdateTypeNum() const {
    return impl_->wire->updateType;
}
EMISSARY_SET(UpdateMsg, updateTypeNum(UInt8 updateTypeNum), impl_->changePlain().updateType = updateTypeNum)
bool UpdateMsg::hasConflated() const {
    return impl_->has(codec::UpdateFlag::confInfo);
}
UpdateMsg& UpdateMsg::conflated(UInt16 count, UInt16 time) {
    // 15 bits on the wire (rwf.md 4.4).
    if (count > 32767) emissary::ema::throwOutOfRange("UpdateMsg: conflated count is above 32767");
    codec::Msg& m = impl_->change();
    m.conflationCount = count;
    m.conflationTime = time;
    impl_->setFlag(codec::UpdateFlag::confInfo, true);
    return *this;
}
/// Milliseconds over which the updates were conflated.
UInt16 UpdateMsg::getConflatedTime() const {
    impl_->require(hasConflated(), "getConflatedTime()");
    return impl_->wire->conflationTime;
}
UInt16 UpdateMsg::getConflatedCount() const {
    impl_->require(hasConflated(), "getConflatedCount()");
    return impl_->wire->conflationCount;
}

EMISSARY_MESSAGE(GenericMsg, Generic)
EMISSARY_SEQ_NUM(GenericMsg, codec::GenericFlag)
EMISSARY_PART_NUM(GenericMsg, codec::GenericFlag)
EMISSARY_PERMISSION(GenericMsg, codec::GenericFlag)
EMISSARY_FLAG(GenericMsg, complete, getComplete, codec::GenericFlag::complete)
EMISSARY_SET(GenericMsg, providerDriven(bool on), impl_->setFlag(codec::GenericFlag::providerDriven, on))
bool GenericMsg::hasSecondarySeqNum() const {
    return impl_->has(codec::GenericFlag::secondarySeqNum);
}
GenericMsg& GenericMsg::secondarySeqNum(UInt32 secondarySeqNum) {
    impl_->change().secondarySeqNum = secondarySeqNum;
    impl_->setFlag(codec::GenericFlag::secondarySeqNum, true);
    return *this;
}
UInt32 GenericMsg::getSecondarySeqNum() const {
    impl_->require(hasSecondarySeqNum(), "getSecondarySeqNum()");
    return impl_->wire->secondarySeqNum;
}

}  // namespace refinitiv::ema::access

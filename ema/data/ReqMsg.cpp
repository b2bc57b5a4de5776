// ReqMsg (ema-api.md 4.2): flags that mean their opposite on the wire, and qualities of service as ranges.
#include "Access/Include/ReqMsg.h"

#include "data/message_members.h"
#include "text/print.h"

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
namespace Flag = codec::RequestFlag;

EMISSARY_MESSAGE(ReqMsg, Request)
EMISSARY_SERVICE_NAME(ReqMsg)
EMISSARY_FLAG(ReqMsg, interestAfterRefresh, getInterestAfterRefresh, Flag::streaming)
EMISSARY_FLAG(ReqMsg, pause, getPause, Flag::pause)
EMISSARY_FLAG(ReqMsg, conflatedInUpdates, getConflatedInUpdates, Flag::confInfoInUpdates)
EMISSARY_FLAG(ReqMsg, privateStream, getPrivateStream, Flag::privateStream)

ReqMsg& ReqMsg::initialImage(bool on) {
    impl_->setFlag(Flag::noRefresh, !on);
    return *this;
}
bool ReqMsg::getInitialImage() const {
    return !impl_->has(Flag::noRefresh);
}

bool ReqMsg::hasPriority() const {
    return impl_->has(Flag::priority);
}
bool ReqMsg::hasQos() const {
    return impl_->has(Flag::qos);  // a worst QoS alone cannot be read through this API
}
bool ReqMsg::hasView() const {
    return impl_->has(Flag::view);
}
bool ReqMsg::hasBatch() const {
    return impl_->has(Flag::batch);
}
ReqMsg& ReqMsg::priority(UInt8 priorityClass, UInt16 priorityCount) {
    codec::Msg& m = impl_->change();
    m.priorityClass = priorityClass;
    m.priorityCount = priorityCount;
    impl_->setFlag(Flag::priority, true);
    return *this;
}
UInt8 ReqMsg::getPriorityClass() const {
    impl_->require(hasPriority(), "getPriorityClass()");
    return impl_->wire->priorityClass;
}
UInt16 ReqMsg::getPriorityCount() const {
    impl_->require(hasPriority(), "getPriorityCount()");
    return impl_->wire->priorityCount;
}

// Acceptable ranges on the wire are a best and a worst QoS; the "best of" values span them (ema-api.md 4.2).
ReqMsg& ReqMsg::qos(UInt32 timeliness, UInt32 rate) {
    constexpr UInt32 kAnyTimeliness = BestTimelinessEnum, kAnyDelay = BestDelayedTimelinessEnum,
                     kAnyRate = BestRateEnum, kAnyConflated = BestConflatedRateEnum;
    const bool rangeT = timeliness == kAnyTimeliness || timeliness == kAnyDelay;
    const bool rangeR = rate == kAnyRate || rate == kAnyConflated;
    codec::Qos best = emissary::ema::wireQos(rangeT ? 0 : timeliness, rangeR ? 0 : rate), worst = best;
    // 2 is an unknown amount and 3 a known one, 65535 the largest: a range reaches as far as the values of its kind
    // (rwf.md 2.9).
    if (timeliness == kAnyTimeliness) worst.timeliness = 2;
    if (timeliness == kAnyDelay) best.timeliness = 2, worst.timeliness = 3, worst.timeInfo = 65535;
    if (rangeR) worst.rate = 3, worst.rateInfo = 65535;
    if (rate == kAnyConflated) best.rate = 2;
    codec::Msg& m = impl_->change();
    m.qos = best;
    m.worstQos = worst;
    impl_->setFlag(Flag::qos, true);
    impl_->setFlag(Flag::worstQos, rangeT || rangeR);
    return *this;
}
UInt32 ReqMsg::getQosTimeliness() const {
    impl_->require(hasQos(), "getQosTimeliness()");
    return emissary::ema::requestQos(*impl_->wire).timeliness;
}
UInt32 ReqMsg::getQosRate() const {
    impl_->require(hasQos(), "getQosRate()");
    return emissary::ema::requestQos(*impl_->wire).rate;
}
const EmaString& ReqMsg::getRateAsString() const {
    return impl_->texts().rate = emissary::ema::requestRateText(getQosRate()).c_str();
}
const EmaString& ReqMsg::getTimelinessAsString() const {
    return impl_->texts().timeliness = emissary::ema::requestTimelinessText(getQosTimeliness()).c_str();
}
ReqMsg& ReqMsg::serviceListName(const EmaString& serviceListName) {
    impl_->setServiceList(serviceListName);
    return *this;
}

}  // namespace refinitiv::ema::access

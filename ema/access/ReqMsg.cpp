#include "Access/Include/ReqMsg.h"

#include "message_members.h"

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
    return impl_->has(Flag::qos) || impl_->has(Flag::worstQos);
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
    const codec::Qos &best = impl_->wire->qos, &worst = impl_->wire->worstQos;
    if (impl_->has(Flag::worstQos) && worst.timeliness != best.timeliness)
        return best.timeliness == 1 ? UInt32{BestTimelinessEnum} : UInt32{BestDelayedTimelinessEnum};
    return best.timeliness == 3   ? best.timeInfo
           : best.timeliness == 2 ? UInt32{BestDelayedTimelinessEnum}
                                  : UInt32{RealTimeEnum};
}
UInt32 ReqMsg::getQosRate() const {
    impl_->require(hasQos(), "getQosRate()");
    const codec::Qos &best = impl_->wire->qos, &worst = impl_->wire->worstQos;
    if (impl_->has(Flag::worstQos) && worst.rate != best.rate)
        return best.rate == 1 ? UInt32{BestRateEnum} : UInt32{BestConflatedRateEnum};
    return best.rate == 3 ? best.rateInfo : best.rate == 2 ? UInt32{JustInTimeConflatedEnum} : UInt32{TickByTickEnum};
}
const EmaString& ReqMsg::getRateAsString() const {
    EmaString& t = impl_->texts().words;
    switch (const UInt32 rate = getQosRate()) {
    case UInt32{TickByTickEnum}:
        return t = "TickByTick";
    case UInt32{JustInTimeConflatedEnum}:
        return t = "JustInTimeConflatedrate";
    case UInt32{BestConflatedRateEnum}:
        return t = "BestConflatedRate";
    case UInt32{BestRateEnum}:
        return t = "BestRate";
    default:
        return t.set("Rate on ReqMsg. Value = ").append(rate);
    }
}
const EmaString& ReqMsg::getTimelinessAsString() const {
    EmaString& t = impl_->texts().words;
    switch (const UInt32 timeliness = getQosTimeliness()) {
    case UInt32{RealTimeEnum}:
        return t = "RealTime";
    case UInt32{BestDelayedTimelinessEnum}:
        return t = "BestDelayedTimeliness";
    case UInt32{BestTimelinessEnum}:
        return t = "BestTimeliness";
    default:
        return t.set("QosTimeliness on ReqMsg. Value = ").append(timeliness);
    }
}
ReqMsg& ReqMsg::serviceListName(const EmaString&) {
    emissary::ema::throwInvalidUsage(
        "ReqMsg::serviceListName(): service lists (request routing) are not supported in this release",
        OmmInvalidUsageException::InvalidOperationEnum);
}

}  // namespace refinitiv::ema::access

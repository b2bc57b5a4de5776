// ReqMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Request: opens, changes or closes interest in an item.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API ReqMsg : public Msg {
public:
    enum Rate {
        TickByTickEnum = 0,
        JustInTimeConflatedEnum = 0xFFFFFF00,
        BestConflatedRateEnum = 0xFFFFFFFF,
        BestRateEnum = 0xFFFFFFFE
    };
    enum Timeliness { RealTimeEnum = 0, BestDelayedTimelinessEnum = 0xFFFFFFFF, BestTimelinessEnum = 0xFFFFFFFE };
    ReqMsg();
    ReqMsg(const ReqMsg& other);
    ReqMsg& operator=(const ReqMsg&) = delete;
    ~ReqMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    const EmaString& getRateAsString() const;
    const EmaString& getTimelinessAsString() const;
    bool hasPriority() const;
    bool hasQos() const;
    bool hasView() const;
    bool hasBatch() const;
    bool hasServiceName() const;
    UInt8 getPriorityClass() const;
    UInt16 getPriorityCount() const;
    UInt32 getQosTimeliness() const;
    UInt32 getQosRate() const;
    bool getInitialImage() const;
    bool getInterestAfterRefresh() const;
    bool getConflatedInUpdates() const;
    bool getPause() const;
    bool getPrivateStream() const;
    const EmaString& getServiceName() const;
    ReqMsg& clear();
    ReqMsg& streamId(Int32 streamId);
    ReqMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    ReqMsg& name(const EmaString& name);
    ReqMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    ReqMsg& serviceName(const EmaString& serviceName);
    ReqMsg& serviceId(UInt32 serviceId);
    ReqMsg& id(Int32 id);
    ReqMsg& filter(UInt32 filter);
    ReqMsg& priority(UInt8 priorityClass = 1, UInt16 priorityCount = 1);
    ReqMsg& qos(UInt32 timeliness = BestTimelinessEnum, UInt32 rate = BestRateEnum);
    ReqMsg& attrib(const ComplexType& data);
    ReqMsg& payload(const ComplexType& data);
    ReqMsg& extendedHeader(const EmaBuffer& Buffer);
    ReqMsg& initialImage(bool initialImage = true);
    ReqMsg& interestAfterRefresh(bool interestAfterRefresh = true);
    ReqMsg& pause(bool pause = false);
    ReqMsg& conflatedInUpdates(bool conflatedInUpdates = false);
    ReqMsg& privateStream(bool privateStream = false);
    /// Names a ServiceList of the configuration; exclusive with serviceName and serviceId.
    ReqMsg& serviceListName(const EmaString& serviceListName);
};

}  // namespace refinitiv::ema::access

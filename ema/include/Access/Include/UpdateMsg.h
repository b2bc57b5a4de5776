// UpdateMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Update: change of an item.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API UpdateMsg : public Msg {
public:
    UpdateMsg();
    UpdateMsg(const UpdateMsg& other);
    UpdateMsg& operator=(const UpdateMsg&) = delete;
    ~UpdateMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasSeqNum() const;
    bool hasPermissionData() const;
    bool hasConflated() const;
    bool hasPublisherId() const;
    bool hasServiceName() const;
    UInt8 getUpdateTypeNum() const;
    UInt32 getSeqNum() const;
    const EmaBuffer& getPermissionData() const;
    UInt16 getConflatedTime() const;
    UInt16 getConflatedCount() const;
    UInt32 getPublisherIdUserId() const;
    UInt32 getPublisherIdUserAddress() const;
    bool getDoNotCache() const;
    bool getDoNotConflate() const;
    bool getDoNotRipple() const;
    const EmaString& getServiceName() const;
    UpdateMsg& clear();
    UpdateMsg& streamId(Int32 streamId);
    UpdateMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    UpdateMsg& name(const EmaString& name);
    UpdateMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    UpdateMsg& serviceName(const EmaString& serviceName);
    UpdateMsg& serviceId(UInt32 serviceId);
    UpdateMsg& id(Int32 id);
    UpdateMsg& filter(UInt32 filter);
    UpdateMsg& updateTypeNum(UInt8 updateTypeNum);
    UpdateMsg& seqNum(UInt32 seqNum);
    UpdateMsg& permissionData(const EmaBuffer& permissionData);
    UpdateMsg& conflated(UInt16 count = 0, UInt16 time = 0);
    UpdateMsg& publisherId(UInt32 userId, UInt32 userAddress);
    UpdateMsg& attrib(const ComplexType& data);
    UpdateMsg& payload(const ComplexType& data);
    UpdateMsg& extendedHeader(const EmaBuffer& buffer);
    UpdateMsg& doNotCache(bool doNotCache = false);
    UpdateMsg& doNotConflate(bool doNotConflate = false);
    UpdateMsg& doNotRipple(bool doNotRipple = false);
};

}  // namespace refinitiv::ema::access

// RefreshMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmState.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Refresh: the image of an item.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API RefreshMsg : public Msg {
public:
    RefreshMsg();
    RefreshMsg(const RefreshMsg& other);
    RefreshMsg& operator=(const RefreshMsg&) = delete;
    ~RefreshMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasQos() const;
    bool hasSeqNum() const;
    bool hasPartNum() const;
    bool hasPermissionData() const;
    bool hasPublisherId() const;
    bool hasServiceName() const;
    const OmmState& getState() const;
    const OmmQos& getQos() const;
    UInt32 getSeqNum() const;
    UInt16 getPartNum() const;
    const EmaBuffer& getItemGroup() const;
    const EmaBuffer& getPermissionData() const;
    UInt32 getPublisherIdUserId() const;
    UInt32 getPublisherIdUserAddress() const;
    bool getSolicited() const;
    bool getDoNotCache() const;
    bool getComplete() const;
    bool getClearCache() const;
    bool getPrivateStream() const;
    const EmaString& getServiceName() const;
    RefreshMsg& clear();
    RefreshMsg& streamId(Int32 streamId);
    RefreshMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    RefreshMsg& name(const EmaString& name);
    RefreshMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    RefreshMsg& serviceName(const EmaString& serviceName);
    RefreshMsg& serviceId(UInt32 serviceId);
    RefreshMsg& id(Int32 id);
    RefreshMsg& filter(UInt32 filter);
    RefreshMsg& qos(UInt32 timeliness = OmmQos::RealTimeEnum, UInt32 rate = OmmQos::TickByTickEnum);
    RefreshMsg& state(OmmState::StreamState streamState = OmmState::OpenEnum,
                      OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = 0,
                      const EmaString& statusText = EmaString());
    RefreshMsg& seqNum(UInt32 seqNum);
    RefreshMsg& partNum(UInt16 partNum);
    RefreshMsg& itemGroup(const EmaBuffer& itemGroup);
    RefreshMsg& permissionData(const EmaBuffer& permissionData);
    RefreshMsg& publisherId(UInt32 userId, UInt32 userAddress);
    RefreshMsg& attrib(const ComplexType& data);
    RefreshMsg& payload(const ComplexType& data);
    RefreshMsg& extendedHeader(const EmaBuffer& buffer);
    RefreshMsg& solicited(bool solicited = false);
    RefreshMsg& doNotCache(bool doNotCache = false);
    RefreshMsg& clearCache(bool clearCache = false);
    RefreshMsg& complete(bool complete = true);
    RefreshMsg& privateStream(bool privateStream = false);
};

}  // namespace refinitiv::ema::access

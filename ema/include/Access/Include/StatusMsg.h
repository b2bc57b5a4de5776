// StatusMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "Access/Include/OmmState.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Status: state of a stream without an image.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API StatusMsg : public Msg {
public:
    StatusMsg();
    StatusMsg(const StatusMsg& other);
    StatusMsg& operator=(const StatusMsg&) = delete;
    ~StatusMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasItemGroup() const;
    bool hasState() const;
    bool hasPermissionData() const;
    bool hasPublisherId() const;
    bool hasServiceName() const;
    const OmmState& getState() const;
    const EmaBuffer& getItemGroup() const;
    const EmaBuffer& getPermissionData() const;
    UInt32 getPublisherIdUserId() const;
    UInt32 getPublisherIdUserAddress() const;
    bool getClearCache() const;
    bool getPrivateStream() const;
    const EmaString& getServiceName() const;
    StatusMsg& clear();
    StatusMsg& streamId(Int32 streamId);
    StatusMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    StatusMsg& name(const EmaString& name);
    StatusMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    StatusMsg& serviceName(const EmaString& serviceName);
    StatusMsg& serviceId(UInt32 serviceId);
    StatusMsg& id(Int32 id);
    StatusMsg& filter(UInt32 filter);
    StatusMsg& state(OmmState::StreamState streamState = OmmState::OpenEnum,
                     OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                     const EmaString& statusText = EmaString());
    StatusMsg& itemGroup(const EmaBuffer& itemGroup);
    StatusMsg& permissionData(const EmaBuffer& permissionData);
    StatusMsg& publisherId(UInt32 userId, UInt32 userAddress);
    StatusMsg& attrib(const ComplexType& data);
    StatusMsg& payload(const ComplexType& data);
    StatusMsg& extendedHeader(const EmaBuffer& buffer);
    StatusMsg& clearCache(bool clearCache = false);
    StatusMsg& privateStream(bool privateStream = false);
};

}  // namespace refinitiv::ema::access

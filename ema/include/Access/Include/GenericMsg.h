// GenericMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Generic: either direction, any content.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API GenericMsg : public Msg {
public:
    GenericMsg();
    GenericMsg(const GenericMsg& other);
    GenericMsg& operator=(const GenericMsg&) = delete;
    ~GenericMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasSeqNum() const;
    bool hasSecondarySeqNum() const;
    bool hasPartNum() const;
    bool hasPermissionData() const;
    UInt32 getSeqNum() const;
    UInt32 getSecondarySeqNum() const;
    UInt16 getPartNum() const;
    const EmaBuffer& getPermissionData() const;
    bool getComplete() const;
    GenericMsg& clear();
    GenericMsg& streamId(Int32 streamId);
    GenericMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    GenericMsg& name(const EmaString& name);
    GenericMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    GenericMsg& serviceId(UInt32 serviceId);
    GenericMsg& id(Int32 id);
    GenericMsg& filter(UInt32 filter);
    GenericMsg& seqNum(UInt32 seqNum);
    GenericMsg& secondarySeqNum(UInt32 secondarySeqNum);
    GenericMsg& partNum(UInt16 partNum);
    GenericMsg& permissionData(const EmaBuffer& permissionData);
    GenericMsg& attrib(const ComplexType& data);
    GenericMsg& payload(const ComplexType& data);
    GenericMsg& extendedHeader(const EmaBuffer& buffer);
    GenericMsg& providerDriven(bool providerDriven = true);
    GenericMsg& complete(bool complete = true);
};

}  // namespace refinitiv::ema::access

// AckMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Ack: answer to a post.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API AckMsg : public Msg {
public:
    enum NackCode {
        NoneEnum = 0,
        AccessDeniedEnum = 1,
        DeniedBySourceEnum = 2,
        SourceDownEnum = 3,
        SourceUnknownEnum = 4,
        NoResourcesEnum = 5,
        NoResponseEnum = 6,
        GatewayDownEnum = 7,
        SymbolUnknownEnum = 10,
        NotOpenEnum = 11,
        InvalidContentEnum = 12
    };
    AckMsg();
    AckMsg(const AckMsg& other);
    AckMsg& operator=(const AckMsg&) = delete;
    ~AckMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    const EmaString& getNackCodeAsString() const;
    bool hasSeqNum() const;
    bool hasNackCode() const;
    bool hasText() const;
    bool hasServiceName() const;
    UInt32 getSeqNum() const;
    UInt32 getAckId() const;
    UInt8 getNackCode() const;
    const EmaString& getText() const;
    bool getPrivateStream() const;
    const EmaString& getServiceName() const;
    AckMsg& clear();
    AckMsg& streamId(Int32 streamId);
    AckMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    AckMsg& name(const EmaString& name);
    AckMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    AckMsg& serviceName(const EmaString& serviceName);
    AckMsg& serviceId(UInt32 serviceId);
    AckMsg& id(Int32 id);
    AckMsg& filter(UInt32 filter);
    AckMsg& seqNum(UInt32 seqNum);
    AckMsg& ackId(UInt32 postId);
    AckMsg& nackCode(UInt8 nackCode);
    AckMsg& text(const EmaString& text);
    AckMsg& attrib(const ComplexType& attrib);
    AckMsg& payload(const ComplexType& payload);
    AckMsg& extendedHeader(const EmaBuffer& buffer);
    AckMsg& privateStream(bool privateStream = false);
};

}  // namespace refinitiv::ema::access

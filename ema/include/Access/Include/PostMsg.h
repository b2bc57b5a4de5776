// PostMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Post: contribution from a consumer.
/// See Msg for lifetime; setters return the message for chaining.
class EMA_ACCESS_API PostMsg : public Msg {
public:
    enum PostUserRights { CreateEnum = 0x01, DeleteEnum = 0x02, ModifyPermissionEnum = 0x04 };
    PostMsg();
    PostMsg(const PostMsg& other);
    PostMsg& operator=(const PostMsg&) = delete;
    ~PostMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    const EmaString& getPostUserRightsAsString() const;
    bool hasSeqNum() const;
    bool hasPostId() const;
    bool hasPartNum() const;
    bool hasPostUserRights() const;
    bool hasPermissionData() const;
    bool hasServiceName() const;
    UInt32 getSeqNum() const;
    UInt32 getPostId() const;
    UInt16 getPartNum() const;
    UInt16 getPostUserRights() const;
    const EmaBuffer& getPermissionData() const;
    UInt32 getPublisherIdUserId() const;
    UInt32 getPublisherIdUserAddress() const;
    bool getSolicitAck() const;
    bool getComplete() const;
    const EmaString& getServiceName() const;
    PostMsg& clear();
    PostMsg& streamId(Int32 streamId);
    PostMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    PostMsg& name(const EmaString& name);
    PostMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    PostMsg& serviceName(const EmaString& name);
    PostMsg& serviceId(UInt32 serviceId);
    PostMsg& id(Int32 id);
    PostMsg& filter(UInt32 filter);
    PostMsg& seqNum(UInt32 seqNum);
    PostMsg& postId(UInt32 postId);
    PostMsg& partNum(UInt16 partNum);
    PostMsg& postUserRights(UInt16 postUserRights);
    PostMsg& permissionData(const EmaBuffer& permissionData);
    PostMsg& publisherId(UInt32 UserId, UInt32 UserAddress);
    PostMsg& attrib(const ComplexType& data);
    PostMsg& payload(const ComplexType& data);
    PostMsg& extendedHeader(const EmaBuffer& buffer);
    PostMsg& solicitAck(bool ack = false);
    PostMsg& complete(bool complete = true);
};

}  // namespace refinitiv::ema::access

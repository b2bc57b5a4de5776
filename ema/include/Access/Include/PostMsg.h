// PostMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Data that a consumer contributes: on the handle of an item (on-stream), or on the login handle with name and service
/// (off-stream). Providers get it in OmmProviderClient::onPostMsg(). See Msg for building, lifetime and getters.
class EMA_ACCESS_API PostMsg : public Msg {
public:
    /// Bits of what the poster may do with the item.
    enum PostUserRights {
        CreateEnum = 0x01,           ///< create the item
        DeleteEnum = 0x02,           ///< delete it
        ModifyPermissionEnum = 0x04  ///< change its permissions
    };
    PostMsg();                      ///< market price domain, no key, no payload
    PostMsg(const PostMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    PostMsg& operator=(const PostMsg&) = delete;
    ~PostMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    /// The names joined by " | "; empty for 0, throws when not set.
    const EmaString& getPostUserRightsAsString() const;
    bool hasSeqNum() const;                      ///< whether there is a sequence number
    bool hasPostId() const;                      ///< whether an ack can name it
    bool hasPartNum() const;                     ///< whether this is a part of several
    bool hasPostUserRights() const;              ///< whether there are rights
    bool hasPermissionData() const;              ///< whether there are permissions
    bool hasServiceName() const;                 ///< whether the name of the service is known
    UInt32 getSeqNum() const;                    ///< the sender's number of this message
    UInt32 getPostId() const;                    ///< the number that an ack names
    UInt16 getPartNum() const;                   ///< 0 for the first part
    UInt16 getPostUserRights() const;            ///< bits of PostUserRights
    const EmaBuffer& getPermissionData() const;  ///< who may see the data, for the permission system
    UInt32 getPublisherIdUserId() const;         ///< the poster's number; 0 when not set
    UInt32 getPublisherIdUserAddress() const;    ///< the poster's IPv4 address as a number; 0 when not set
    bool getSolicitAck() const;                  ///< whether an ack is asked for
    bool getComplete() const;                    ///< whether it is the last or only part
    const EmaString& getServiceName() const;     ///< name of the service: as set, or by the directory of the connection
    PostMsg& clear();                            ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    PostMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    PostMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    PostMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    PostMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    /// Replaced by the id of the service when the message is sent. Throws OmmInvalidUsageException/InvalidOperation
    /// when serviceId() was called.
    PostMsg& serviceName(const EmaString& name);
    /// 0..65535, else OmmOutOfRangeException. Throws OmmInvalidUsageException/InvalidOperation when serviceName() was
    /// called.
    PostMsg& serviceId(UInt32 serviceId);
    PostMsg& id(Int32 id);             ///< the identifier in the key; the domain gives it a meaning
    PostMsg& filter(UInt32 filter);    ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    PostMsg& seqNum(UInt32 seqNum);    ///< the sender's number of this message
    PostMsg& postId(UInt32 postId);    ///< the number that an ack names; needed when one is asked for
    PostMsg& partNum(UInt16 partNum);  ///< 0 for the first part; above 32767 throws OmmOutOfRangeException
    /// Bits of PostUserRights; above 32767 throws OmmOutOfRangeException.
    PostMsg& postUserRights(UInt16 postUserRights);
    /// Says who may see the data, at most 32767 bytes; more throws OmmOutOfRangeException.
    PostMsg& permissionData(const EmaBuffer& permissionData);
    /// Number and IPv4 address of the poster, by convention its process id and host; sent as set, 0 and 0 otherwise.
    PostMsg& publisherId(UInt32 UserId, UInt32 UserAddress);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    PostMsg& attrib(const ComplexType& data);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    PostMsg& payload(const ComplexType& data);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    PostMsg& extendedHeader(const EmaBuffer& buffer);
    /// Asks for an AckMsg. submit() then needs a post id, and in each part but a last one a sequence number; without an
    /// ack in time (PostAckTimeout) the library makes a negative one.
    PostMsg& solicitAck(bool ack = false);
    PostMsg& complete(bool complete = true);  ///< whether it is the last or only part; false until set
};

}  // namespace refinitiv::ema::access

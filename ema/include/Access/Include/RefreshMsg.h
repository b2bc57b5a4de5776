// RefreshMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmState.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// The image of an item: all its fields, the state of the stream and what identifies it. Large images come in parts.
/// See Msg for building, lifetime and getters.
class EMA_ACCESS_API RefreshMsg : public Msg {
public:
    RefreshMsg();                         ///< market price domain, no key, no payload
    RefreshMsg(const RefreshMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    RefreshMsg& operator=(const RefreshMsg&) = delete;
    ~RefreshMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasQos() const;                         ///< whether the quality of service is known
    bool hasSeqNum() const;                      ///< whether there is a sequence number
    bool hasPartNum() const;                     ///< whether this is a part of several
    bool hasPermissionData() const;              ///< whether there are permissions
    bool hasPublisherId() const;                 ///< whether the poster is named
    bool hasServiceName() const;                 ///< whether the name of the service is known
    const OmmState& getState() const;            ///< state of stream and data; always there
    const OmmQos& getQos() const;                ///< quality of service that the source gives
    UInt32 getSeqNum() const;                    ///< the sender's number of this message
    UInt16 getPartNum() const;                   ///< 0 for the first part
    const EmaBuffer& getItemGroup() const;       ///< group for statuses of many items; two zero bytes when not set
    const EmaBuffer& getPermissionData() const;  ///< who may see the data, for the permission system
    UInt32 getPublisherIdUserId() const;         ///< the poster's number, often its process id
    UInt32 getPublisherIdUserAddress() const;    ///< the poster's IPv4 address as a number
    bool getSolicited() const;                   ///< whether it answers a request
    bool getDoNotCache() const;                  ///< whether caches leave the data out
    bool getComplete() const;                    ///< whether it is the last or only part
    bool getClearCache() const;                  ///< whether what was received before is to be forgotten
    bool getPrivateStream() const;               ///< whether the stream is for one consumer alone
    const EmaString& getServiceName() const;     ///< name of the service: as set, or by the directory of the connection
    RefreshMsg& clear();                         ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    RefreshMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    RefreshMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    RefreshMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    RefreshMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    /// Replaced by the id of the service when the message is sent. Throws OmmInvalidUsageException/InvalidOperation
    /// when serviceId() was called.
    RefreshMsg& serviceName(const EmaString& serviceName);
    /// 0..65535, else OmmOutOfRangeException. Throws OmmInvalidUsageException/InvalidOperation when serviceName() was
    /// called.
    RefreshMsg& serviceId(UInt32 serviceId);
    RefreshMsg& id(Int32 id);           ///< the identifier in the key; the domain gives it a meaning
    RefreshMsg& filter(UInt32 filter);  ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    /// Quality of service given: numbers as in OmmQos.
    RefreshMsg& qos(UInt32 timeliness = OmmQos::RealTimeEnum, UInt32 rate = OmmQos::TickByTickEnum);
    /// Not called means Open/Ok/None. The text is copied, at most 32767 bytes; more throws OmmOutOfRangeException.
    RefreshMsg& state(OmmState::StreamState streamState = OmmState::OpenEnum,
                      OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = 0,
                      const EmaString& statusText = EmaString());
    RefreshMsg& seqNum(UInt32 seqNum);    ///< the sender's number of this message
    RefreshMsg& partNum(UInt16 partNum);  ///< 0 for the first part; above 32767 throws OmmOutOfRangeException
    /// Group for statuses of many items, at most 255 bytes; more throws OmmOutOfRangeException.
    RefreshMsg& itemGroup(const EmaBuffer& itemGroup);
    /// Says who may see the data, at most 32767 bytes; more throws OmmOutOfRangeException.
    RefreshMsg& permissionData(const EmaBuffer& permissionData);
    /// Number and IPv4 address of the user who posted the data, taken from the PostMsg.
    RefreshMsg& publisherId(UInt32 userId, UInt32 userAddress);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    RefreshMsg& attrib(const ComplexType& data);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    RefreshMsg& payload(const ComplexType& data);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    RefreshMsg& extendedHeader(const EmaBuffer& buffer);
    RefreshMsg& solicited(bool solicited = false);    ///< whether it answers a request; false until set
    RefreshMsg& doNotCache(bool doNotCache = false);  ///< whether caches leave the data out
    RefreshMsg& clearCache(bool clearCache = false);  ///< whether receivers forget what they had before
    RefreshMsg& complete(bool complete = true);       ///< whether it is the last or only part; false until set
    /// For one consumer alone; answers get the flag of their request.
    RefreshMsg& privateStream(bool privateStream = false);
};

}  // namespace refinitiv::ema::access

// StatusMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "Access/Include/OmmState.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// A change of a stream's state without an image: open, suspect, closed. Also made by the library itself when
/// connections or services go. See Msg for building, lifetime and getters.
class EMA_ACCESS_API StatusMsg : public Msg {
public:
    StatusMsg();                        ///< market price domain, no key, no payload
    StatusMsg(const StatusMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    StatusMsg& operator=(const StatusMsg&) = delete;
    ~StatusMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasItemGroup() const;                   ///< whether it assigns an item group
    bool hasState() const;                       ///< whether it changes the state
    bool hasPermissionData() const;              ///< whether there are permissions
    bool hasPublisherId() const;                 ///< whether the poster is named
    bool hasServiceName() const;                 ///< whether the name of the service is known
    const OmmState& getState() const;            ///< state of stream and data
    const EmaBuffer& getItemGroup() const;       ///< group for statuses of many items
    const EmaBuffer& getPermissionData() const;  ///< who may see the data, for the permission system
    UInt32 getPublisherIdUserId() const;         ///< the poster's number, often its process id
    UInt32 getPublisherIdUserAddress() const;    ///< the poster's IPv4 address as a number
    bool getClearCache() const;                  ///< whether what was received before is to be forgotten
    bool getPrivateStream() const;               ///< whether the stream is for one consumer alone
    const EmaString& getServiceName() const;     ///< name of the service: as set, or by the directory of the connection
    StatusMsg& clear();                          ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    StatusMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    StatusMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    StatusMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    StatusMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    /// Replaced by the id of the service when the message is sent. Throws OmmInvalidUsageException/InvalidOperation
    /// when serviceId() was called.
    StatusMsg& serviceName(const EmaString& serviceName);
    /// 0..65535, else OmmOutOfRangeException. Throws OmmInvalidUsageException/InvalidOperation when serviceName() was
    /// called.
    StatusMsg& serviceId(UInt32 serviceId);
    StatusMsg& id(Int32 id);           ///< the identifier in the key; the domain gives it a meaning
    StatusMsg& filter(UInt32 filter);  ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    /// The text is copied, at most 32767 bytes; more throws OmmOutOfRangeException. A final stream state ends the
    /// stream.
    StatusMsg& state(OmmState::StreamState streamState = OmmState::OpenEnum,
                     OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                     const EmaString& statusText = EmaString());
    /// Group for statuses of many items, at most 255 bytes; more throws OmmOutOfRangeException.
    StatusMsg& itemGroup(const EmaBuffer& itemGroup);
    /// Says who may see the data, at most 32767 bytes; more throws OmmOutOfRangeException.
    StatusMsg& permissionData(const EmaBuffer& permissionData);
    /// Number and IPv4 address of the user who posted the data, taken from the PostMsg.
    StatusMsg& publisherId(UInt32 userId, UInt32 userAddress);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    StatusMsg& attrib(const ComplexType& data);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    StatusMsg& payload(const ComplexType& data);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    StatusMsg& extendedHeader(const EmaBuffer& buffer);
    StatusMsg& clearCache(bool clearCache = false);  ///< whether receivers forget what they had before
    /// For one consumer alone; answers get the flag of their request.
    StatusMsg& privateStream(bool privateStream = false);
};

}  // namespace refinitiv::ema::access

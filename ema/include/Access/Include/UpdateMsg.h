// UpdateMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// A change of an item: the fields that are new. See Msg for building, lifetime and getters.
class EMA_ACCESS_API UpdateMsg : public Msg {
public:
    UpdateMsg();                        ///< market price domain, no key, no payload
    UpdateMsg(const UpdateMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    UpdateMsg& operator=(const UpdateMsg&) = delete;
    ~UpdateMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasSeqNum() const;                      ///< whether there is a sequence number
    bool hasPermissionData() const;              ///< whether there are permissions
    bool hasConflated() const;                   ///< whether it says how many updates it stands for
    bool hasPublisherId() const;                 ///< whether the poster is named
    bool hasServiceName() const;                 ///< whether the name of the service is known
    UInt8 getUpdateTypeNum() const;              ///< rdm::INSTRUMENT_UPDATE_*; 0 is unspecified
    UInt32 getSeqNum() const;                    ///< the sender's number of this message
    const EmaBuffer& getPermissionData() const;  ///< who may see the data, for the permission system
    UInt16 getConflatedTime() const;             ///< milliseconds over which updates were merged
    UInt16 getConflatedCount() const;            ///< updates that were merged into this one
    UInt32 getPublisherIdUserId() const;         ///< the poster's number, often its process id
    UInt32 getPublisherIdUserAddress() const;    ///< the poster's IPv4 address as a number
    bool getDoNotCache() const;                  ///< whether caches leave the data out
    bool getDoNotConflate() const;               ///< whether it must not be merged with others
    bool getDoNotRipple() const;                 ///< whether old values must not move on (FieldEntry::getRippleTo())
    const EmaString& getServiceName() const;     ///< name of the service: as set, or by the directory of the connection
    UpdateMsg& clear();                          ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    UpdateMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    UpdateMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    UpdateMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    UpdateMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    /// Replaced by the id of the service when the message is sent. Throws OmmInvalidUsageException/InvalidOperation
    /// when serviceId() was called.
    UpdateMsg& serviceName(const EmaString& serviceName);
    /// 0..65535, else OmmOutOfRangeException. Throws OmmInvalidUsageException/InvalidOperation when serviceName() was
    /// called.
    UpdateMsg& serviceId(UInt32 serviceId);
    UpdateMsg& id(Int32 id);                        ///< the identifier in the key; the domain gives it a meaning
    UpdateMsg& filter(UInt32 filter);               ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    UpdateMsg& updateTypeNum(UInt8 updateTypeNum);  ///< rdm::INSTRUMENT_UPDATE_*, 0..255; not set is 0, unspecified
    UpdateMsg& seqNum(UInt32 seqNum);               ///< the sender's number of this message
    /// Says who may see the data, at most 32767 bytes; more throws OmmOutOfRangeException.
    UpdateMsg& permissionData(const EmaBuffer& permissionData);
    /// Number of merged updates, up to 32767 (more throws OmmOutOfRangeException), and milliseconds.
    UpdateMsg& conflated(UInt16 count = 0, UInt16 time = 0);
    /// Number and IPv4 address of the user who posted the data, taken from the PostMsg.
    UpdateMsg& publisherId(UInt32 userId, UInt32 userAddress);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    UpdateMsg& attrib(const ComplexType& data);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    UpdateMsg& payload(const ComplexType& data);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    UpdateMsg& extendedHeader(const EmaBuffer& buffer);
    UpdateMsg& doNotCache(bool doNotCache = false);        ///< whether caches leave the data out
    UpdateMsg& doNotConflate(bool doNotConflate = false);  ///< whether it must not be merged with others
    UpdateMsg& doNotRipple(bool doNotRipple = false);      ///< whether old values must not move on
};

}  // namespace refinitiv::ema::access

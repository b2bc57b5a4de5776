// GenericMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// A message in either direction on an open stream, with a meaning that consumer and provider agree on. See Msg for
/// building, lifetime and getters.
class EMA_ACCESS_API GenericMsg : public Msg {
public:
    GenericMsg();                         ///< market price domain, no key, no payload
    GenericMsg(const GenericMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    GenericMsg& operator=(const GenericMsg&) = delete;
    ~GenericMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    bool hasSeqNum() const;                      ///< whether there is a sequence number
    bool hasSecondarySeqNum() const;             ///< whether it acknowledges a message
    bool hasPartNum() const;                     ///< whether this is a part of several
    bool hasPermissionData() const;              ///< whether there are permissions
    UInt32 getSeqNum() const;                    ///< the sender's number of this message
    UInt32 getSecondarySeqNum() const;           ///< sequence number that it acknowledges
    UInt16 getPartNum() const;                   ///< 0 for the first part
    const EmaBuffer& getPermissionData() const;  ///< who may see the data, for the permission system
    bool getComplete() const;                    ///< whether it is the last or only part
    GenericMsg& clear();                         ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    GenericMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    GenericMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    GenericMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    GenericMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    GenericMsg& serviceId(UInt32 serviceId);              ///< 0..65535, else OmmOutOfRangeException
    GenericMsg& id(Int32 id);                             ///< the identifier in the key; the domain gives it a meaning
    GenericMsg& filter(UInt32 filter);                    ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    GenericMsg& seqNum(UInt32 seqNum);                    ///< the sender's number of this message
    GenericMsg& secondarySeqNum(UInt32 secondarySeqNum);  ///< sequence number of the message that it acknowledges
    GenericMsg& partNum(UInt16 partNum);  ///< 0 for the first part; above 32767 throws OmmOutOfRangeException
    /// Says who may see the data, at most 32767 bytes; more throws OmmOutOfRangeException.
    GenericMsg& permissionData(const EmaBuffer& permissionData);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    GenericMsg& attrib(const ComplexType& data);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    GenericMsg& payload(const ComplexType& data);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    GenericMsg& extendedHeader(const EmaBuffer& buffer);
    GenericMsg& providerDriven(bool providerDriven = true);  ///< for streams that providers open; rarely needed
    GenericMsg& complete(bool complete = true);              ///< whether it is the last or only part; false until set
};

}  // namespace refinitiv::ema::access

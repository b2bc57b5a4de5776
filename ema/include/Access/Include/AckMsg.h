// AckMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// The answer to a PostMsg that asked for one: positive without a nack code. The library makes a negative one itself
/// when none comes in time. See Msg for building, lifetime and getters.
class EMA_ACCESS_API AckMsg : public Msg {
public:
    /// Why a post was refused.
    enum NackCode {
        NoneEnum = 0,            ///< taken
        AccessDeniedEnum = 1,    ///< the poster may not
        DeniedBySourceEnum = 2,  ///< the source refused
        SourceDownEnum = 3,      ///< the source is down
        SourceUnknownEnum = 4,   ///< there is no such source
        NoResourcesEnum = 5,     ///< something ran out
        NoResponseEnum = 6,      ///< nothing came in time
        GatewayDownEnum = 7,     ///< the way to the source is down
        SymbolUnknownEnum = 10,  ///< there is no such item
        NotOpenEnum = 11,        ///< the item is not open
        InvalidContentEnum = 12  ///< the content cannot be used
    };
    AckMsg();                     ///< market price domain, no key, no payload
    AckMsg(const AckMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    AckMsg& operator=(const AckMsg&) = delete;
    ~AckMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    /// The enumerator without "Enum", or "Unknown NackCode value N"; throws when not set.
    const EmaString& getNackCodeAsString() const;
    bool hasSeqNum() const;                   ///< whether there is a sequence number
    bool hasNackCode() const;                 ///< whether it is negative (unless NoneEnum)
    bool hasText() const;                     ///< whether there is an explanation
    bool hasServiceName() const;              ///< whether the name of the service is known
    UInt32 getSeqNum() const;                 ///< sequence number of the post that it answers
    UInt32 getAckId() const;                  ///< the id of the post that it answers
    UInt8 getNackCode() const;                ///< one of NackCode, or a number of the sender's own
    const EmaString& getText() const;         ///< explanation for people
    bool getPrivateStream() const;            ///< whether the stream is for one consumer alone
    const EmaString& getServiceName() const;  ///< name of the service: as set, or by the directory of the connection
    AckMsg& clear();                          ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    AckMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    AckMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    AckMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    AckMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    /// Replaced by the id of the service when the message is sent. Throws OmmInvalidUsageException/InvalidOperation
    /// when serviceId() was called.
    AckMsg& serviceName(const EmaString& serviceName);
    /// 0..65535, else OmmOutOfRangeException. Throws OmmInvalidUsageException/InvalidOperation when serviceName() was
    /// called.
    AckMsg& serviceId(UInt32 serviceId);
    AckMsg& id(Int32 id);              ///< the identifier in the key; the domain gives it a meaning
    AckMsg& filter(UInt32 filter);     ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    AckMsg& seqNum(UInt32 seqNum);     ///< sequence number of the post that it answers
    AckMsg& ackId(UInt32 postId);      ///< the id of the post that it answers
    AckMsg& nackCode(UInt8 nackCode);  ///< one of NackCode; not set means the post was taken
    /// Explanation for people, at most 65535 bytes; more throws OmmOutOfRangeException.
    AckMsg& text(const EmaString& text);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    AckMsg& attrib(const ComplexType& attrib);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    AckMsg& payload(const ComplexType& payload);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    AckMsg& extendedHeader(const EmaBuffer& buffer);
    /// For one consumer alone; answers get the flag of their request.
    AckMsg& privateStream(bool privateStream = false);
};

}  // namespace refinitiv::ema::access

// ReqMsg (ema-api.md section 4).
#pragma once

#include "Access/Include/Msg.h"
#include "EmaRdm.h"

namespace refinitiv::ema::access {

/// Asks for an item, a login, a directory or a dictionary, or changes an open request (reissue). Providers get it in
/// callbacks. See Msg for building, lifetime and getters.
class EMA_ACCESS_API ReqMsg : public Msg {
public:
    /// How often updates may come; numbers 1..65535 are intervals (ema-api.md 4.2).
    enum Rate {
        TickByTickEnum = 0,                    ///< every change
        JustInTimeConflatedEnum = 0xFFFFFF00,  ///< conflated when the reader is slow
        BestConflatedRateEnum = 0xFFFFFFFF,    ///< the best conflated rate there is
        BestRateEnum = 0xFFFFFFFE              ///< the best rate there is
    };
    /// How old the data may be; numbers 1..65535 are delays.
    enum Timeliness {
        RealTimeEnum = 0,                        ///< no delay
        BestDelayedTimelinessEnum = 0xFFFFFFFF,  ///< the least delay there is, if any
        BestTimelinessEnum = 0xFFFFFFFE          ///< the least delay there is, or none
    };
    ReqMsg();                     ///< market price domain, no key, no payload
    ReqMsg(const ReqMsg& other);  ///< deep copy, also of a received message; the copy can be changed and kept
    ReqMsg& operator=(const ReqMsg&) = delete;
    ~ReqMsg() override;
    DataType::DataTypeEnum getDataType() const override;
    /// "TickByTick", "BestRate" ..., or "Rate on ReqMsg. Value = N"; throws without QoS.
    const EmaString& getRateAsString() const;
    /// "RealTime", "BestTimeliness" ..., or "QosTimeliness on ReqMsg. Value = N"; throws without QoS.
    const EmaString& getTimelinessAsString() const;
    bool hasPriority() const;                 ///< whether there is a priority
    bool hasQos() const;                      ///< whether a quality of service is asked for; none means any
    bool hasView() const;                     ///< whether the payload limits the fields (:ViewType)
    bool hasBatch() const;                    ///< whether the payload lists items (:ItemList)
    bool hasServiceName() const;              ///< whether the name of the service is known
    UInt8 getPriorityClass() const;           ///< higher is more important
    UInt16 getPriorityCount() const;          ///< weight within the class
    UInt32 getQosTimeliness() const;          ///< one of Timeliness, or a delay 1..65535
    UInt32 getQosRate() const;                ///< one of Rate, or an interval 1..65535
    bool getInitialImage() const;             ///< whether a refresh is asked for
    bool getInterestAfterRefresh() const;     ///< whether updates are wanted behind the refresh; false: a snapshot
    bool getConflatedInUpdates() const;       ///< whether updates shall say how many they stand for
    bool getPause() const;                    ///< whether the stream is to be paused
    bool getPrivateStream() const;            ///< whether the stream is for one consumer alone
    const EmaString& getServiceName() const;  ///< name of the service: as set, or by the directory of the connection
    ReqMsg& clear();                          ///< back to the state after construction; the memory is kept
    /// For messages inside others; the library numbers streams itself when it sends.
    ReqMsg& streamId(Int32 streamId);
    /// rdm::MMT_*, or a number of one's own; above 255 throws OmmUnsupportedDomainTypeException.
    ReqMsg& domainType(UInt16 domainType = refinitiv::ema::rdm::MMT_MARKET_PRICE);
    /// Name of the item (login: of the user), at most 255 bytes; more throws OmmOutOfRangeException.
    ReqMsg& name(const EmaString& name);
    /// rdm::INSTRUMENT_NAME_*, login: rdm::USER_*; not set means 1.
    ReqMsg& nameType(UInt8 nameType = refinitiv::ema::rdm::INSTRUMENT_NAME_RIC);
    /// Replaced by the id of the service when the message is sent. Throws OmmInvalidUsageException/InvalidOperation
    /// when serviceId() was called.
    ReqMsg& serviceName(const EmaString& serviceName);
    /// 0..65535, else OmmOutOfRangeException. Throws OmmInvalidUsageException/InvalidOperation when serviceName() was
    /// called.
    ReqMsg& serviceId(UInt32 serviceId);
    ReqMsg& id(Int32 id);           ///< the identifier in the key; the domain gives it a meaning
    ReqMsg& filter(UInt32 filter);  ///< bits in the key: rdm::SERVICE_*_FILTER, rdm::DICTIONARY_*
    /// 0..255, higher first, and a weight within the class; not set means 1 and 1.
    ReqMsg& priority(UInt8 priorityClass = 1, UInt16 priorityCount = 1);
    /// What is acceptable: one quality exactly, or with the Best values everything up to the best. Not set means any.
    ReqMsg& qos(UInt32 timeliness = BestTimelinessEnum, UInt32 rate = BestRateEnum);
    /// Copies attributes into the key, completing an open container; above 32488 bytes throws OmmOutOfRangeException.
    ReqMsg& attrib(const ComplexType& data);
    /// Copies the body, completing an open container. An untouched message or payload of raw bytes is refused
    /// (InvalidOperation).
    ReqMsg& payload(const ComplexType& data);
    /// Bytes that the domain defines, at most 255; more throws OmmOutOfRangeException.
    ReqMsg& extendedHeader(const EmaBuffer& Buffer);
    /// Default true; a reissue with false changes priority, view or pause only.
    ReqMsg& initialImage(bool initialImage = true);
    ReqMsg& interestAfterRefresh(bool interestAfterRefresh = true);  ///< default true; false asks for a snapshot
    /// True stops updates until a reissue with false; on the login stream, of everything.
    ReqMsg& pause(bool pause = false);
    ReqMsg& conflatedInUpdates(bool conflatedInUpdates = false);  ///< whether updates shall say how many they stand for
    /// For one consumer alone; answers get the flag of their request.
    ReqMsg& privateStream(bool privateStream = false);
    /// Names a list of OmmConsumerConfig::addServiceList(), whose services are tried in order. An empty name, or a
    /// service named otherwise, throws OmmInvalidUsageException/InvalidOperation.
    ReqMsg& serviceListName(const EmaString& serviceListName);
};

}  // namespace refinitiv::ema::access

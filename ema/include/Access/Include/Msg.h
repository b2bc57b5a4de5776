// Common part of all messages (ema-api.md 4.1).
#pragma once

#include "Access/Include/Attrib.h"
#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/Payload.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct MsgAccess;
struct MsgImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

/// Base of the seven message classes (ema-api.md section 4). A message is built by the application or received.
/// Built: setters copy their arguments and may be chained; the object may be submitted again and again, and changed in
/// between. Getters return what was set.
/// Received: a view, valid until the callback returns; to keep the message, copy it. Setters throw
/// OmmInvalidUsageException/InvalidOperation.
/// Getters of optional members throw OmmInvalidUsageException/InvalidOperation when hasX() is false. Not thread safe.
class EMA_ACCESS_API Msg : public ComplexType {
public:
    ~Msg() override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; toString() without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasMsgKey() const;                      ///< whether there is a key: any of the members name to attrib
    bool hasName() const;                        ///< whether there is a name
    bool hasNameType() const;                    ///< whether there is a name type; none means 1
    bool hasServiceId() const;                   ///< whether the key names a service
    bool hasId() const;                          ///< whether there is an identifier
    bool hasFilter() const;                      ///< whether there is a filter
    bool hasExtendedHeader() const;              ///< whether there is an extended header
    Int32 getStreamId() const;                   ///< number of the stream on the connection; 0 in built messages
    UInt16 getDomainType() const;                ///< rdm::MMT_*, or a number of the sender's own
    const EmaString& getName() const;            ///< name of the item; login: of the user
    UInt8 getNameType() const;                   ///< rdm::INSTRUMENT_NAME_*, login: rdm::USER_*
    UInt32 getServiceId() const;                 ///< id of the service on this connection
    Int32 getId() const;                         ///< the identifier in the key
    UInt32 getFilter() const;                    ///< bits of the parts asked for or given, by domain
    const EmaBuffer& getExtendedHeader() const;  ///< bytes that the domain defines
    const Attrib& getAttrib() const;    ///< attributes of the key; their type is NoDataEnum when there are none
    const Payload& getPayload() const;  ///< the body; its type is NoDataEnum when there is none

protected:
    explicit Msg(std::unique_ptr<emissary::ema::MsgImpl> impl) noexcept;
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::MsgAccess;
    std::unique_ptr<emissary::ema::MsgImpl> impl_;
};

}  // namespace refinitiv::ema::access

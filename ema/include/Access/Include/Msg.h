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

/// Base of the eight message kinds. A message is either built by the application (setters; payload and attributes are
/// copied in) or a view handed to a callback, valid until the callback returns; copy it to keep it. Reading an optional
/// member that is not there throws OmmInvalidUsageException/InvalidOperation. Not thread safe.
class EMA_ACCESS_API Msg : public ComplexType {
public:
    ~Msg() override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasMsgKey() const;
    bool hasName() const;
    bool hasNameType() const;
    bool hasServiceId() const;
    bool hasId() const;
    bool hasFilter() const;
    bool hasExtendedHeader() const;
    Int32 getStreamId() const;
    UInt16 getDomainType() const;
    const EmaString& getName() const;
    UInt8 getNameType() const;
    UInt32 getServiceId() const;
    Int32 getId() const;
    UInt32 getFilter() const;
    const EmaBuffer& getExtendedHeader() const;
    const Attrib& getAttrib() const;
    const Payload& getPayload() const;

protected:
    explicit Msg(std::unique_ptr<emissary::ema::MsgImpl> impl) noexcept;
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::MsgAccess;
    std::unique_ptr<emissary::ema::MsgImpl> impl_;
};

}  // namespace refinitiv::ema::access

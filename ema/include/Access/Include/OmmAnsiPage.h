// Payload of type AnsiPage (ema-api.md 2.7).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct OpaqueImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

/// Payload that is an ANSI page; the library does not interpret it. Text: hex dump.
/// Either filled by set() or a view that the library hands out, valid until its owner moves on. An object that was
/// never set cannot be added to a container or message. Not thread safe.
class EMA_ACCESS_API OmmAnsiPage : public ComplexType {
public:
    OmmAnsiPage();  ///< unset
    ~OmmAnsiPage() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Same text as toString(): there is nothing to look up in the dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    const EmaString& getString() const;  ///< the bytes as text; valid until the object changes
    const EmaBuffer& getBuffer() const;  ///< the bytes; valid until the object changes
    OmmAnsiPage& clear();                ///< unset again; the memory is kept
    /// Replaces the content by a copy of the argument, which may be empty. Also makes a received object one of the
    /// application's.
    OmmAnsiPage& set(const EmaBuffer& value);
    OmmAnsiPage& set(const EmaString& value);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::OpaqueImpl> impl_;
};

}  // namespace refinitiv::ema::access

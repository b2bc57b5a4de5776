// Payload of type Json (ema-api.md 2.7).
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

/// Payload that is a JSON text; the library does not parse it. Text: the JSON text.
/// Either filled by set() or a view that the library hands out, valid until its owner moves on. An object that was
/// never set cannot be added to a container or message. Not thread safe.
class EMA_ACCESS_API OmmJson : public ComplexType {
public:
    OmmJson();  ///< unset
    ~OmmJson() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Same text as toString(): there is nothing to look up in the dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    const EmaString& getString() const;  ///< the bytes as text; valid until the object changes
    const EmaBuffer& getBuffer() const;  ///< the bytes; valid until the object changes
    OmmJson& clear();                    ///< unset again; the memory is kept
    /// Replaces the content by a copy of the argument, which may be empty. Also makes a received object one of the
    /// application's.
    OmmJson& set(const EmaBuffer& value);
    OmmJson& set(const EmaString& value);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::OpaqueImpl> impl_;
};

}  // namespace refinitiv::ema::access

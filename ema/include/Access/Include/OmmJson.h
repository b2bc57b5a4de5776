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

/// Raw payload bytes. Not thread safe.
class EMA_ACCESS_API OmmJson : public ComplexType {
public:
    OmmJson();
    ~OmmJson() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    const EmaString& getString() const;
    const EmaBuffer& getBuffer() const;
    OmmJson& clear();
    OmmJson& set(const EmaBuffer& value);
    OmmJson& set(const EmaString& value);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::OpaqueImpl> impl_;
};

}  // namespace refinitiv::ema::access

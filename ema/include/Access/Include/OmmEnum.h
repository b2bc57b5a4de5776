// Primitive OmmEnum (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Enumerated value; its display text comes from the dictionary (FieldEntry::getEnumDisplay).
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmEnum final : public Data {
public:
    ~OmmEnum() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt16 getEnum() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmEnum();
    emissary::ema::PrimitiveView view_;
    UInt16 value_ = 0;
};

}  // namespace refinitiv::ema::access

// Primitive OmmEnum (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Enumerated value. Text: the number; its display text comes from the dictionary (FieldEntry::getEnumDisplay()).
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmEnum final : public Data {
public:
    ~OmmEnum() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt16 getEnum() const;  ///< the number, 0..65535

private:
    friend struct emissary::ema::DataAccess;
    OmmEnum();
    emissary::ema::PrimitiveView view_;
    UInt16 value_ = 0;
};

}  // namespace refinitiv::ema::access

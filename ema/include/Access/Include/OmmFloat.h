// Primitive OmmFloat (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// IEEE 754 number of 32 bits. Text: as printf("%.7g").
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmFloat final : public Data {
public:
    ~OmmFloat() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    float getFloat() const;  ///< the number

private:
    friend struct emissary::ema::DataAccess;
    OmmFloat();
    emissary::ema::PrimitiveView view_;
    float value_ = 0;
};

}  // namespace refinitiv::ema::access

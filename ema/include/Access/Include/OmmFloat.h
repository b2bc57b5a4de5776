// Primitive OmmFloat (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// 32-bit floating point number.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmFloat final : public Data {
public:
    ~OmmFloat() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    float getFloat() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmFloat();
    emissary::ema::PrimitiveView view_;
    float value_ = 0;
};

}  // namespace refinitiv::ema::access

// Primitive OmmDouble (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// 64-bit floating point number.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmDouble final : public Data {
public:
    ~OmmDouble() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    double getDouble() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmDouble();
    emissary::ema::PrimitiveView view_;
    double value_ = 0;
};

}  // namespace refinitiv::ema::access

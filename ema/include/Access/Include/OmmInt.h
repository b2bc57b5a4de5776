// Primitive OmmInt (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Signed integer.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmInt final : public Data {
public:
    ~OmmInt() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    Int64 getInt() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmInt();
    emissary::ema::PrimitiveView view_;
    Int64 value_ = 0;
};

}  // namespace refinitiv::ema::access

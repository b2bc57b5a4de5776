// Primitive OmmUInt (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Unsigned integer.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmUInt final : public Data {
public:
    ~OmmUInt() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt64 getUInt() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmUInt();
    emissary::ema::PrimitiveView view_;
    UInt64 value_ = 0;
};

}  // namespace refinitiv::ema::access

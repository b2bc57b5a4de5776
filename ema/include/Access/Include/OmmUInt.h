// Primitive OmmUInt (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Unsigned integer of up to 64 bits. Text: decimal.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmUInt final : public Data {
public:
    ~OmmUInt() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt64 getUInt() const;  ///< the number

private:
    friend struct emissary::ema::DataAccess;
    OmmUInt();
    emissary::ema::PrimitiveView view_;
    UInt64 value_ = 0;
};

}  // namespace refinitiv::ema::access

// Primitive OmmInt (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Signed integer of up to 64 bits. Text: decimal.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmInt final : public Data {
public:
    ~OmmInt() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    Int64 getInt() const;  ///< the number

private:
    friend struct emissary::ema::DataAccess;
    OmmInt();
    emissary::ema::PrimitiveView view_;
    Int64 value_ = 0;
};

}  // namespace refinitiv::ema::access

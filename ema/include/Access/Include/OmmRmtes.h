// Primitive OmmRmtes (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/RmtesBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// RMTES-encoded text.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmRmtes final : public Data {
public:
    ~OmmRmtes() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    const RmtesBuffer& getRmtes() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmRmtes();
    emissary::ema::PrimitiveView view_;
    mutable RmtesBuffer value_;
};

}  // namespace refinitiv::ema::access

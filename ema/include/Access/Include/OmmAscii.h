// Primitive OmmAscii (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// ASCII text.
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmAscii final : public Data {
public:
    ~OmmAscii() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    const EmaString& getAscii() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmAscii();
    emissary::ema::PrimitiveView view_;
    mutable EmaString value_;
};

}  // namespace refinitiv::ema::access

// Primitive OmmAscii (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// ASCII text. The wire does not check the characters.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmAscii final : public Data {
public:
    ~OmmAscii() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    const EmaString& getAscii() const;  ///< the text as received

private:
    friend struct emissary::ema::DataAccess;
    OmmAscii();
    emissary::ema::PrimitiveView view_;
    mutable EmaString value_;
};

}  // namespace refinitiv::ema::access

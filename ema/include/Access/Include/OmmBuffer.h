// Primitive OmmBuffer (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Bytes without a known structure. Text: their hex dump.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmBuffer final : public Data {
public:
    ~OmmBuffer() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    const EmaBuffer& getBuffer() const;  ///< the bytes as received

private:
    friend struct emissary::ema::DataAccess;
    OmmBuffer();
    emissary::ema::PrimitiveView view_;
    mutable EmaBuffer value_;
};

}  // namespace refinitiv::ema::access

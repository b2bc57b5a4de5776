// Primitive OmmUtf8 (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// UTF-8 text as bytes. The wire does not check them.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmUtf8 final : public Data {
public:
    ~OmmUtf8() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    const EmaBuffer& getUtf8() const;  ///< the encoded bytes as received

private:
    friend struct emissary::ema::DataAccess;
    OmmUtf8();
    emissary::ema::PrimitiveView view_;
    mutable EmaBuffer value_;
};

}  // namespace refinitiv::ema::access

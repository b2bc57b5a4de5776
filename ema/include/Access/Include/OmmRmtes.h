// Primitive OmmRmtes (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/RmtesBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace emissary::ema {
struct LoadCell;
}

namespace refinitiv::ema::access {

/// RMTES-encoded text. Text: the conversion to UTF-8.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmRmtes final : public Data {
public:
    ~OmmRmtes() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The encoded text, which converts on request; copy it to apply later partial updates.
    const RmtesBuffer& getRmtes() const;

private:
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::LoadCell;
    OmmRmtes();
    emissary::ema::PrimitiveView view_;
    mutable RmtesBuffer value_;
};

inline const RmtesBuffer& OmmRmtes::getRmtes() const {
    view_.requireValue("getRmtes()");
    return value_;
}

}  // namespace refinitiv::ema::access

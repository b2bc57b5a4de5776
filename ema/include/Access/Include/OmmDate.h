// Primitive OmmDate (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace emissary::ema {
struct LoadCell;
}

namespace refinitiv::ema::access {

/// Calendar date; single parts may be blank. Text: `09 FEB 2024` (ema-api.md 2.2).
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmDate final : public Data {
public:
    ~OmmDate() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt16 getYear() const;  ///< 0..4095; 0 = blank
    UInt8 getMonth() const;  ///< 1..12; 0 = blank
    UInt8 getDay() const;    ///< 1..31; 0 = blank

private:
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::LoadCell;
    OmmDate();
    emissary::ema::PrimitiveView view_;
    UInt16 year_ = 0;
    UInt8 month_ = 0, day_ = 0;
};

inline UInt16 OmmDate::getYear() const {
    view_.requireValue("getYear()");
    return year_;
}
inline UInt8 OmmDate::getMonth() const {
    view_.requireValue("getMonth()");
    return month_;
}
inline UInt8 OmmDate::getDay() const {
    view_.requireValue("getDay()");
    return day_;
}

}  // namespace refinitiv::ema::access

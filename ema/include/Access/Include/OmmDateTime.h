// Primitive OmmDateTime (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Date and time of day, without a time zone. Text: date, blank, time.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmDateTime final : public Data {
public:
    ~OmmDateTime() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt16 getYear() const;         ///< 0..4095; 0 = blank
    UInt8 getMonth() const;         ///< 1..12; 0 = blank
    UInt8 getDay() const;           ///< 1..31; 0 = blank
    UInt8 getHour() const;          ///< 0..23; 255 = blank
    UInt8 getMinute() const;        ///< 0..59; 255 = blank
    UInt8 getSecond() const;        ///< 0..60; 255 = blank
    UInt16 getMillisecond() const;  ///< 0..999; 65535 = blank
    UInt16 getMicrosecond() const;  ///< 0..999; 2047 = blank
    UInt16 getNanosecond() const;   ///< 0..999; 2047 = blank

private:
    friend struct emissary::ema::DataAccess;
    OmmDateTime();
    emissary::ema::PrimitiveView view_;
    UInt16 year_ = 0;
    UInt8 month_ = 0, day_ = 0;
    UInt8 hour_ = 255, minute_ = 255, second_ = 255;
    UInt16 millisecond_ = 65535, microsecond_ = 2047, nanosecond_ = 2047;
};

}  // namespace refinitiv::ema::access

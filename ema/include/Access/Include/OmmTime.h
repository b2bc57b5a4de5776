// Primitive OmmTime (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace emissary::ema {
struct LoadCell;
}

namespace refinitiv::ema::access {

/// Time of day; parts may be blank from some part to the end. Text: `10:20:30:500:000:000`.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmTime final : public Data {
public:
    ~OmmTime() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    UInt8 getHour() const;          ///< 0..23; 255 = blank
    UInt8 getMinute() const;        ///< 0..59; 255 = blank
    UInt8 getSecond() const;        ///< 0..60; 255 = blank
    UInt16 getMillisecond() const;  ///< 0..999; 65535 = blank
    UInt16 getMicrosecond() const;  ///< 0..999; 2047 = blank
    UInt16 getNanosecond() const;   ///< 0..999; 2047 = blank

private:
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::LoadCell;
    OmmTime();
    emissary::ema::PrimitiveView view_;
    UInt8 hour_ = 255, minute_ = 255, second_ = 255;
    UInt16 millisecond_ = 65535, microsecond_ = 2047, nanosecond_ = 2047;
};

inline UInt8 OmmTime::getHour() const {
    view_.requireValue("getHour()");
    return hour_;
}
inline UInt8 OmmTime::getMinute() const {
    view_.requireValue("getMinute()");
    return minute_;
}
inline UInt8 OmmTime::getSecond() const {
    view_.requireValue("getSecond()");
    return second_;
}
inline UInt16 OmmTime::getMillisecond() const {
    view_.requireValue("getMillisecond()");
    return millisecond_;
}
inline UInt16 OmmTime::getMicrosecond() const {
    view_.requireValue("getMicrosecond()");
    return microsecond_;
}
inline UInt16 OmmTime::getNanosecond() const {
    view_.requireValue("getNanosecond()");
    return nanosecond_;
}

}  // namespace refinitiv::ema::access

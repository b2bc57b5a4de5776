// Primitive OmmQos (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Quality of service: timeliness and rate (rwf.md 2.9).
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmQos final : public Data {
public:
    ~OmmQos() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    enum Rate { TickByTickEnum = 0, JustInTimeConflatedEnum = 0xFFFFFF00 };
    enum Timeliness { RealTimeEnum = 0, InexactDelayedEnum = 0xFFFFFFFF };
    const EmaString& getRateAsString() const;
    const EmaString& getTimelinessAsString() const;
    UInt32 getTimeliness() const;
    UInt32 getRate() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmQos();
    emissary::ema::PrimitiveView view_;
    UInt32 timeliness_ = 0, rate_ = 0;
    struct Words {
        EmaString timeliness, rate;
    };
    mutable Words words_;  // one for each getter, made on demand
};

}  // namespace refinitiv::ema::access

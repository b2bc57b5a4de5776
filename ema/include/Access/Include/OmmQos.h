// Primitive OmmQos (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Quality of service: timeliness and rate (rwf.md 2.9). Text: `RealTime/TickByTick`.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmQos final : public Data {
public:
    ~OmmQos() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// What getRate() says besides the numbers 1..65535: every change, or conflated by need.
    enum Rate { TickByTickEnum = 0, JustInTimeConflatedEnum = 0xFFFFFF00 };
    /// What getTimeliness() says besides the numbers 1..65535: no delay, or a delay of unknown amount.
    enum Timeliness { RealTimeEnum = 0, InexactDelayedEnum = 0xFFFFFFFF };
    const EmaString& getRateAsString() const;        ///< "TickByTick", "JustInTimeConflated" or "Rate: N"
    const EmaString& getTimelinessAsString() const;  ///< "RealTime", "InexactDelayed" or "Timeliness: N"
    /// RealTimeEnum, the delay 1..65535 in the source's time units, or InexactDelayedEnum.
    UInt32 getTimeliness() const;
    UInt32 getRate() const;  ///< TickByTickEnum, the conflation interval 1..65535, or JustInTimeConflatedEnum

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

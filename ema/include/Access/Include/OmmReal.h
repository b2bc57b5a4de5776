// Primitive OmmReal (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace emissary::ema {
struct LoadCell;
}

namespace refinitiv::ema::access {

/// Decimal or fractional number: mantissa and magnitude (rwf.md 2.5). Text: fixed decimals, or whole part and fraction
/// (`6 3/4`).
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmReal final : public Data {
public:
    ~OmmReal() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The power of ten that the mantissa is multiplied with, the power of two that it is divided by, or that there is
    /// no number.
    enum MagnitudeType {
        ExponentNeg14Enum = 0,
        ExponentNeg13Enum = 1,
        ExponentNeg12Enum = 2,
        ExponentNeg11Enum = 3,
        ExponentNeg10Enum = 4,
        ExponentNeg9Enum = 5,
        ExponentNeg8Enum = 6,
        ExponentNeg7Enum = 7,
        ExponentNeg6Enum = 8,
        ExponentNeg5Enum = 9,
        ExponentNeg4Enum = 10,
        ExponentNeg3Enum = 11,
        ExponentNeg2Enum = 12,
        ExponentNeg1Enum = 13,
        Exponent0Enum = 14,
        ExponentPos1Enum = 15,
        ExponentPos2Enum = 16,
        ExponentPos3Enum = 17,
        ExponentPos4Enum = 18,
        ExponentPos5Enum = 19,
        ExponentPos6Enum = 20,
        ExponentPos7Enum = 21,
        Divisor1Enum = 22,
        Divisor2Enum = 23,
        Divisor4Enum = 24,
        Divisor8Enum = 25,
        Divisor16Enum = 26,
        Divisor32Enum = 27,
        Divisor64Enum = 28,
        Divisor128Enum = 29,
        Divisor256Enum = 30,
        InfinityEnum = 33,
        NegInfinityEnum = 34,
        NotANumberEnum = 35
    };
    /// "Power of -2", "Divisor of 4", "Inf", "-Inf", "NaN", or "Unknown MagnitudeType value N".
    const EmaString& getMagnitudeTypeAsString() const;
    Int64 getMantissa() const;  ///< the number before the magnitude is applied; meaningless for Inf and NaN
    MagnitudeType getMagnitudeType() const;  ///< as received; a number outside the enumeration is passed on
    double getAsDouble() const;              ///< the nearest double; infinities and NaN for the special magnitudes

private:
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::LoadCell;
    OmmReal();
    emissary::ema::PrimitiveView view_;
    const emissary::ema::LoadCell* cell_ = nullptr;  ///< has the encoded bytes; null when view_ has
    Int64 mantissa_ = 0;
    MagnitudeType magnitude_ = Exponent0Enum;
    mutable EmaString words_;
};

inline Int64 OmmReal::getMantissa() const {
    view_.requireValue("getMantissa()");
    return mantissa_;
}
inline OmmReal::MagnitudeType OmmReal::getMagnitudeType() const {
    view_.requireValue("getMagnitudeType()");
    return magnitude_;
}

}  // namespace refinitiv::ema::access

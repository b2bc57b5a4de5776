// OmmArray (ema-api.md section 2.6).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct OmmArrayImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class OmmArrayEntry;

/// Values of one primitive type.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API OmmArray : public Data {
public:
    OmmArray();
    ~OmmArray() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasFixedWidth() const;
    UInt16 getFixedWidth() const;  ///< bytes of every value; 0 when each has its own length
    bool forth() const;
    const OmmArrayEntry& getEntry() const;
    void reset() const;
    OmmArray& clear();
    /// Bytes of every value, before the first add. Shorter texts and buffers are filled up; values that do not fit
    /// throw OmmInvalidUsageException/InvalidArgument.
    OmmArray& fixedWidth(UInt16 width);
    const OmmArray& complete();
    OmmArray& addInt(Int64 value);
    OmmArray& addUInt(UInt64 value);
    OmmArray& addReal(Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    OmmArray& addRealFromDouble(double value, OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum);
    OmmArray& addFloat(float value);
    OmmArray& addDouble(double value);
    OmmArray& addDate(UInt16 year, UInt8 month, UInt8 day);
    OmmArray& addTime(UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0, UInt16 millisecond = 0,
                      UInt16 microsecond = 0, UInt16 nanosecond = 0);
    OmmArray& addDateTime(UInt16 year, UInt8 month, UInt8 day, UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0,
                          UInt16 millisecond = 0, UInt16 microsecond = 0, UInt16 nanosecond = 0);
    OmmArray& addQos(UInt32 timeliness = OmmQos::RealTimeEnum, UInt32 rate = OmmQos::TickByTickEnum);
    OmmArray& addState(OmmState::StreamState streamState = OmmState::OpenEnum,
                       OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                       const EmaString& statusText = EmaString());
    OmmArray& addEnum(UInt16 value);
    OmmArray& addBuffer(const EmaBuffer& value);
    OmmArray& addAscii(const EmaString& value);
    OmmArray& addUtf8(const EmaBuffer& value);
    OmmArray& addRmtes(const EmaBuffer& value);
    // Blank values.
    OmmArray& addCodeInt();
    OmmArray& addCodeUInt();
    OmmArray& addCodeReal();
    OmmArray& addCodeFloat();
    OmmArray& addCodeDouble();
    OmmArray& addCodeDate();
    OmmArray& addCodeTime();
    OmmArray& addCodeDateTime();
    OmmArray& addCodeQos();
    OmmArray& addCodeState();
    OmmArray& addCodeEnum();
    OmmArray& addCodeBuffer();
    OmmArray& addCodeAscii();
    OmmArray& addCodeUtf8();
    OmmArray& addCodeRmtes();

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::OmmArrayImpl> impl_;
};

}  // namespace refinitiv::ema::access

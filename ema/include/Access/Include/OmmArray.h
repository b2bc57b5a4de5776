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

/// Values of one primitive type, an entry of FieldList and ElementList; messages cannot carry it by itself.
/// Either built or read. Built: fixedWidth() if wanted, then values in the order of the wire, then complete(); setters
/// copy. The first add decides the type. An add throws OmmInvalidUsageException/InvalidOperation for another type, for
/// a value that its wire form cannot hold, after complete() and on a received array; what is refused leaves no trace.
/// Read: arrays that the library hands out are valid until their owner moves on; forth() on an array that was built
/// completes it. Not thread safe.
class EMA_ACCESS_API OmmArray : public Data {
public:
    OmmArray();  ///< empty, ready to be built
    ~OmmArray() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasFixedWidth() const;    ///< whether all values have the same length on the wire
    UInt16 getFixedWidth() const;  ///< bytes of every value; 0 when each has its own length
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const OmmArrayEntry& getEntry() const;
    void reset() const;  ///< puts reading before the first entry
    OmmArray& clear();   ///< empty again, with nothing received and no header members; the memory is kept
    /// Bytes of every value; before the first add, else OmmInvalidUsageException/InvalidOperation. Integers take 1, 2,
    /// 4 or 8, Enum 1 or 2, Float and Date 4, Double 8, Time 3, 5, 7 or 8, DateTime 7, 9, 11 or 12. Shorter texts and
    /// buffers are filled with zeros; a value that does not fit throws OmmInvalidUsageException/InvalidArgument.
    OmmArray& fixedWidth(UInt16 width);
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation without any value, and above 65535 values.
    const OmmArray& complete();
    // Values, in order.
    OmmArray& addInt(Int64 value);    ///< signed integer
    OmmArray& addUInt(UInt64 value);  ///< unsigned integer
    /// The mantissa and what to multiply or divide it by; a magnitude outside the enumeration throws
    /// OmmOutOfRangeException.
    OmmArray& addReal(Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    /// Rounds to the magnitude; infinities and NaN keep their meaning. A value or magnitude that cannot be written
    /// throws OmmInvalidUsageException/InvalidArgument.
    OmmArray& addRealFromDouble(double value, OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum);
    OmmArray& addFloat(float value);    ///< 32 bits, IEEE 754
    OmmArray& addDouble(double value);  ///< 64 bits, IEEE 754
    /// Year up to 4095, month 1..12, a day that the month has; 0 stands for blank. Anything else throws
    /// OmmOutOfRangeException.
    OmmArray& addDate(UInt16 year, UInt8 month, UInt8 day);
    /// Hour 0..23, minute 0..59, second 0..60, then 0..999 each. Blank: 255 for the first three, 65535 for
    /// milliseconds, 2047 for the last two. Anything else throws OmmOutOfRangeException.
    OmmArray& addTime(UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0, UInt16 millisecond = 0,
                      UInt16 microsecond = 0, UInt16 nanosecond = 0);
    /// Parts and ranges as in addDate() and addTime().
    OmmArray& addDateTime(UInt16 year, UInt8 month, UInt8 day, UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0,
                          UInt16 millisecond = 0, UInt16 microsecond = 0, UInt16 nanosecond = 0);
    /// 0 is the best; 1..65535 a delay or interval; above, an unknown one (OmmQos::InexactDelayedEnum,
    /// JustInTimeConflatedEnum).
    OmmArray& addQos(UInt32 timeliness = OmmQos::RealTimeEnum, UInt32 rate = OmmQos::TickByTickEnum);
    /// The text is copied, up to 32767 bytes.
    OmmArray& addState(OmmState::StreamState streamState = OmmState::OpenEnum,
                       OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                       const EmaString& statusText = EmaString());
    OmmArray& addEnum(UInt16 value);              ///< the number; texts are in the dictionary
    OmmArray& addBuffer(const EmaBuffer& value);  ///< the bytes as given
    OmmArray& addAscii(const EmaString& value);   ///< the text as given, unchecked
    OmmArray& addUtf8(const EmaBuffer& value);    ///< UTF-8, as given, unchecked
    OmmArray& addRmtes(const EmaBuffer& value);   ///< RMTES, as given, unchecked
    // Blank values: of the type named, without content.
    OmmArray& addCodeInt();       ///< a blank Int
    OmmArray& addCodeUInt();      ///< a blank UInt
    OmmArray& addCodeReal();      ///< a blank Real
    OmmArray& addCodeFloat();     ///< a blank Float
    OmmArray& addCodeDouble();    ///< a blank Double
    OmmArray& addCodeDate();      ///< a blank Date
    OmmArray& addCodeTime();      ///< a blank Time
    OmmArray& addCodeDateTime();  ///< a blank DateTime
    OmmArray& addCodeQos();       ///< a blank Qos
    OmmArray& addCodeState();     ///< a blank State
    OmmArray& addCodeEnum();      ///< a blank Enum
    OmmArray& addCodeBuffer();    ///< a blank Buffer
    OmmArray& addCodeAscii();     ///< a blank Ascii
    OmmArray& addCodeUtf8();      ///< a blank Utf8
    OmmArray& addCodeRmtes();     ///< a blank Rmtes

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::OmmArrayImpl> impl_;
};

}  // namespace refinitiv::ema::access

// FieldList (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/detail/FieldCursor.h"
#include "Access/Include/detail/FieldOutput.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct FieldListImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class ReqMsg;
class RefreshMsg;
class StatusMsg;
class UpdateMsg;
class PostMsg;
class AckMsg;
class GenericMsg;
class FieldList;
class ElementList;
class Map;
class Vector;
class Series;
class FilterList;
class OmmOpaque;
class OmmXml;
class OmmAnsiPage;
class OmmJson;
class OmmArray;
class FieldEntry;
class ElementEntry;

/// Fields by id. The wire has no types: reading takes them from the dictionary of the connection, and without one each
/// load is an OmmError/NoDictionary.
/// Either built or read. Built: header members, then entries in the order of the wire, then complete(); setters copy.
/// An add throws OmmInvalidUsageException/InvalidOperation after complete(), on a received container, for a value above
/// 65535 bytes and while an entry added untouched is not complete; what is refused leaves no trace. Read: views that
/// the library hands out are valid until their owner moves on; forth() on a container that was built completes it. Not
/// thread safe.
class EMA_ACCESS_API FieldList : public ComplexType {
public:
    FieldList();  ///< empty, ready to be built
    ~FieldList() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasInfo() const;  ///< whether dictionary id and field list number are there
    /// Number of the record template. Throws OmmInvalidUsageException/InvalidOperation when hasInfo() is false.
    Int16 getInfoFieldListNum() const;
    /// Which dictionary the fields are of. Throws OmmInvalidUsageException/InvalidOperation when hasInfo() is false.
    Int16 getInfoDictionaryId() const;
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    /// Moves to the next field of this id, from the current position on; false at the end.
    bool forth(Int16 fieldId) const;
    /// Moves to the next field of this acronym; false at the end, and for a name that the dictionary does not have.
    bool forth(const EmaString& name) const;
    /// Moves to the next field that an ElementList names: with :ViewType and :ViewData as requests have them, or in
    /// arrays of field ids (Int) or names (Ascii) under any name. Other data throw
    /// OmmInvalidUsageException/InvalidArgument.
    bool forth(const Data& data) const;
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const FieldEntry& getEntry() const;
    void reset() const;  ///< puts reading before the first entry
    FieldList& clear();  ///< empty again, with nothing received and no header members; the memory is kept
    /// Header member; before the first add, else OmmInvalidUsageException/InvalidOperation.
    FieldList& info(Int16 dictionaryId, Int16 fieldListNum);
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation while an entry added untouched is not complete,
    /// and above 65535 entries.
    const FieldList& complete();
    // Entries go out in the order of the calls. Nested data are copied in when complete; an untouched container may be
    // added and then filled in place, and until its complete() this one takes no other entry. An untouched message or
    // payload of raw bytes is refused (InvalidOperation).
    FieldList& addReqMsg(Int16 fieldId, const ReqMsg& value);            ///< nested request
    FieldList& addRefreshMsg(Int16 fieldId, const RefreshMsg& value);    ///< nested refresh
    FieldList& addStatusMsg(Int16 fieldId, const StatusMsg& value);      ///< nested status
    FieldList& addUpdateMsg(Int16 fieldId, const UpdateMsg& value);      ///< nested update
    FieldList& addPostMsg(Int16 fieldId, const PostMsg& value);          ///< nested post
    FieldList& addAckMsg(Int16 fieldId, const AckMsg& value);            ///< nested ack
    FieldList& addGenericMsg(Int16 fieldId, const GenericMsg& value);    ///< nested generic message
    FieldList& addFieldList(Int16 fieldId, const FieldList& value);      ///< fields by id
    FieldList& addElementList(Int16 fieldId, const ElementList& value);  ///< elements by name
    FieldList& addMap(Int16 fieldId, const Map& value);                  ///< entries by key
    FieldList& addVector(Int16 fieldId, const Vector& value);            ///< entries by position
    FieldList& addSeries(Int16 fieldId, const Series& value);            ///< entries in order
    FieldList& addFilterList(Int16 fieldId, const FilterList& value);    ///< entries by filter id
    FieldList& addOpaque(Int16 fieldId, const OmmOpaque& value);         ///< bytes
    FieldList& addXml(Int16 fieldId, const OmmXml& value);               ///< XML text
    FieldList& addAnsiPage(Int16 fieldId, const OmmAnsiPage& value);     ///< ANSI page
    FieldList& addJson(Int16 fieldId, const OmmJson& value);             ///< JSON text
    FieldList& addInt(Int16 fieldId, Int64 value);                       ///< signed integer
    FieldList& addUInt(Int16 fieldId, UInt64 value);                     ///< unsigned integer
    /// The mantissa and what to multiply or divide it by; a magnitude outside the enumeration throws
    /// OmmOutOfRangeException.
    FieldList& addReal(Int16 fieldId, Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    /// Rounds to the magnitude; infinities and NaN keep their meaning. A value or magnitude that cannot be written
    /// throws OmmInvalidUsageException/InvalidArgument.
    FieldList& addRealFromDouble(Int16 fieldId, double value,
                                 OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum);
    FieldList& addFloat(Int16 fieldId, float value);    ///< 32 bits, IEEE 754
    FieldList& addDouble(Int16 fieldId, double value);  ///< 64 bits, IEEE 754
    /// Year up to 4095, month 1..12, a day that the month has; 0 stands for blank. Anything else throws
    /// OmmOutOfRangeException.
    FieldList& addDate(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day);
    /// Hour 0..23, minute 0..59, second 0..60, then 0..999 each. Blank: 255 for the first three, 65535 for
    /// milliseconds, 2047 for the last two. Anything else throws OmmOutOfRangeException.
    FieldList& addTime(Int16 fieldId, UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0, UInt16 millisecond = 0,
                       UInt16 microsecond = 0, UInt16 nanosecond = 0);
    /// Parts and ranges as in addDate() and addTime().
    FieldList& addDateTime(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day, UInt8 hour = 0, UInt8 minute = 0,
                           UInt8 second = 0, UInt16 millisecond = 0, UInt16 microsecond = 0, UInt16 nanosecond = 0);
    /// 0 is the best; 1..65535 a delay or interval; above, an unknown one (OmmQos::InexactDelayedEnum,
    /// JustInTimeConflatedEnum).
    FieldList& addQos(Int16 fieldId, UInt32 timeliness = OmmQos::RealTimeEnum, UInt32 rate = OmmQos::TickByTickEnum);
    /// The text is copied, up to 32767 bytes.
    FieldList& addState(Int16 fieldId, OmmState::StreamState streamState = OmmState::OpenEnum,
                        OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                        const EmaString& statusText = EmaString());
    FieldList& addEnum(Int16 fieldId, UInt16 value);              ///< the number; texts are in the dictionary
    FieldList& addBuffer(Int16 fieldId, const EmaBuffer& value);  ///< the bytes as given
    FieldList& addAscii(Int16 fieldId, const EmaString& value);   ///< the text as given, unchecked
    FieldList& addUtf8(Int16 fieldId, const EmaBuffer& value);    ///< UTF-8, as given, unchecked
    FieldList& addRmtes(Int16 fieldId, const EmaBuffer& value);   ///< RMTES, as given, unchecked
    FieldList& addArray(Int16 fieldId, const OmmArray& value);    ///< completed if it is not
    // Blank values: of the type named, without content.
    FieldList& addCodeInt(Int16 fieldId);       ///< a blank Int
    FieldList& addCodeUInt(Int16 fieldId);      ///< a blank UInt
    FieldList& addCodeReal(Int16 fieldId);      ///< a blank Real
    FieldList& addCodeFloat(Int16 fieldId);     ///< a blank Float
    FieldList& addCodeDouble(Int16 fieldId);    ///< a blank Double
    FieldList& addCodeDate(Int16 fieldId);      ///< a blank Date
    FieldList& addCodeTime(Int16 fieldId);      ///< a blank Time
    FieldList& addCodeDateTime(Int16 fieldId);  ///< a blank DateTime
    FieldList& addCodeQos(Int16 fieldId);       ///< a blank Qos
    FieldList& addCodeState(Int16 fieldId);     ///< a blank State
    FieldList& addCodeEnum(Int16 fieldId);      ///< a blank Enum
    FieldList& addCodeBuffer(Int16 fieldId);    ///< a blank Buffer
    FieldList& addCodeAscii(Int16 fieldId);     ///< a blank Ascii
    FieldList& addCodeUtf8(Int16 fieldId);      ///< a blank Utf8
    FieldList& addCodeRmtes(Int16 fieldId);     ///< a blank Rmtes

private:
    friend struct emissary::ema::DataAccess;
    // What the inline adds leave to the library: the first field, growth, long, blank and refused values.
    FieldList& otherInt(Int16 fieldId, Int64 value);
    FieldList& otherUInt(Int16 fieldId, UInt64 value);
    FieldList& otherReal(Int16 fieldId, Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    FieldList& otherFloat(Int16 fieldId, float value);
    FieldList& otherDouble(Int16 fieldId, double value);
    FieldList& otherDate(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day);
    FieldList& otherTime(Int16 fieldId, UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond, UInt16 microsecond,
                         UInt16 nanosecond);
    FieldList& otherDateTime(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute, UInt8 second,
                             UInt16 millisecond, UInt16 microsecond, UInt16 nanosecond);
    FieldList& otherEnum(Int16 fieldId, UInt16 value);
    FieldList& otherBuffer(Int16 fieldId, const EmaBuffer& value);
    FieldList& otherAscii(Int16 fieldId, const EmaString& value);
    FieldList& otherUtf8(Int16 fieldId, const EmaBuffer& value);
    FieldList& otherRmtes(Int16 fieldId, const EmaBuffer& value);
    FieldList& otherBlank(Int16 fieldId);
    FieldList& addBlank(Int16 fieldId) { return output_->addBlank(fieldId) ? *this : otherBlank(fieldId); }

    std::unique_ptr<emissary::ema::FieldListImpl> impl_;
    emissary::ema::FieldCursor* cursor_;  ///< of *impl_
    emissary::ema::FieldOutput* output_;  ///< of *impl_
};

inline bool FieldList::forth() const {
    return cursor_->forth();
}
inline const FieldEntry& FieldList::getEntry() const {
    if (cursor_->entry == nullptr) cursor_->refuseEntry();
    return *cursor_->entry;
}

inline FieldList& FieldList::addInt(Int16 fieldId, Int64 value) {
    return output_->addInt(fieldId, value) ? *this : otherInt(fieldId, value);
}
inline FieldList& FieldList::addUInt(Int16 fieldId, UInt64 value) {
    return output_->addUInt(fieldId, value) ? *this : otherUInt(fieldId, value);
}
inline FieldList& FieldList::addReal(Int16 fieldId, Int64 mantissa, OmmReal::MagnitudeType magnitudeType) {
    return output_->addReal(fieldId, mantissa, magnitudeType) ? *this : otherReal(fieldId, mantissa, magnitudeType);
}
inline FieldList& FieldList::addFloat(Int16 fieldId, float value) {
    return output_->addFloat(fieldId, value) ? *this : otherFloat(fieldId, value);
}
inline FieldList& FieldList::addDouble(Int16 fieldId, double value) {
    return output_->addDouble(fieldId, value) ? *this : otherDouble(fieldId, value);
}
inline FieldList& FieldList::addDate(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day) {
    return output_->addDate(fieldId, year, month, day) ? *this : otherDate(fieldId, year, month, day);
}
inline FieldList& FieldList::addTime(Int16 fieldId, UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond,
                                     UInt16 microsecond, UInt16 nanosecond) {
    return output_->addTime(fieldId, hour, minute, second, millisecond, microsecond, nanosecond)
               ? *this
               : otherTime(fieldId, hour, minute, second, millisecond, microsecond, nanosecond);
}
inline FieldList& FieldList::addDateTime(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute,
                                         UInt8 second, UInt16 millisecond, UInt16 microsecond, UInt16 nanosecond) {
    return output_->addDateTime(fieldId, year, month, day, hour, minute, second, millisecond, microsecond, nanosecond)
               ? *this
               : otherDateTime(fieldId, year, month, day, hour, minute, second, millisecond, microsecond, nanosecond);
}
inline FieldList& FieldList::addEnum(Int16 fieldId, UInt16 value) {
    return output_->addEnum(fieldId, value) ? *this : otherEnum(fieldId, value);
}
inline FieldList& FieldList::addBuffer(Int16 fieldId, const EmaBuffer& value) {
    return output_->addBytes(fieldId, value.c_buf(), value.length()) ? *this : otherBuffer(fieldId, value);
}
inline FieldList& FieldList::addAscii(Int16 fieldId, const EmaString& value) {
    return output_->addBytes(fieldId, value.c_str(), value.length()) ? *this : otherAscii(fieldId, value);
}
inline FieldList& FieldList::addUtf8(Int16 fieldId, const EmaBuffer& value) {
    return output_->addBytes(fieldId, value.c_buf(), value.length()) ? *this : otherUtf8(fieldId, value);
}
inline FieldList& FieldList::addRmtes(Int16 fieldId, const EmaBuffer& value) {
    return output_->addBytes(fieldId, value.c_buf(), value.length()) ? *this : otherRmtes(fieldId, value);
}
inline FieldList& FieldList::addCodeInt(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeUInt(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeReal(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeFloat(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeDouble(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeDate(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeTime(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeDateTime(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeQos(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeState(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeEnum(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeBuffer(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeAscii(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeUtf8(Int16 fieldId) {
    return addBlank(fieldId);
}
inline FieldList& FieldList::addCodeRmtes(Int16 fieldId) {
    return addBlank(fieldId);
}

}  // namespace refinitiv::ema::access

// ElementList (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct ElementListImpl;
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

/// Elements by name, each with its own type on the wire.
/// Either built or read. Built: header members, then entries in the order of the wire, then complete(); setters copy.
/// An add throws OmmInvalidUsageException/InvalidOperation after complete(), on a received container, for a value above
/// 65535 bytes and while an entry added untouched is not complete; what is refused leaves no trace. Read: views that
/// the library hands out are valid until their owner moves on; forth() on a container that was built completes it. Not
/// thread safe.
class EMA_ACCESS_API ElementList : public ComplexType {
public:
    ElementList();  ///< empty, ready to be built
    ~ElementList() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasInfo() const;  ///< whether the element list number is there
    /// Number of the list's template. Throws OmmInvalidUsageException/InvalidOperation when hasInfo() is false.
    Int16 getInfoElementListNum() const;
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    /// Moves to the next element of this name, case sensitive; false at the end.
    bool forth(const EmaString& name) const;
    /// Moves to the next element that another ElementList names: with :ViewType and :ViewData as requests have them, or
    /// in arrays of names (Ascii) under any name. Other data throw OmmInvalidUsageException/InvalidArgument.
    bool forth(const Data& data) const;
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const ElementEntry& getEntry() const;
    void reset() const;    ///< puts reading before the first entry
    ElementList& clear();  ///< empty again, with nothing received and no header members; the memory is kept
    /// Header member; before the first add, else OmmInvalidUsageException/InvalidOperation.
    ElementList& info(Int16 elementListNum);
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation while an entry added untouched is not complete,
    /// and above 65535 entries.
    const ElementList& complete();
    ElementList& add(const EmaString& name);  ///< an element of type NoData; names up to 32767 bytes
    // Entries go out in the order of the calls. Nested data are copied in when complete; an untouched container may be
    // added and then filled in place, and until its complete() this one takes no other entry. An untouched message or
    // payload of raw bytes is refused (InvalidOperation).
    ElementList& addReqMsg(const EmaString& name, const ReqMsg& value);            ///< nested request
    ElementList& addRefreshMsg(const EmaString& name, const RefreshMsg& value);    ///< nested refresh
    ElementList& addStatusMsg(const EmaString& name, const StatusMsg& value);      ///< nested status
    ElementList& addUpdateMsg(const EmaString& name, const UpdateMsg& value);      ///< nested update
    ElementList& addPostMsg(const EmaString& name, const PostMsg& value);          ///< nested post
    ElementList& addAckMsg(const EmaString& name, const AckMsg& value);            ///< nested ack
    ElementList& addGenericMsg(const EmaString& name, const GenericMsg& value);    ///< nested generic message
    ElementList& addFieldList(const EmaString& name, const FieldList& value);      ///< fields by id
    ElementList& addElementList(const EmaString& name, const ElementList& value);  ///< elements by name
    ElementList& addMap(const EmaString& name, const Map& value);                  ///< entries by key
    ElementList& addVector(const EmaString& name, const Vector& value);            ///< entries by position
    ElementList& addSeries(const EmaString& name, const Series& value);            ///< entries in order
    ElementList& addFilterList(const EmaString& name, const FilterList& value);    ///< entries by filter id
    ElementList& addOpaque(const EmaString& name, const OmmOpaque& value);         ///< bytes
    ElementList& addXml(const EmaString& name, const OmmXml& value);               ///< XML text
    ElementList& addAnsiPage(const EmaString& name, const OmmAnsiPage& value);     ///< ANSI page
    ElementList& addJson(const EmaString& name, const OmmJson& value);             ///< JSON text
    ElementList& addInt(const EmaString& name, Int64 value);                       ///< signed integer
    ElementList& addUInt(const EmaString& name, UInt64 value);                     ///< unsigned integer
    /// The mantissa and what to multiply or divide it by; a magnitude outside the enumeration throws
    /// OmmOutOfRangeException.
    ElementList& addReal(const EmaString& name, Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    /// Rounds to the magnitude; infinities and NaN keep their meaning. A value or magnitude that cannot be written
    /// throws OmmInvalidUsageException/InvalidArgument.
    ElementList& addRealFromDouble(const EmaString& name, double value,
                                   OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum);
    ElementList& addFloat(const EmaString& name, float value);    ///< 32 bits, IEEE 754
    ElementList& addDouble(const EmaString& name, double value);  ///< 64 bits, IEEE 754
    /// Year up to 4095, month 1..12, a day that the month has; 0 stands for blank. Anything else throws
    /// OmmOutOfRangeException.
    ElementList& addDate(const EmaString& name, UInt16 year, UInt8 month, UInt8 day);
    /// Hour 0..23, minute 0..59, second 0..60, then 0..999 each. Blank: 255 for the first three, 65535 for
    /// milliseconds, 2047 for the last two. Anything else throws OmmOutOfRangeException.
    ElementList& addTime(const EmaString& name, UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0,
                         UInt16 millisecond = 0, UInt16 microsecond = 0, UInt16 nanosecond = 0);
    /// Parts and ranges as in addDate() and addTime().
    ElementList& addDateTime(const EmaString& name, UInt16 year, UInt8 month, UInt8 day, UInt8 hour = 0,
                             UInt8 minute = 0, UInt8 second = 0, UInt16 millisecond = 0, UInt16 microsecond = 0,
                             UInt16 nanosecond = 0);
    /// 0 is the best; 1..65535 a delay or interval; above, an unknown one (OmmQos::InexactDelayedEnum,
    /// JustInTimeConflatedEnum).
    ElementList& addQos(const EmaString& name, UInt32 timeliness = OmmQos::RealTimeEnum,
                        UInt32 rate = OmmQos::TickByTickEnum);
    /// The text is copied, up to 32767 bytes.
    ElementList& addState(const EmaString& name, OmmState::StreamState streamState = OmmState::OpenEnum,
                          OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                          const EmaString& statusText = EmaString());
    ElementList& addEnum(const EmaString& name, UInt16 value);              ///< the number; texts are in the dictionary
    ElementList& addBuffer(const EmaString& name, const EmaBuffer& value);  ///< the bytes as given
    ElementList& addAscii(const EmaString& name, const EmaString& value);   ///< the text as given, unchecked
    ElementList& addUtf8(const EmaString& name, const EmaBuffer& value);    ///< UTF-8, as given, unchecked
    ElementList& addRmtes(const EmaString& name, const EmaBuffer& value);   ///< RMTES, as given, unchecked
    ElementList& addArray(const EmaString& name, const OmmArray& value);    ///< completed if it is not
    // Blank values: of the type named, without content.
    ElementList& addCodeInt(const EmaString& name);       ///< a blank Int
    ElementList& addCodeUInt(const EmaString& name);      ///< a blank UInt
    ElementList& addCodeReal(const EmaString& name);      ///< a blank Real
    ElementList& addCodeFloat(const EmaString& name);     ///< a blank Float
    ElementList& addCodeDouble(const EmaString& name);    ///< a blank Double
    ElementList& addCodeDate(const EmaString& name);      ///< a blank Date
    ElementList& addCodeTime(const EmaString& name);      ///< a blank Time
    ElementList& addCodeDateTime(const EmaString& name);  ///< a blank DateTime
    ElementList& addCodeQos(const EmaString& name);       ///< a blank Qos
    ElementList& addCodeState(const EmaString& name);     ///< a blank State
    ElementList& addCodeEnum(const EmaString& name);      ///< a blank Enum
    ElementList& addCodeBuffer(const EmaString& name);    ///< a blank Buffer
    ElementList& addCodeAscii(const EmaString& name);     ///< a blank Ascii
    ElementList& addCodeUtf8(const EmaString& name);      ///< a blank Utf8
    ElementList& addCodeRmtes(const EmaString& name);     ///< a blank Rmtes

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::ElementListImpl> impl_;
};

}  // namespace refinitiv::ema::access

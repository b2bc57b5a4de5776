// Map (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/MapEntry.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct MapImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class SummaryData;

/// Entries by key: the key is a primitive, the payload any one type of data.
/// Either built or read. Built: header members, then entries in the order of the wire, then complete(); setters copy.
/// An add throws OmmInvalidUsageException/InvalidOperation after complete(), on a received container, for a value above
/// 65535 bytes and while an entry added untouched is not complete; what is refused leaves no trace. Read: views that
/// the library hands out are valid until their owner moves on; forth() on a container that was built completes it. Not
/// thread safe.
class EMA_ACCESS_API Map : public ComplexType {
public:
    Map();  ///< empty, ready to be built
    ~Map() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    void reset() const;  ///< puts reading before the first entry
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const MapEntry& getEntry() const;
    bool hasKeyFieldId() const;      ///< whether the key is the content of a field
    bool hasTotalCountHint() const;  ///< whether the number of all entries, over all messages, is known
    /// The field whose content the key is; throws OmmInvalidUsageException/InvalidOperation when there is none.
    Int16 getKeyFieldId() const;
    /// Expected number of entries over all messages; throws OmmInvalidUsageException/InvalidOperation when there is
    /// none.
    UInt32 getTotalCountHint() const;
    /// Data of the container as a whole; its type is NoDataEnum when there are none. Valid until clear().
    const SummaryData& getSummaryData() const;
    Map& clear();  ///< empty again, with nothing received and no header members; the memory is kept
    /// The field that the key stands for. Header member; before the first add, else
    /// OmmInvalidUsageException/InvalidOperation.
    Map& keyFieldId(Int16 fieldId);
    /// Expected number of entries over all messages, up to 2^30-1. Header member; before the first add, else
    /// OmmInvalidUsageException/InvalidOperation.
    Map& totalCountHint(UInt32 totalCountHint);
    /// Copies data of the map as a whole; decides the payload type of the entries. Header member; before the first add,
    /// else OmmInvalidUsageException/InvalidOperation.
    Map& summaryData(const ComplexType& summaryData);
    /// A primitive type, for a map that may stay without entries; others throw. Header member; before the first add,
    /// else OmmInvalidUsageException/InvalidOperation.
    Map& keyType(DataType::DataTypeEnum keyPrimitiveType);
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation while an entry added untouched is not complete,
    /// and above 65535 entries. Without any key the key type is keyType(), or Buffer.
    const Map& complete();
    // One pair for each type of key; the first key decides the type, and another one throws
    // OmmInvalidUsageException/InvalidOperation. With `value`: an entry whose payload is copied in, all payloads of a
    // map having one type; an untouched container may be added and then filled in place. Without: an entry without
    // payload. DeleteEnum never carries one, even if given. Keys and permission data have at most 32767 bytes; empty
    // permission data mean none.
    /// Signed integer as key.
    Map& addKeyInt(Int64 key, MapEntry::MapAction action, const ComplexType& value,
                   const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyInt(Int64 key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// Unsigned integer as key.
    Map& addKeyUInt(UInt64 key, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyUInt(UInt64 key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// 32-bit number as key.
    Map& addKeyFloat(float key, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyFloat(float key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// 64-bit number as key.
    Map& addKeyDouble(double key, MapEntry::MapAction action, const ComplexType& value,
                      const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDouble(double key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// Enumerated value as key.
    Map& addKeyEnum(UInt16 key, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyEnum(UInt16 key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// Mantissa and magnitude as key; a magnitude outside the enumeration throws OmmOutOfRangeException.
    Map& addKeyReal(Int64 mantissa, OmmReal::MagnitudeType magnitudeType, MapEntry::MapAction action,
                    const ComplexType& value, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyReal(Int64 mantissa, OmmReal::MagnitudeType magnitudeType, MapEntry::MapAction action,
                    const EmaBuffer& permissionData = EmaBuffer());
    /// Date as key; ranges as in FieldList::addDate().
    Map& addKeyDate(UInt16 year, UInt8 month, UInt8 day, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDate(UInt16 year, UInt8 month, UInt8 day, MapEntry::MapAction action,
                    const EmaBuffer& permissionData = EmaBuffer());
    /// Time as key; ranges as in FieldList::addTime().
    Map& addKeyTime(UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond, UInt16 microsecond, UInt16 nanosecond,
                    MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyTime(UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond, UInt16 microsecond, UInt16 nanosecond,
                    MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// Date and time as key; ranges as in FieldList::addDate() and addTime().
    Map& addKeyDateTime(UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond,
                        UInt16 microsecond, UInt16 nanosecond, MapEntry::MapAction action, const ComplexType& value,
                        const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDateTime(UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond,
                        UInt16 microsecond, UInt16 nanosecond, MapEntry::MapAction action,
                        const EmaBuffer& permissionData = EmaBuffer());
    /// Quality of service as key; numbers as in OmmQos.
    Map& addKeyQos(UInt32 timeliness, UInt32 rate, MapEntry::MapAction action, const ComplexType& value,
                   const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyQos(UInt32 timeliness, UInt32 rate, MapEntry::MapAction action,
                   const EmaBuffer& permissionData = EmaBuffer());
    /// State as key; the text is copied.
    Map& addKeyState(OmmState::StreamState streamState, OmmState::DataState dataState, UInt8 statusCode,
                     const EmaString& statusText, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyState(OmmState::StreamState streamState, OmmState::DataState dataState, UInt8 statusCode,
                     const EmaString& statusText, MapEntry::MapAction action,
                     const EmaBuffer& permissionData = EmaBuffer());
    /// Bytes as key.
    Map& addKeyBuffer(const EmaBuffer& key, MapEntry::MapAction action, const ComplexType& value,
                      const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyBuffer(const EmaBuffer& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// UTF-8 bytes as key, as given.
    Map& addKeyUtf8(const EmaBuffer& key, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyUtf8(const EmaBuffer& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// RMTES bytes as key, as given.
    Map& addKeyRmtes(const EmaBuffer& key, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyRmtes(const EmaBuffer& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// ASCII text as key, as given.
    Map& addKeyAscii(const EmaString& key, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyAscii(const EmaString& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// A key of type Real, rounded to the magnitude; a number that cannot be written throws
    /// OmmInvalidUsageException/InvalidArgument. Mind the place of the magnitude: behind action and value.
    Map& addKeyRealFromDouble(double key, MapEntry::MapAction action, const ComplexType& value,
                              OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum,
                              const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyRealFromDouble(double key, MapEntry::MapAction action,
                              OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum,
                              const EmaBuffer& permissionData = EmaBuffer());

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::MapImpl> impl_;
};

}  // namespace refinitiv::ema::access

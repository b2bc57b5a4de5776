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

/// Entries by primitive key.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API Map : public ComplexType {
public:
    Map();
    ~Map() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool forth() const;
    void reset() const;
    const MapEntry& getEntry() const;
    bool hasKeyFieldId() const;
    bool hasTotalCountHint() const;
    Int16 getKeyFieldId() const;
    UInt32 getTotalCountHint() const;
    const SummaryData& getSummaryData() const;
    Map& clear();
    Map& keyFieldId(Int16 fieldId);
    Map& totalCountHint(UInt32 totalCountHint);
    Map& summaryData(const ComplexType& summaryData);
    Map& keyType(DataType::DataTypeEnum keyPrimitiveType);
    const Map& complete();
    Map& addKeyInt(Int64 key, MapEntry::MapAction action, const ComplexType& value,
                   const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyInt(Int64 key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyUInt(UInt64 key, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyUInt(UInt64 key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyFloat(float key, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyFloat(float key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDouble(double key, MapEntry::MapAction action, const ComplexType& value,
                      const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDouble(double key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyEnum(UInt16 key, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyEnum(UInt16 key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyReal(Int64 mantissa, OmmReal::MagnitudeType magnitudeType, MapEntry::MapAction action,
                    const ComplexType& value, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyReal(Int64 mantissa, OmmReal::MagnitudeType magnitudeType, MapEntry::MapAction action,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDate(UInt16 year, UInt8 month, UInt8 day, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDate(UInt16 year, UInt8 month, UInt8 day, MapEntry::MapAction action,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyTime(UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond, UInt16 microsecond, UInt16 nanosecond,
                    MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyTime(UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond, UInt16 microsecond, UInt16 nanosecond,
                    MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDateTime(UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond,
                        UInt16 microsecond, UInt16 nanosecond, MapEntry::MapAction action, const ComplexType& value,
                        const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyDateTime(UInt16 year, UInt8 month, UInt8 day, UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond,
                        UInt16 microsecond, UInt16 nanosecond, MapEntry::MapAction action,
                        const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyQos(UInt32 timeliness, UInt32 rate, MapEntry::MapAction action, const ComplexType& value,
                   const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyQos(UInt32 timeliness, UInt32 rate, MapEntry::MapAction action,
                   const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyState(OmmState::StreamState streamState, OmmState::DataState dataState, UInt8 statusCode,
                     const EmaString& statusText, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyState(OmmState::StreamState streamState, OmmState::DataState dataState, UInt8 statusCode,
                     const EmaString& statusText, MapEntry::MapAction action,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyBuffer(const EmaBuffer& key, MapEntry::MapAction action, const ComplexType& value,
                      const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyBuffer(const EmaBuffer& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyUtf8(const EmaBuffer& key, MapEntry::MapAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyUtf8(const EmaBuffer& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyRmtes(const EmaBuffer& key, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyRmtes(const EmaBuffer& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyAscii(const EmaString& key, MapEntry::MapAction action, const ComplexType& value,
                     const EmaBuffer& permissionData = EmaBuffer());
    Map& addKeyAscii(const EmaString& key, MapEntry::MapAction action, const EmaBuffer& permissionData = EmaBuffer());
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

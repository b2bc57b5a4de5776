// FieldList (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/detail/FieldCursor.h"

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

/// Fields by id; their types come from the dictionary.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API FieldList : public ComplexType {
public:
    FieldList();
    ~FieldList() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasInfo() const;
    Int16 getInfoFieldListNum() const;
    Int16 getInfoDictionaryId() const;
    bool forth() const;
    bool forth(Int16 fieldId) const;
    bool forth(const EmaString& name) const;
    /// To the next field that an ElementList names: with :ViewType and :ViewData as requests have them, or in arrays of
    /// field ids (Int) or names (Ascii) under any name. Throws OmmInvalidUsageException/InvalidArgument for another.
    bool forth(const Data& data) const;
    const FieldEntry& getEntry() const;
    void reset() const;
    FieldList& clear();
    FieldList& info(Int16 dictionaryId, Int16 fieldListNum);
    const FieldList& complete();
    FieldList& addReqMsg(Int16 fieldId, const ReqMsg& value);
    FieldList& addRefreshMsg(Int16 fieldId, const RefreshMsg& value);
    FieldList& addStatusMsg(Int16 fieldId, const StatusMsg& value);
    FieldList& addUpdateMsg(Int16 fieldId, const UpdateMsg& value);
    FieldList& addPostMsg(Int16 fieldId, const PostMsg& value);
    FieldList& addAckMsg(Int16 fieldId, const AckMsg& value);
    FieldList& addGenericMsg(Int16 fieldId, const GenericMsg& value);
    FieldList& addFieldList(Int16 fieldId, const FieldList& value);
    FieldList& addElementList(Int16 fieldId, const ElementList& value);
    FieldList& addMap(Int16 fieldId, const Map& value);
    FieldList& addVector(Int16 fieldId, const Vector& value);
    FieldList& addSeries(Int16 fieldId, const Series& value);
    FieldList& addFilterList(Int16 fieldId, const FilterList& value);
    FieldList& addOpaque(Int16 fieldId, const OmmOpaque& value);
    FieldList& addXml(Int16 fieldId, const OmmXml& value);
    FieldList& addAnsiPage(Int16 fieldId, const OmmAnsiPage& value);
    FieldList& addJson(Int16 fieldId, const OmmJson& value);
    FieldList& addInt(Int16 fieldId, Int64 value);
    FieldList& addUInt(Int16 fieldId, UInt64 value);
    FieldList& addReal(Int16 fieldId, Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    FieldList& addRealFromDouble(Int16 fieldId, double value,
                                 OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum);
    FieldList& addFloat(Int16 fieldId, float value);
    FieldList& addDouble(Int16 fieldId, double value);
    FieldList& addDate(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day);
    FieldList& addTime(Int16 fieldId, UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0, UInt16 millisecond = 0,
                       UInt16 microsecond = 0, UInt16 nanosecond = 0);
    FieldList& addDateTime(Int16 fieldId, UInt16 year, UInt8 month, UInt8 day, UInt8 hour = 0, UInt8 minute = 0,
                           UInt8 second = 0, UInt16 millisecond = 0, UInt16 microsecond = 0, UInt16 nanosecond = 0);
    FieldList& addQos(Int16 fieldId, UInt32 timeliness = OmmQos::RealTimeEnum, UInt32 rate = OmmQos::TickByTickEnum);
    FieldList& addState(Int16 fieldId, OmmState::StreamState streamState = OmmState::OpenEnum,
                        OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                        const EmaString& statusText = EmaString());
    FieldList& addEnum(Int16 fieldId, UInt16 value);
    FieldList& addBuffer(Int16 fieldId, const EmaBuffer& value);
    FieldList& addAscii(Int16 fieldId, const EmaString& value);
    FieldList& addUtf8(Int16 fieldId, const EmaBuffer& value);
    FieldList& addRmtes(Int16 fieldId, const EmaBuffer& value);
    FieldList& addArray(Int16 fieldId, const OmmArray& value);
    // Blank values.
    FieldList& addCodeInt(Int16 fieldId);
    FieldList& addCodeUInt(Int16 fieldId);
    FieldList& addCodeReal(Int16 fieldId);
    FieldList& addCodeFloat(Int16 fieldId);
    FieldList& addCodeDouble(Int16 fieldId);
    FieldList& addCodeDate(Int16 fieldId);
    FieldList& addCodeTime(Int16 fieldId);
    FieldList& addCodeDateTime(Int16 fieldId);
    FieldList& addCodeQos(Int16 fieldId);
    FieldList& addCodeState(Int16 fieldId);
    FieldList& addCodeEnum(Int16 fieldId);
    FieldList& addCodeBuffer(Int16 fieldId);
    FieldList& addCodeAscii(Int16 fieldId);
    FieldList& addCodeUtf8(Int16 fieldId);
    FieldList& addCodeRmtes(Int16 fieldId);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::FieldListImpl> impl_;
    emissary::ema::FieldCursor* cursor_;  ///< of *impl_
};

inline bool FieldList::forth() const {
    return cursor_->forth();
}
inline const FieldEntry& FieldList::getEntry() const {
    if (cursor_->entry == nullptr) cursor_->refuseEntry();
    return *cursor_->entry;
}

}  // namespace refinitiv::ema::access

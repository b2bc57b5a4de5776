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

/// Named, self-describing elements.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API ElementList : public ComplexType {
public:
    ElementList();
    ~ElementList() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasInfo() const;
    Int16 getInfoElementListNum() const;
    bool forth() const;
    bool forth(const EmaString& name) const;
    /// To the next element that another ElementList names: with :ViewType and :ViewData as requests have them, or in
    /// arrays of names (Ascii) under any name. Throws OmmInvalidUsageException/InvalidArgument for another.
    bool forth(const Data& data) const;
    const ElementEntry& getEntry() const;
    void reset() const;
    ElementList& clear();
    ElementList& info(Int16 elementListNum);
    const ElementList& complete();
    ElementList& add(const EmaString& name);  ///< element of type NoData
    ElementList& addReqMsg(const EmaString& name, const ReqMsg& value);
    ElementList& addRefreshMsg(const EmaString& name, const RefreshMsg& value);
    ElementList& addStatusMsg(const EmaString& name, const StatusMsg& value);
    ElementList& addUpdateMsg(const EmaString& name, const UpdateMsg& value);
    ElementList& addPostMsg(const EmaString& name, const PostMsg& value);
    ElementList& addAckMsg(const EmaString& name, const AckMsg& value);
    ElementList& addGenericMsg(const EmaString& name, const GenericMsg& value);
    ElementList& addFieldList(const EmaString& name, const FieldList& value);
    ElementList& addElementList(const EmaString& name, const ElementList& value);
    ElementList& addMap(const EmaString& name, const Map& value);
    ElementList& addVector(const EmaString& name, const Vector& value);
    ElementList& addSeries(const EmaString& name, const Series& value);
    ElementList& addFilterList(const EmaString& name, const FilterList& value);
    ElementList& addOpaque(const EmaString& name, const OmmOpaque& value);
    ElementList& addXml(const EmaString& name, const OmmXml& value);
    ElementList& addAnsiPage(const EmaString& name, const OmmAnsiPage& value);
    ElementList& addJson(const EmaString& name, const OmmJson& value);
    ElementList& addInt(const EmaString& name, Int64 value);
    ElementList& addUInt(const EmaString& name, UInt64 value);
    ElementList& addReal(const EmaString& name, Int64 mantissa, OmmReal::MagnitudeType magnitudeType);
    ElementList& addRealFromDouble(const EmaString& name, double value,
                                   OmmReal::MagnitudeType magnitudeType = OmmReal::Exponent0Enum);
    ElementList& addFloat(const EmaString& name, float value);
    ElementList& addDouble(const EmaString& name, double value);
    ElementList& addDate(const EmaString& name, UInt16 year, UInt8 month, UInt8 day);
    ElementList& addTime(const EmaString& name, UInt8 hour = 0, UInt8 minute = 0, UInt8 second = 0,
                         UInt16 millisecond = 0, UInt16 microsecond = 0, UInt16 nanosecond = 0);
    ElementList& addDateTime(const EmaString& name, UInt16 year, UInt8 month, UInt8 day, UInt8 hour = 0,
                             UInt8 minute = 0, UInt8 second = 0, UInt16 millisecond = 0, UInt16 microsecond = 0,
                             UInt16 nanosecond = 0);
    ElementList& addQos(const EmaString& name, UInt32 timeliness = OmmQos::RealTimeEnum,
                        UInt32 rate = OmmQos::TickByTickEnum);
    ElementList& addState(const EmaString& name, OmmState::StreamState streamState = OmmState::OpenEnum,
                          OmmState::DataState dataState = OmmState::OkEnum, UInt8 statusCode = OmmState::NoneEnum,
                          const EmaString& statusText = EmaString());
    ElementList& addEnum(const EmaString& name, UInt16 value);
    ElementList& addBuffer(const EmaString& name, const EmaBuffer& value);
    ElementList& addAscii(const EmaString& name, const EmaString& value);
    ElementList& addUtf8(const EmaString& name, const EmaBuffer& value);
    ElementList& addRmtes(const EmaString& name, const EmaBuffer& value);
    ElementList& addArray(const EmaString& name, const OmmArray& value);
    // Blank values.
    ElementList& addCodeInt(const EmaString& name);
    ElementList& addCodeUInt(const EmaString& name);
    ElementList& addCodeReal(const EmaString& name);
    ElementList& addCodeFloat(const EmaString& name);
    ElementList& addCodeDouble(const EmaString& name);
    ElementList& addCodeDate(const EmaString& name);
    ElementList& addCodeTime(const EmaString& name);
    ElementList& addCodeDateTime(const EmaString& name);
    ElementList& addCodeQos(const EmaString& name);
    ElementList& addCodeState(const EmaString& name);
    ElementList& addCodeEnum(const EmaString& name);
    ElementList& addCodeBuffer(const EmaString& name);
    ElementList& addCodeAscii(const EmaString& name);
    ElementList& addCodeUtf8(const EmaString& name);
    ElementList& addCodeRmtes(const EmaString& name);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::ElementListImpl> impl_;
};

}  // namespace refinitiv::ema::access

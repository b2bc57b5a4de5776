// FieldEntry (ema-api.md section 3.5).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/Data.h"
#include "Access/Include/detail/LoadCell.h"

namespace emissary::ema {
struct DataAccess;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class AckMsg;
class ElementList;
class EmaBuffer;
class FieldList;
class FilterList;
class GenericMsg;
class Map;
class OmmAnsiPage;
class OmmArray;
class OmmDate;
class OmmDateTime;
class OmmError;
class OmmJson;
class OmmOpaque;
class OmmQos;
class OmmReal;
class OmmState;
class OmmTime;
class OmmXml;
class PostMsg;
class RefreshMsg;
class ReqMsg;
class RmtesBuffer;
class Series;
class StatusMsg;
class UpdateMsg;
class Vector;

/// Field of a FieldList. Made by the library; valid until its owner moves on or is destroyed.
class EMA_ACCESS_API FieldEntry {
public:
    FieldEntry(const FieldEntry&) = delete;
    FieldEntry& operator=(const FieldEntry&) = delete;
    virtual ~FieldEntry();
    DataType::DataTypeEnum getLoadType() const;
    Int16 getFieldId() const;
    const EmaString& getName() const;
    Int16 getRippleTo(Int16 fieldId = 0) const;
    const EmaString& getRippleToName(Int16 fieldId = 0) const;
    const Data& getLoad() const;
    bool hasEnumDisplay() const;
    const EmaString& getEnumDisplay() const;
    Data::DataCode getCode() const;
    const EmaString& toString() const;
    const OmmArray& getArray() const;
    // The load as the named type; another type throws OmmInvalidUsageException/InvalidOperation. Valid until the owner
    // moves on.
    const ReqMsg& getReqMsg() const;
    const RefreshMsg& getRefreshMsg() const;
    const UpdateMsg& getUpdateMsg() const;
    const StatusMsg& getStatusMsg() const;
    const PostMsg& getPostMsg() const;
    const AckMsg& getAckMsg() const;
    const GenericMsg& getGenericMsg() const;
    const FieldList& getFieldList() const;
    const ElementList& getElementList() const;
    const Map& getMap() const;
    const Vector& getVector() const;
    const Series& getSeries() const;
    const FilterList& getFilterList() const;
    const OmmOpaque& getOpaque() const;
    const OmmXml& getXml() const;
    const OmmAnsiPage& getAnsiPage() const;
    const OmmError& getError() const;
    const OmmJson& getJson() const;
    // The load's value; another type or a blank value throws OmmInvalidUsageException/InvalidOperation.
    Int64 getInt() const;
    UInt64 getUInt() const;
    const OmmReal& getReal() const;
    float getFloat() const;
    double getDouble() const;
    const OmmDate& getDate() const;
    const OmmTime& getTime() const;
    const OmmDateTime& getDateTime() const;
    const OmmQos& getQos() const;
    const OmmState& getState() const;
    UInt16 getEnum() const;
    const EmaBuffer& getBuffer() const;
    const EmaString& getAscii() const;
    const EmaBuffer& getUtf8() const;
    const RmtesBuffer& getRmtes() const;

private:
    friend struct emissary::ema::DataAccess;
    explicit FieldEntry(emissary::ema::LoadCell& load) noexcept : load_(&load) {}
    emissary::ema::LoadCell* load_;
};

inline DataType::DataTypeEnum FieldEntry::getLoadType() const {
    return load_->loadType();
}
inline Int16 FieldEntry::getFieldId() const {
    return load_->fieldId;
}
EMISSARY_INLINE_GETTERS(FieldEntry)

}  // namespace refinitiv::ema::access

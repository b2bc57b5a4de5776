// ElementEntry (ema-api.md section 3.5).
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

/// Element of an ElementList. Made by the library; valid until its owner moves on or is destroyed.
class EMA_ACCESS_API ElementEntry {
public:
    ElementEntry(const ElementEntry&) = delete;
    ElementEntry& operator=(const ElementEntry&) = delete;
    virtual ~ElementEntry();
    DataType::DataTypeEnum getLoadType() const;
    const EmaString& getName() const;
    const Data& getLoad() const;
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
    explicit ElementEntry(emissary::ema::LoadCell& load) noexcept : load_(&load) {}
    emissary::ema::LoadCell* load_;
};

inline DataType::DataTypeEnum ElementEntry::getLoadType() const {
    return load_->loadType();
}
EMISSARY_INLINE_GETTERS(ElementEntry)

}  // namespace refinitiv::ema::access

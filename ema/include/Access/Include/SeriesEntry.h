// SeriesEntry (ema-api.md section 3.5).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/Data.h"

namespace emissary::ema {
struct DataAccess;
class LoadImpl;
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
class OmmError;
class OmmJson;
class OmmOpaque;
class OmmXml;
class PostMsg;
class RefreshMsg;
class ReqMsg;
class Series;
class StatusMsg;
class UpdateMsg;
class Vector;

/// Entry of a Series. Made by the library; valid until its owner moves on or is destroyed.
class EMA_ACCESS_API SeriesEntry {
public:
    SeriesEntry(const SeriesEntry&) = delete;
    SeriesEntry& operator=(const SeriesEntry&) = delete;
    virtual ~SeriesEntry();
    DataType::DataTypeEnum getLoadType() const;
    const Data& getLoad() const;
    const EmaString& toString() const;
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

private:
    friend struct emissary::ema::DataAccess;
    explicit SeriesEntry(emissary::ema::LoadImpl& load) noexcept : load_(&load) {}
    emissary::ema::LoadImpl* load_;
};

}  // namespace refinitiv::ema::access

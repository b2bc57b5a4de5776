// SummaryData (ema-api.md section 3.5).
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

/// Data that belongs to a Map, Vector or Series as a whole. Valid as long as the container, up to its next clear(). The
/// library makes it. Not thread safe.
class EMA_ACCESS_API SummaryData {
public:
    SummaryData(const SummaryData&) = delete;
    SummaryData& operator=(const SummaryData&) = delete;
    virtual ~SummaryData();
    DataType::DataTypeEnum getDataType() const;  ///< NoDataEnum when there is none, ErrorEnum when it cannot be decoded
    /// The object, to be cast to the class of its type; a NoData object when there is none. Throws
    /// OmmInvalidUsageException/IncompleteData when it cannot be decoded.
    const ComplexType& getData() const;
    // Each returns the data when they have the type named behind, and throws OmmInvalidUsageException/InvalidOperation
    // when they have another. The objects are valid as long as this object.
    const ReqMsg& getReqMsg() const;            ///< needs data type ReqMsg
    const RefreshMsg& getRefreshMsg() const;    ///< needs data type RefreshMsg
    const UpdateMsg& getUpdateMsg() const;      ///< needs data type UpdateMsg
    const StatusMsg& getStatusMsg() const;      ///< needs data type StatusMsg
    const PostMsg& getPostMsg() const;          ///< needs data type PostMsg
    const AckMsg& getAckMsg() const;            ///< needs data type AckMsg
    const GenericMsg& getGenericMsg() const;    ///< needs data type GenericMsg
    const FieldList& getFieldList() const;      ///< needs data type FieldList: fields by id
    const ElementList& getElementList() const;  ///< needs data type ElementList: elements by name
    const Map& getMap() const;                  ///< needs data type Map: entries by key
    const Vector& getVector() const;            ///< needs data type Vector: entries by position
    const Series& getSeries() const;            ///< needs data type Series: entries in order
    const FilterList& getFilterList() const;    ///< needs data type FilterList: entries by filter id
    const OmmOpaque& getOpaque() const;         ///< needs data type Opaque: bytes
    const OmmXml& getXml() const;               ///< needs data type Xml: text
    const OmmAnsiPage& getAnsiPage() const;     ///< needs data type AnsiPage: bytes
    const OmmError& getError() const;           ///< needs data type Error: why the data cannot be decoded
    const OmmJson& getJson() const;             ///< needs data type Json: text

private:
    friend struct emissary::ema::DataAccess;
    explicit SummaryData(emissary::ema::LoadImpl& load) noexcept : load_(&load) {}
    emissary::ema::LoadImpl* load_;
};

}  // namespace refinitiv::ema::access

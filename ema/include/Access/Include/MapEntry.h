// MapEntry (ema-api.md section 3.5).
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
class Key;
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

/// One entry of a Map. The library makes it; it shows the current entry of its container and is valid until the
/// container's next forth(), reset() or clear(), and no longer than the container. Not thread safe.
class EMA_ACCESS_API MapEntry {
public:
    /// What to do with the entry of this key; the numbers are the wire's.
    enum MapAction {
        UpdateEnum = 1,  ///< change the entry of this key
        AddEnum = 2,     ///< add the entry, or replace the one of this key
        DeleteEnum = 3   ///< remove the entry; there is no load
    };
    MapEntry(const MapEntry&) = delete;
    MapEntry& operator=(const MapEntry&) = delete;
    virtual ~MapEntry();
    const EmaString& getMapActionAsString() const;  ///< "Update", "Add", "Delete", or "Unknown MapAction value N"
    DataType::DataTypeEnum getLoadType() const;     ///< type of the load; ErrorEnum when it cannot be decoded
    bool hasPermissionData() const;                 ///< whether this entry has permissions of its own
    const Data& getLoad() const;                    ///< the load, to be cast to the class of its type, or printed
    const Key& getKey() const;                      ///< the key; all keys of a map have one type
    MapAction getAction() const;                    ///< as received; a number outside the enumeration is passed on
    /// The entry's permissions, for the permission system; throws OmmInvalidUsageException/InvalidOperation when there
    /// are none.
    const EmaBuffer& getPermissionData() const;
    /// One line (or block) of text as in ema-api.md section 15; valid until the next call.
    const EmaString& toString() const;
    // Each returns the load when it has the type named behind, and throws OmmInvalidUsageException/InvalidOperation
    // when it has another. The objects are valid as long as the entry.
    const ReqMsg& getReqMsg() const;            ///< needs load type ReqMsg
    const RefreshMsg& getRefreshMsg() const;    ///< needs load type RefreshMsg
    const UpdateMsg& getUpdateMsg() const;      ///< needs load type UpdateMsg
    const StatusMsg& getStatusMsg() const;      ///< needs load type StatusMsg
    const PostMsg& getPostMsg() const;          ///< needs load type PostMsg
    const AckMsg& getAckMsg() const;            ///< needs load type AckMsg
    const GenericMsg& getGenericMsg() const;    ///< needs load type GenericMsg
    const FieldList& getFieldList() const;      ///< needs load type FieldList: fields by id
    const ElementList& getElementList() const;  ///< needs load type ElementList: elements by name
    const Map& getMap() const;                  ///< needs load type Map: entries by key
    const Vector& getVector() const;            ///< needs load type Vector: entries by position
    const Series& getSeries() const;            ///< needs load type Series: entries in order
    const FilterList& getFilterList() const;    ///< needs load type FilterList: entries by filter id
    const OmmOpaque& getOpaque() const;         ///< needs load type Opaque: bytes
    const OmmXml& getXml() const;               ///< needs load type Xml: text
    const OmmAnsiPage& getAnsiPage() const;     ///< needs load type AnsiPage: bytes
    const OmmError& getError() const;           ///< needs load type Error: why the data cannot be decoded
    const OmmJson& getJson() const;             ///< needs load type Json: text

private:
    friend struct emissary::ema::DataAccess;
    explicit MapEntry(emissary::ema::LoadImpl& load) noexcept : load_(&load) {}
    emissary::ema::LoadImpl* load_;
};

}  // namespace refinitiv::ema::access

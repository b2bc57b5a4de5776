// FieldEntry (ema-api.md section 3.5).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/Data.h"
#include "Access/Include/detail/LoadCell.h"

namespace emissary::ema {
struct DataAccess;
struct FieldCursor;
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

/// One field of a FieldList. The library makes it; it shows the current entry of its container and is valid until the
/// container's next forth(), reset() or clear(), and no longer than the container. Not thread safe.
class EMA_ACCESS_API FieldEntry {
public:
    FieldEntry(const FieldEntry&) = delete;
    FieldEntry& operator=(const FieldEntry&) = delete;
    virtual ~FieldEntry();
    DataType::DataTypeEnum getLoadType() const;  ///< type of the load; ErrorEnum when it cannot be decoded
    Int16 getFieldId() const;  ///< positive: standard, negative: of the source's own; 0 for data that cannot be decoded
    /// The acronym in the dictionary; empty without a dictionary or for an unknown field.
    const EmaString& getName() const;
    /// Id of the field that takes the old value of this one, or of the field given (to follow the chain); 0 when there
    /// is none or no dictionary.
    Int16 getRippleTo(Int16 fieldId = 0) const;
    const EmaString& getRippleToName(Int16 fieldId = 0) const;  ///< the acronym of that field; empty when there is none
    const Data& getLoad() const;  ///< the load, to be cast to the class of its type, or printed
    bool hasEnumDisplay() const;  ///< whether the load is an Enum that the field's enum table knows
    /// The display text of the value; throws OmmInvalidUsageException/InvalidOperation when hasEnumDisplay() is false.
    const EmaString& getEnumDisplay() const;
    Data::DataCode getCode() const;  ///< BlankEnum when there is no value
    /// One line (or block) of text as in ema-api.md section 15; valid until the next call.
    const EmaString& toString() const;
    const OmmArray& getArray() const;  ///< needs load type OmmArray; another type throws as below
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
    // Each returns the value when the load has the type named behind. Another type, or a blank value, throws
    // OmmInvalidUsageException/InvalidOperation.
    Int64 getInt() const;                    ///< needs load type Int
    UInt64 getUInt() const;                  ///< needs load type UInt
    const OmmReal& getReal() const;          ///< needs load type Real
    float getFloat() const;                  ///< needs load type Float
    double getDouble() const;                ///< needs load type Double
    const OmmDate& getDate() const;          ///< needs load type Date; parts may be blank
    const OmmTime& getTime() const;          ///< needs load type Time; parts may be blank
    const OmmDateTime& getDateTime() const;  ///< needs load type DateTime; parts may be blank
    const OmmQos& getQos() const;            ///< needs load type Qos
    const OmmState& getState() const;        ///< needs load type State
    UInt16 getEnum() const;                  ///< needs load type Enum: the number
    const EmaBuffer& getBuffer() const;      ///< needs load type Buffer
    const EmaString& getAscii() const;       ///< needs load type Ascii
    const EmaBuffer& getUtf8() const;        ///< needs load type Utf8: the encoded bytes
    const RmtesBuffer& getRmtes() const;     ///< needs load type Rmtes: converts on request

private:
    friend struct emissary::ema::DataAccess;
    friend struct emissary::ema::FieldCursor;
    explicit FieldEntry(emissary::ema::LoadCell& load) noexcept : load_(&load) {}
    emissary::ema::LoadCell* load_;
};

inline DataType::DataTypeEnum FieldEntry::getLoadType() const {
    return load_->loadType();
}
inline Int16 FieldEntry::getFieldId() const {
    return load_->fieldId;
}
inline Data::DataCode FieldEntry::getCode() const {
    return load_->code();
}
EMISSARY_INLINE_GETTERS(FieldEntry)

}  // namespace refinitiv::ema::access

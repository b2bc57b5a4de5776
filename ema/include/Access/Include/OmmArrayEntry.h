// OmmArrayEntry (ema-api.md section 2.6).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/Data.h"
#include "Access/Include/detail/LoadCell.h"

namespace emissary::ema {
struct DataAccess;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class EmaBuffer;
class OmmArray;
class OmmDate;
class OmmDateTime;
class OmmError;
class OmmQos;
class OmmReal;
class OmmState;
class OmmTime;
class RmtesBuffer;

/// One value of an OmmArray. The library makes it; it shows the current entry of its container and is valid until the
/// container's next forth(), reset() or clear(), and no longer than the container. Not thread safe.
class EMA_ACCESS_API OmmArrayEntry {
public:
    OmmArrayEntry(const OmmArrayEntry&) = delete;
    OmmArrayEntry& operator=(const OmmArrayEntry&) = delete;
    virtual ~OmmArrayEntry();
    DataType::DataTypeEnum getLoadType() const;  ///< type of the load; ErrorEnum when it cannot be decoded
    const Data& getLoad() const;                 ///< the load, to be cast to the class of its type, or printed
    Data::DataCode getCode() const;              ///< BlankEnum when there is no value
    /// One line (or block) of text as in ema-api.md section 15; valid until the next call.
    const EmaString& toString() const;
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
    const OmmError& getError() const;        ///< needs load type Error: why the data cannot be decoded

private:
    friend struct emissary::ema::DataAccess;
    explicit OmmArrayEntry(emissary::ema::LoadCell& load) noexcept : load_(&load) {}
    emissary::ema::LoadCell* load_;
};

inline DataType::DataTypeEnum OmmArrayEntry::getLoadType() const {
    return load_->loadType();
}
EMISSARY_INLINE_GETTERS(OmmArrayEntry)

}  // namespace refinitiv::ema::access

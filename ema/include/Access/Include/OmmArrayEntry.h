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

/// Value of an OmmArray. Made by the library; valid until its owner moves on or is destroyed.
class EMA_ACCESS_API OmmArrayEntry {
public:
    OmmArrayEntry(const OmmArrayEntry&) = delete;
    OmmArrayEntry& operator=(const OmmArrayEntry&) = delete;
    virtual ~OmmArrayEntry();
    DataType::DataTypeEnum getLoadType() const;
    const Data& getLoad() const;
    Data::DataCode getCode() const;
    const EmaString& toString() const;
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
    const OmmError& getError() const;

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

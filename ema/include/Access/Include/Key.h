// Key (ema-api.md section 3.5).
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

/// Key of a MapEntry. Made by the library; valid until its owner moves on or is destroyed.
class EMA_ACCESS_API Key {
public:
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    virtual ~Key();
    DataType::DataTypeEnum getDataType() const;
    const Data& getData() const;
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
    explicit Key(emissary::ema::LoadCell& load) noexcept : load_(&load) {}
    emissary::ema::LoadCell* load_;
};

inline DataType::DataTypeEnum Key::getDataType() const {
    return load_->loadType();
}
EMISSARY_INLINE_GETTERS(Key)

}  // namespace refinitiv::ema::access

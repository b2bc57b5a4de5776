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

/// Key of a MapEntry: a primitive. The library makes it; it shows the current entry of its container and is valid until
/// the container's next forth(), reset() or clear(), and no longer than the container. Not thread safe.
class EMA_ACCESS_API Key {
public:
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;
    virtual ~Key();
    DataType::DataTypeEnum getDataType() const;  ///< type of the key; ErrorEnum when it cannot be decoded
    const Data& getData() const;                 ///< the key, to be cast to the class of its type, or printed
    // Each returns the value when the key has the type named behind. Another type, or a blank value, throws
    // OmmInvalidUsageException/InvalidOperation.
    Int64 getInt() const;                    ///< needs data type Int
    UInt64 getUInt() const;                  ///< needs data type UInt
    const OmmReal& getReal() const;          ///< needs data type Real
    float getFloat() const;                  ///< needs data type Float
    double getDouble() const;                ///< needs data type Double
    const OmmDate& getDate() const;          ///< needs data type Date; parts may be blank
    const OmmTime& getTime() const;          ///< needs data type Time; parts may be blank
    const OmmDateTime& getDateTime() const;  ///< needs data type DateTime; parts may be blank
    const OmmQos& getQos() const;            ///< needs data type Qos
    const OmmState& getState() const;        ///< needs data type State
    UInt16 getEnum() const;                  ///< needs data type Enum: the number
    const EmaBuffer& getBuffer() const;      ///< needs data type Buffer
    const EmaString& getAscii() const;       ///< needs data type Ascii
    const EmaBuffer& getUtf8() const;        ///< needs data type Utf8: the encoded bytes
    const RmtesBuffer& getRmtes() const;     ///< needs data type Rmtes: converts on request
    const OmmError& getError() const;        ///< needs data type Error: why the data cannot be decoded

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

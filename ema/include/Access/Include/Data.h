// Root of everything that has a data type (ema-api.md 1.4).
#pragma once

#include "Access/Include/DataType.h"

namespace refinitiv::ema::access {

class EmaBuffer;

/// Anything that has a data type: a primitive, a container or a message. Objects that the library hands out are views:
/// they live until their owner moves on (its next forth() or reset(), or the end of the callback) and are never owned
/// by the application. Not copyable, but messages are; not thread safe.
class EMA_ACCESS_API Data {
public:
    /// Whether there is a value; BlankEnum: the type is known, the value is not.
    enum DataCode { NoCodeEnum = 0, BlankEnum = 1 };
    virtual ~Data();
    Data(const Data&) = delete;
    Data& operator=(const Data&) = delete;
    const EmaString& getCodeAsString() const;                ///< "NoCode" or "Blank"
    virtual DataType::DataTypeEnum getDataType() const = 0;  ///< which class this object is of; never blank
    virtual DataCode getCode() const = 0;                    ///< BlankEnum for primitives and arrays without a value
    /// The encoded bytes, valid until the object changes. Empty for a container that is still being built.
    virtual const EmaBuffer& getAsHex() const = 0;
    /// The text of ema-api.md section 15, valid until the object changes or is asked again. Characters that a terminal
    /// would obey are spelled out.
    virtual const EmaString& toString() const = 0;
    operator const char*() const;  ///< toString().c_str(), so that every object can be streamed

protected:
    Data() noexcept = default;
};

}  // namespace refinitiv::ema::access

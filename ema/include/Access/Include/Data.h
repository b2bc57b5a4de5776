// Root of everything that has a data type (ema-api.md 1.4).
#pragma once

#include "Access/Include/DataType.h"

namespace refinitiv::ema::access {

class EmaBuffer;

/// A primitive, container or message. Objects handed out by the library are views that live until their owner moves on
/// (the next forth(), or the end of a callback).
class EMA_ACCESS_API Data {
public:
    enum DataCode { NoCodeEnum = 0, BlankEnum = 1 };
    virtual ~Data();
    Data(const Data&) = delete;
    Data& operator=(const Data&) = delete;
    const EmaString& getCodeAsString() const;  ///< "NoCode", "Blank"
    virtual DataType::DataTypeEnum getDataType() const = 0;
    virtual DataCode getCode() const = 0;
    virtual const EmaBuffer& getAsHex() const = 0;  ///< the encoded bytes; valid until the object changes
    virtual const EmaString& toString() const = 0;  ///< valid until the object changes
    operator const char*() const;                   ///< toString().c_str()

protected:
    Data() noexcept = default;
};

}  // namespace refinitiv::ema::access

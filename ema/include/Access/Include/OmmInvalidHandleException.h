// OmmInvalidHandleException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A handle that names no open stream, or a stream that cannot take the message yet.
class EMA_ACCESS_API OmmInvalidHandleException : public OmmException {
public:
    ~OmmInvalidHandleException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    UInt64 getHandle() const;  ///< the handle that was given

protected:
    OmmInvalidHandleException(const OmmInvalidHandleException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmInvalidHandleException(const EmaString& text, UInt64 handle);
    UInt64 handle_;
};

}  // namespace refinitiv::ema::access

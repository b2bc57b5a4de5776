// OmmSystemException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A call of the operating system failed: no thread, no descriptor.
class EMA_ACCESS_API OmmSystemException : public OmmException {
public:
    ~OmmSystemException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    Int64 getSystemExceptionCode() const;     ///< errno of the failed call
    void* getSystemExceptionAddress() const;  ///< null: no address is known

protected:
    OmmSystemException(const OmmSystemException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmSystemException(const EmaString& text, Int64 code, void* address);
    Int64 code_;
    void* address_;
};

}  // namespace refinitiv::ema::access

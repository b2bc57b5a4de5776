// OmmUnsupportedDomainTypeException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A domain above 255.
class EMA_ACCESS_API OmmUnsupportedDomainTypeException : public OmmException {
public:
    ~OmmUnsupportedDomainTypeException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    UInt16 getDomainType() const;

protected:
    OmmUnsupportedDomainTypeException(const OmmUnsupportedDomainTypeException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmUnsupportedDomainTypeException(const EmaString& text, UInt16 domain);
    UInt16 domain_;
};

}  // namespace refinitiv::ema::access

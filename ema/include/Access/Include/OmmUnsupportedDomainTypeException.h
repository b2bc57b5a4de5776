// OmmUnsupportedDomainTypeException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// domainType() of a message was given a number above 255, the largest that the wire holds.
class EMA_ACCESS_API OmmUnsupportedDomainTypeException : public OmmException {
public:
    ~OmmUnsupportedDomainTypeException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    UInt16 getDomainType() const;  ///< the number that was given

protected:
    OmmUnsupportedDomainTypeException(const OmmUnsupportedDomainTypeException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmUnsupportedDomainTypeException(const EmaString& text, UInt16 domain);
    UInt16 domain_;
};

}  // namespace refinitiv::ema::access

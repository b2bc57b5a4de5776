// OmmInvalidConfigurationException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A configuration that cannot be used: a file that cannot be read, an instance that is not configured, a channel type
/// that does not exist. Always thrown, also with an error client.
class EMA_ACCESS_API OmmInvalidConfigurationException : public OmmException {
public:
    ~OmmInvalidConfigurationException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;

protected:
    OmmInvalidConfigurationException(const OmmInvalidConfigurationException& other) = default;

private:
    friend struct emissary::ema::Raise;
    explicit OmmInvalidConfigurationException(const EmaString& text);
};

}  // namespace refinitiv::ema::access

// OmmOutOfRangeException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A value that its wire form cannot hold, or a position past the end. Always thrown, also with an error client;
/// nothing was changed.
class EMA_ACCESS_API OmmOutOfRangeException : public OmmException {
public:
    ~OmmOutOfRangeException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;

protected:
    OmmOutOfRangeException(const OmmOutOfRangeException& other) = default;

private:
    friend struct emissary::ema::Raise;
    explicit OmmOutOfRangeException(const EmaString& text);
};

}  // namespace refinitiv::ema::access

// OmmMemoryExhaustionException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// An allocation failed during a call. The object stays usable.
class EMA_ACCESS_API OmmMemoryExhaustionException : public OmmException {
public:
    ~OmmMemoryExhaustionException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;

protected:
    OmmMemoryExhaustionException(const OmmMemoryExhaustionException& other) = default;

private:
    friend struct emissary::ema::Raise;
    explicit OmmMemoryExhaustionException(const EmaString& text);
};

}  // namespace refinitiv::ema::access

// OmmInaccessibleLogFileException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// The log file of an instance cannot be opened; thrown by the constructors of OmmConsumer and OmmProvider.
class EMA_ACCESS_API OmmInaccessibleLogFileException : public OmmException {
public:
    ~OmmInaccessibleLogFileException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    const EmaString& getFilename() const;  ///< the path as it was tried, with the process id in it

protected:
    OmmInaccessibleLogFileException(const OmmInaccessibleLogFileException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmInaccessibleLogFileException(const EmaString& text, const EmaString& filename);
    EmaString filename_;
};

}  // namespace refinitiv::ema::access

// Base of all exceptions (ema-api.md section 5).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// What the library throws. Not derived from std::exception. Catch by const reference.
class EMA_ACCESS_API OmmException {
public:
    enum ExceptionType {
        OmmInvalidUsageExceptionEnum,
        OmmInvalidConfigurationExceptionEnum,
        OmmSystemExceptionEnum,
        OmmOutOfRangeExceptionEnum,
        OmmInvalidHandleExceptionEnum,
        OmmMemoryExhaustionExceptionEnum,
        OmmInaccessibleLogFileExceptionEnum,
        OmmUnsupportedDomainTypeExceptionEnum,
        OmmJsonConverterExceptionEnum
    };
    virtual ~OmmException();
    const EmaString& getExceptionTypeAsString() const;  ///< the class name
    virtual ExceptionType getExceptionType() const = 0;
    virtual const EmaString& getText() const = 0;
    virtual const EmaString& toString() const = 0;  ///< "Exception Type='...', Text='...'" and the class's own members
    operator const char*() const;                   ///< toString()
    OmmException& operator=(const OmmException&) = delete;

protected:
    OmmException(const EmaString& text, const EmaString& suffix);
    OmmException(const OmmException& other);
    EmaString text_, suffix_;
    mutable EmaString whole_, typeName_;
};

}  // namespace refinitiv::ema::access

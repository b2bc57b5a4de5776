// Base of all exceptions (ema-api.md section 5).
#pragma once

#include "Access/Include/EmaString.h"

namespace refinitiv::ema::access {

/// Base of everything that the library throws. Not derived from std::exception; catch by const reference. Texts are cut
/// off at about 2 KiB. An exception owns its texts: it needs no object of the library to live on.
class EMA_ACCESS_API OmmException {
public:
    /// One for each concrete class.
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
    const EmaString& getExceptionTypeAsString() const;   ///< the class name
    virtual ExceptionType getExceptionType() const = 0;  ///< which class to cast to
    virtual const EmaString& getText() const = 0;   ///< what went wrong and what to do, without the class's own members
    virtual const EmaString& toString() const = 0;  ///< "Exception Type='...', Text='...'" and the class's own members
    operator const char*() const;                   ///< toString().c_str()
    OmmException& operator=(const OmmException&) = delete;

protected:
    OmmException(const EmaString& text, const EmaString& suffix);
    OmmException(const OmmException& other);
    EmaString text_, suffix_;
    mutable EmaString whole_, typeName_;
};

}  // namespace refinitiv::ema::access

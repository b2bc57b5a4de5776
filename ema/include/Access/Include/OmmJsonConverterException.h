// OmmJsonConverterException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace refinitiv::ema::access {

class SessionInfo;

/// A message cannot be turned into JSON or back. With an error client, onJsonConverter() is called instead.
class EMA_ACCESS_API OmmJsonConverterException : public OmmException {
public:
    ~OmmJsonConverterException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    enum ErrorCode {
        NoErrorEnum = 0,
        FailureEnum = -1,
        NoBuffersEnum = -4,
        BufferTooSmallEnum = -21,
        InvalidArgumentEnum = -22,
        EncodingUnavaliableEnum = -23,
        UnsupportedDataTypeEnum = -24,
        UnexpectedEncoderCallEnum = -25,
        IncompleteDataEnum = -26,
        SetDefNotProvidedEnum = -27,
        InvalidDataEnum = -29,
        IllegalLocalSetDefEnum = -30,
        TooManyLocalSetDefsEnum = -31,
        DuplicateLocalSetDefsEnum = -32,
        IteratorOverrunEnum = -33,
        ValueOutOfRangeEnum = -34,
        DictDuplicateEnumValueEnum = -35
    };
    Int32 getErrorCode() const;
    /// The session whose message it was; valid while the exception lives.
    virtual const SessionInfo& getSessionInfo() const = 0;

protected:
    OmmJsonConverterException(const EmaString& text, Int32 code);
    OmmJsonConverterException(const OmmJsonConverterException& other) = default;

private:
    Int32 code_;
};

}  // namespace refinitiv::ema::access

// OmmJsonConverterException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace refinitiv::ema::access {

class SessionInfo;

/// A message of the application that cannot be turned into JSON for its peer (json.md). What peers send is never
/// thrown: an error client gets it in onJsonConverter(), otherwise it is logged.
class EMA_ACCESS_API OmmJsonConverterException : public OmmException {
public:
    ~OmmJsonConverterException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    /// Reasons by number, as in OmmInvalidUsageException. InvalidDataEnum is thrown; onJsonConverter() also gets
    /// FailureEnum.
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
    Int32 getErrorCode() const;  ///< one of ErrorCode
    /// The session whose message it was: a ConsumerSessionInfo or ProviderSessionInfo, valid while the exception lives.
    virtual const SessionInfo& getSessionInfo() const = 0;

protected:
    OmmJsonConverterException(const EmaString& text, Int32 code);
    OmmJsonConverterException(const OmmJsonConverterException& other) = default;

private:
    Int32 code_;
};

}  // namespace refinitiv::ema::access

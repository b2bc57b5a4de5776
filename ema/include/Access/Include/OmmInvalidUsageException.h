// OmmInvalidUsageException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A call out of order, a bad argument, a failed submit, a start-up that timed out or was refused.
class EMA_ACCESS_API OmmInvalidUsageException : public OmmException {
public:
    ~OmmInvalidUsageException() override;
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
        DictDuplicateEnumValueEnum = -35,
        PacketGapDetectedEnum = -61,
        SlowReaderEnum = -62,
        CongestionDetectedEnum = -63,
        PersistenceFullEnum = -91,
        InvalidOperationEnum = -4048,
        NoActiveChannelEnum = -4049,
        UnSupportedChannelTypeEnum = -4050,
        UnSupportedServerTypeEnum = -4051,
        LoginRequestTimeOutEnum = -4052,
        LoginRequestRejectedEnum = -4053,
        DirectoryRequestTimeOutEnum = -4054,
        DictionaryRequestTimeOutEnum = -4055,
        InternalErrorEnum = -4060
    };
    Int32 getErrorCode() const;

protected:
    OmmInvalidUsageException(const OmmInvalidUsageException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmInvalidUsageException(const EmaString& text, Int32 code);
    Int32 code_;
};

}  // namespace refinitiv::ema::access

// OmmInvalidUsageException (ema-api.md section 5).
#pragma once

#include "Access/Include/OmmException.h"

namespace emissary::ema {
struct Raise;
}

namespace refinitiv::ema::access {

/// A call out of order, a bad argument, a message that could not be sent, or a start-up that timed out or was refused.
class EMA_ACCESS_API OmmInvalidUsageException : public OmmException {
public:
    ~OmmInvalidUsageException() override;
    ExceptionType getExceptionType() const override;
    const EmaString& getText() const override;
    const EmaString& toString() const override;
    /// Reasons by number. Those without a comment exist for programs that name them and are not given by this release.
    enum ErrorCode {
        NoErrorEnum = 0,
        FailureEnum = -1,           ///< see the text
        NoBuffersEnum = -4,         ///< the peer reads too slowly; nothing was sent, try again later
        BufferTooSmallEnum = -21,   ///< a PackedMsg is full; it keeps what it has
        InvalidArgumentEnum = -22,  ///< an argument that cannot be used
        EncodingUnavaliableEnum = -23,
        UnsupportedDataTypeEnum = -24,
        UnexpectedEncoderCallEnum = -25,
        IncompleteDataEnum = -26,  ///< data that cannot be decoded was asked for
        SetDefNotProvidedEnum = -27,
        InvalidDataEnum = -29,  ///< a message that cannot be encoded, or attributes of the wrong type
        IllegalLocalSetDefEnum = -30,
        TooManyLocalSetDefsEnum = -31,
        DuplicateLocalSetDefsEnum = -32,
        IteratorOverrunEnum = -33,
        ValueOutOfRangeEnum = -34,  ///< a member of a message is too large for the wire
        DictDuplicateEnumValueEnum = -35,
        PacketGapDetectedEnum = -61,
        SlowReaderEnum = -62,
        CongestionDetectedEnum = -63,
        PersistenceFullEnum = -91,
        InvalidOperationEnum = -4048,          ///< not possible now, for this object, or in this release
        NoActiveChannelEnum = -4049,           ///< there is no connection
        UnSupportedChannelTypeEnum = -4050,    ///< no channel of this type
        UnSupportedServerTypeEnum = -4051,     ///< no server of this type
        LoginRequestTimeOutEnum = -4052,       ///< construction: no login answer in time
        LoginRequestRejectedEnum = -4053,      ///< construction: the login was closed
        DirectoryRequestTimeOutEnum = -4054,   ///< construction: no directory in time
        DictionaryRequestTimeOutEnum = -4055,  ///< construction: no dictionary in time
        InternalErrorEnum = -4060
    };
    Int32 getErrorCode() const;  ///< one of ErrorCode

protected:
    OmmInvalidUsageException(const OmmInvalidUsageException& other) = default;

private:
    friend struct emissary::ema::Raise;
    OmmInvalidUsageException(const EmaString& text, Int32 code);
    Int32 code_;
};

}  // namespace refinitiv::ema::access

// Primitive OmmState (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// Stream and data state with code and text (rwf.md 2.10).
/// Made by the library only; a view that lives until its owner moves on. Value getters of a blank value throw
/// OmmInvalidUsageException/InvalidOperation.
class EMA_ACCESS_API OmmState final : public Data {
public:
    ~OmmState() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    enum StreamState {
        OpenEnum = 1,
        NonStreamingEnum = 2,
        ClosedRecoverEnum = 3,
        ClosedEnum = 4,
        ClosedRedirectedEnum = 5
    };
    enum DataState { NoChangeEnum = 0, OkEnum = 1, SuspectEnum = 2 };
    enum StatusCode {
        NoneEnum = 0,
        NotFoundEnum = 1,
        TimeoutEnum = 2,
        NotAuthorizedEnum = 3,
        InvalidArgumentEnum = 4,
        UsageErrorEnum = 5,
        PreemptedEnum = 6,
        JustInTimeConflationStartedEnum = 7,
        TickByTickResumedEnum = 8,
        FailoverStartedEnum = 9,
        FailoverCompletedEnum = 10,
        GapDetectedEnum = 11,
        NoResourcesEnum = 12,
        TooManyItemsEnum = 13,
        AlreadyOpenEnum = 14,
        SourceUnknownEnum = 15,
        NotOpenEnum = 16,
        NonUpdatingItemEnum = 19,
        UnsupportedViewTypeEnum = 20,
        InvalidViewEnum = 21,
        FullViewProvidedEnum = 22,
        UnableToRequestAsBatchEnum = 23,
        NoBatchViewSupportInReqEnum = 26,
        ExceededMaxMountsPerUserEnum = 27,
        ErrorEnum = 28,
        DacsDownEnum = 29,
        UserUnknownToPermSysEnum = 30,
        DacsMaxLoginsReachedEnum = 31,
        DacsUserAccessToAppDeniedEnum = 32,
        GapFillEnum = 34,
        AppAuthorizationFailedEnum = 35,
        InvalidFormedMsgEnum = 256,
        ChannelUnavailableEnum = 257,
        ServiceUnavailableEnum = 258,
        ServiceDownEnum = 259,
        ServiceNotAcceptingRequestsEnum = 260,
        LoginClosedEnum = 261,
        DirectoryClosedEnum = 262,
        ItemNotFoundEnum = 263,
        DictionaryUnavailableEnum = 264,
        FieldIdNotFoundDictionaryUnavailableEnum = 265,
        ItemRequestTimeoutEnum = 266
    };
    const EmaString& getStreamStateAsString() const;
    const EmaString& getDataStateAsString() const;
    const EmaString& getStatusCodeAsString() const;
    StreamState getStreamState() const;
    DataState getDataState() const;
    UInt8 getStatusCode() const;
    const EmaString& getStatusText() const;

private:
    friend struct emissary::ema::DataAccess;
    OmmState();
    emissary::ema::PrimitiveView view_;
    UInt8 stream_ = 0, data_ = 0, code_ = 0;
    mutable EmaString statusText_;
    struct Words {
        EmaString stream, data, code;
    };
    mutable Words words_;  // one for each getter, made on demand
};

}  // namespace refinitiv::ema::access

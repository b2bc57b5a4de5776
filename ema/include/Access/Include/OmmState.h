// Primitive OmmState (ema-api.md section 2).
#pragma once

#include "Access/Include/Data.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/detail/PrimitiveView.h"

namespace refinitiv::ema::access {

/// State of a stream and of its data, with a code and a text (rwf.md 2.10). Text: `Open / Ok / None / 'All is well'`.
/// Made by the library alone: a view that is valid until its owner moves on. Value getters throw
/// OmmInvalidUsageException/InvalidOperation when the value is blank; toString() gives `(blank data)` then.
class EMA_ACCESS_API OmmState final : public Data {
public:
    ~OmmState() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Whether anything more can come on the stream.
    enum StreamState {
        OpenEnum = 1,             ///< more will come
        NonStreamingEnum = 2,     ///< complete, and nothing more will come
        ClosedRecoverEnum = 3,    ///< ended; asking again, here or elsewhere, may succeed
        ClosedEnum = 4,           ///< ended; asking again is no use
        ClosedRedirectedEnum = 5  ///< ended; the message names another item to ask for
    };
    /// Whether the data held so far can be trusted.
    enum DataState {
        NoChangeEnum = 0,  ///< as it was
        OkEnum = 1,        ///< current and complete
        SuspectEnum = 2    ///< may be stale or incomplete
    };
    /// Why: below 256 as on the wire; from 256 on made by libraries for their own statuses, never sent.
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
    /// The enumerator without "Enum", or "Unknown StreamState value N".
    const EmaString& getStreamStateAsString() const;
    const EmaString& getDataStateAsString() const;   ///< the enumerator without "Enum", or "Unknown DataState value N"
    const EmaString& getStatusCodeAsString() const;  ///< the enumerator without "Enum", or "Unknown StatusCode value N"
    StreamState getStreamState() const;              ///< as received; a number outside the enumeration is passed on
    DataState getDataState() const;                  ///< as received; a number outside the enumeration is passed on
    UInt8 getStatusCode() const;                     ///< one of StatusCode below 256, or a number of the sender's own
    const EmaString& getStatusText() const;          ///< the sender's explanation for people; may be empty

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

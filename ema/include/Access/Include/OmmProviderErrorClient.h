// OmmProviderErrorClient (ema-api.md sections 6, 7).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class EmaString;
class ProviderSessionInfo;

/// Receives errors instead of exceptions: given to a constructor of OmmProvider, not owned, must outlive it. The
/// callbacks come inside the call that failed, on the thread that made it; onDispatchError() and failed conversions of
/// received messages come from the dispatching thread. Texts are valid until the callback returns. The default bodies
/// do nothing.
class EMA_ACCESS_API OmmProviderErrorClient {
public:
    virtual ~OmmProviderErrorClient();
    virtual void onInvalidHandle(UInt64 handle, const EmaString& text);  ///< instead of OmmInvalidHandleException
    /// Instead of OmmInaccessibleLogFileException; the provider is unusable.
    virtual void onInaccessibleLogFile(const EmaString& filename, const EmaString& text);
    virtual void onMemoryExhaustion(const EmaString& text);  ///< instead of OmmMemoryExhaustionException
    /// Instead of OmmInvalidUsageException: both are called for each error, this one first. Codes:
    /// OmmInvalidUsageException::ErrorCode.
    virtual void onInvalidUsage(const EmaString& text);
    virtual void onInvalidUsage(const EmaString& text, Int32 errorCode);
    /// Instead of OmmSystemException; `ptr` is null.
    virtual void onSystemError(Int64 code, void* ptr, const EmaString& text);
    /// Instead of OmmJsonConverterException; also for texts of peers that cannot be converted, for which nothing is
    /// thrown.
    virtual void onJsonConverter(const EmaString& text, Int32 errorCode, const ProviderSessionInfo& sessionInfo);
    /// A callback threw on the library's thread; `text` says what. Codes: DispatchError::ErrorCode.
    virtual void onDispatchError(const EmaString& text, Int32 errorCode);
    OmmProviderErrorClient(const OmmProviderErrorClient&) = delete;
    OmmProviderErrorClient& operator=(const OmmProviderErrorClient&) = delete;

protected:
    OmmProviderErrorClient() noexcept;
};

}  // namespace refinitiv::ema::access

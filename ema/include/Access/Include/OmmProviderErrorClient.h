// OmmProviderErrorClient (ema-api.md sections 6, 7).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class EmaString;
class ProviderSessionInfo;

/// Receives errors instead of exceptions. Callbacks come one at a time, from the dispatching thread; their arguments
/// die when they return. The default bodies do nothing.
class EMA_ACCESS_API OmmProviderErrorClient {
public:
    virtual ~OmmProviderErrorClient();
    virtual void onInvalidHandle(UInt64 handle, const EmaString& text);
    virtual void onInaccessibleLogFile(const EmaString& filename, const EmaString& text);
    virtual void onMemoryExhaustion(const EmaString& text);
    virtual void onInvalidUsage(const EmaString& text);
    virtual void onInvalidUsage(const EmaString& text, Int32 errorCode);
    virtual void onSystemError(Int64 code, void* ptr, const EmaString& text);
    virtual void onJsonConverter(const EmaString& text, Int32 errorCode, const ProviderSessionInfo& sessionInfo);
    virtual void onDispatchError(const EmaString& text, Int32 errorCode);  ///< codes: DispatchError::ErrorCode
    OmmProviderErrorClient(const OmmProviderErrorClient&) = delete;
    OmmProviderErrorClient& operator=(const OmmProviderErrorClient&) = delete;

protected:
    OmmProviderErrorClient() noexcept;
};

}  // namespace refinitiv::ema::access

// Session of a provider (ema-api.md section 9).
#pragma once

#include "Access/Include/SessionInfo.h"

namespace emissary::ema {
struct SessionInfoAccess;
}

namespace refinitiv::ema::access {

class OmmProvider;

/// The client session (interactive) or connection that an error belongs to. Valid until the callback returns, or as
/// long as the exception.
class EMA_ACCESS_API ProviderSessionInfo final : public SessionInfo {
public:
    const ChannelInformation& getChannelInformation() const override;
    UInt64 getHandle() const;          ///< the stream of the message; 0 for what a client sent
    OmmProvider& getProvider() const;  ///< the provider that the session is of
    UInt64 getClientHandle() const;    ///< the client's session; 0 for a non-interactive provider

private:
    friend struct emissary::ema::SessionInfoAccess;
    ProviderSessionInfo() = default;
    ChannelInformation channel_;
    UInt64 handle_ = 0, clientHandle_ = 0;
    OmmProvider* provider_ = nullptr;
};

}  // namespace refinitiv::ema::access

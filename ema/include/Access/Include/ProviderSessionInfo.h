// Session of a provider (ema-api.md section 9).
#pragma once

#include "Access/Include/SessionInfo.h"

namespace emissary::ema {
struct SessionInfoAccess;
}

namespace refinitiv::ema::access {

class OmmProvider;

/// The client session that an error belongs to.
class EMA_ACCESS_API ProviderSessionInfo final : public SessionInfo {
public:
    const ChannelInformation& getChannelInformation() const override;
    UInt64 getHandle() const;
    OmmProvider& getProvider() const;
    UInt64 getClientHandle() const;

private:
    friend struct emissary::ema::SessionInfoAccess;
    ProviderSessionInfo() = default;
    ChannelInformation channel_;
    UInt64 handle_ = 0, clientHandle_ = 0;
    OmmProvider* provider_ = nullptr;
};

}  // namespace refinitiv::ema::access

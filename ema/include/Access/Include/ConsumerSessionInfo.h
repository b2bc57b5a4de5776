// Session of a consumer (ema-api.md section 9).
#pragma once

#include "Access/Include/SessionInfo.h"

namespace emissary::ema {
struct SessionInfoAccess;
}

namespace refinitiv::ema::access {

/// The consumer's connection that an error belongs to. Valid until the callback returns, or as long as the exception.
class EMA_ACCESS_API ConsumerSessionInfo final : public SessionInfo {
public:
    const ChannelInformation& getChannelInformation() const override;

private:
    friend struct emissary::ema::SessionInfoAccess;
    ConsumerSessionInfo() = default;
    ChannelInformation channel_;
};

}  // namespace refinitiv::ema::access

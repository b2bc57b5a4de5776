// Session a conversion error belongs to (ema-api.md section 9).
#pragma once

#include "Access/Include/ChannelInformation.h"

namespace refinitiv::ema::access {

/// The session that a conversion error belongs to; a ConsumerSessionInfo or a ProviderSessionInfo. Valid until the
/// callback returns, or as long as the exception.
class EMA_ACCESS_API SessionInfo {
public:
    virtual ~SessionInfo() = default;
    /// The connection, as it was when the error came.
    virtual const ChannelInformation& getChannelInformation() const = 0;
    SessionInfo(const SessionInfo&) = delete;
    SessionInfo& operator=(const SessionInfo&) = delete;

protected:
    SessionInfo() = default;
};

}  // namespace refinitiv::ema::access

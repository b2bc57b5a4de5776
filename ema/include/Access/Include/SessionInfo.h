// Session a conversion error belongs to (ema-api.md section 9).
#pragma once

#include "Access/Include/ChannelInformation.h"

namespace refinitiv::ema::access {

/// Names the session that an error belongs to.
class EMA_ACCESS_API SessionInfo {
public:
    virtual ~SessionInfo() = default;
    virtual const ChannelInformation& getChannelInformation() const = 0;
    SessionInfo(const SessionInfo&) = delete;
    SessionInfo& operator=(const SessionInfo&) = delete;

protected:
    SessionInfo() = default;
};

}  // namespace refinitiv::ema::access

// Fills the session information that conversion errors carry.
#pragma once

#include "Access/Include/ConsumerSessionInfo.h"
#include "Access/Include/ProviderSessionInfo.h"

namespace emissary::ema {

struct SessionInfoAccess {
    static void set(refinitiv::ema::access::ConsumerSessionInfo& info,
                    const refinitiv::ema::access::ChannelInformation& channel) {
        info.channel_ = channel;
    }
    static void set(refinitiv::ema::access::ProviderSessionInfo& info,
                    const refinitiv::ema::access::ChannelInformation& channel, refinitiv::ema::access::UInt64 handle,
                    refinitiv::ema::access::UInt64 clientHandle, refinitiv::ema::access::OmmProvider& provider) {
        info.channel_ = channel;
        info.handle_ = handle;
        info.clientHandle_ = clientHandle;
        info.provider_ = &provider;
    }
};

}  // namespace emissary::ema

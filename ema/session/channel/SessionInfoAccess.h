// Makes the session information that conversion errors carry.
#pragma once

#include "Access/Include/ConsumerSessionInfo.h"
#include "Access/Include/ProviderSessionInfo.h"

#include <memory>

namespace emissary::ema {

struct SessionInfoAccess {
    [[nodiscard]] static std::shared_ptr<refinitiv::ema::access::ConsumerSessionInfo>
    make(const refinitiv::ema::access::ChannelInformation& channel) {
        std::shared_ptr<refinitiv::ema::access::ConsumerSessionInfo> info(
            new refinitiv::ema::access::ConsumerSessionInfo);
        info->channel_ = channel;
        return info;
    }
    [[nodiscard]] static std::shared_ptr<refinitiv::ema::access::ProviderSessionInfo>
    make(const refinitiv::ema::access::ChannelInformation& channel, refinitiv::ema::access::UInt64 handle,
         refinitiv::ema::access::UInt64 clientHandle, refinitiv::ema::access::OmmProvider& provider) {
        std::shared_ptr<refinitiv::ema::access::ProviderSessionInfo> info(
            new refinitiv::ema::access::ProviderSessionInfo);
        info->channel_ = channel;
        info->handle_ = handle;
        info->clientHandle_ = clientHandle;
        info->provider_ = &provider;
        return info;
    }
};

}  // namespace emissary::ema

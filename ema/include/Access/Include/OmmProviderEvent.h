// What a provider callback belongs to (ema-api.md 7.2).
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "Access/Include/ChannelStatistics.h"

#include <memory>

namespace emissary::ema {
class ProviderImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class OmmProvider;

/// Valid during the callback.
class EMA_ACCESS_API OmmProviderEvent {
public:
    virtual ~OmmProviderEvent();
    UInt64 getHandle() const;
    void* getClosure() const;
    OmmProvider& getProvider() const;
    UInt64 getClientHandle() const;
    const ChannelInformation& getChannelInformation() const;
    const ChannelStatistics& getChannelStatistics() const;
    OmmProviderEvent(const OmmProviderEvent&) = delete;
    OmmProviderEvent& operator=(const OmmProviderEvent&) = delete;

private:
    friend class emissary::ema::ProviderImpl;
    OmmProviderEvent(OmmProvider& provider, emissary::ema::ProviderImpl& impl) noexcept;
    OmmProvider* provider_;
    emissary::ema::ProviderImpl* impl_;
    UInt64 handle_ = 0, clientHandle_ = 0;
    void* closure_ = nullptr;
    mutable ChannelInformation channelInformation_;  ///< filled when asked for
    mutable ChannelStatistics channelStatistics_;
};

}  // namespace refinitiv::ema::access

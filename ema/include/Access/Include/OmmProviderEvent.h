// The stream and client of a provider callback (ema-api.md 7.2).
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "Access/Include/ChannelStatistics.h"

#include <memory>

namespace emissary::ema {
class ProviderImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class OmmProvider;

/// What a callback belongs to. The provider owns it; valid until the callback returns, and to be used on that thread
/// only.
class EMA_ACCESS_API OmmProviderEvent {
public:
    virtual ~OmmProviderEvent();
    UInt64 getHandle() const;          ///< the stream: for submit(), unique while it is open
    void* getClosure() const;          ///< the pointer given to registerClient() or the constructor; never looked at
    OmmProvider& getProvider() const;  ///< the provider, to submit from the callback
    UInt64 getClientHandle() const;    ///< the client's session (interactive), else 0
    /// What is known of the client's connection, now; valid until the callback returns.
    const ChannelInformation& getChannelInformation() const;
    /// Counters of the client's connection; without one nothing is set.
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

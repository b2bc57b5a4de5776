// ema/session/extensions: stores the offer of tunnels in the configuration, and asks a tunnel how full it is.
#include "emissary/tunnels.h"

#include "Access/Include/OmmConsumer.h"
#include "Access/Include/OmmProvider.h"
#include "session/consumer/ConsumerImpl.h"
#include "session/provider/ProviderImpl.h"
#include "settings/ConfigAccess.h"

namespace emissary {

using refinitiv::ema::access::OmmConsumer;
using refinitiv::ema::access::OmmIProviderConfig;
using refinitiv::ema::access::OmmProvider;

namespace ema {

/// Friend of OmmConsumer and OmmProvider. Inside callbacks of a start the public object may not have its
/// implementation yet.
struct TunnelAccess {
    template <class Instance>
    [[nodiscard]] static std::optional<std::uint32_t> buffersUsed(const Instance& instance, std::uint64_t handle) {
        return instance.impl_ ? instance.impl_->tunnelBuffersUsed(handle) : std::nullopt;
    }
};

}  // namespace ema

OmmIProviderConfig& offerTunnels(OmmIProviderConfig& config, const TunnelOffer& offer) {
    ema::ConfigAccess::of(config).tunnels = offer;
    return config;
}

std::optional<std::uint32_t> tunnelBuffersUsed(const OmmConsumer& consumer, std::uint64_t handle) {
    return ema::TunnelAccess::buffersUsed(consumer, handle);
}
std::optional<std::uint32_t> tunnelBuffersUsed(const OmmProvider& provider, std::uint64_t clientHandle) {
    return ema::TunnelAccess::buffersUsed(provider, clientHandle);
}

}  // namespace emissary

// Questions that tests and tools inside the project may ask a provider, beyond the public interface.
#pragma once

#include "Access/Include/OmmProvider.h"
#include "reactor/provider/ProviderRole.h"

#include <cstdint>

namespace emissary::ema {

/// Friend of OmmProvider.
struct ProviderAccess {
    /// The port in use, also when port "0" was asked for; 0 when the provider did not start.
    [[nodiscard]] static std::uint16_t port(const refinitiv::ema::access::OmmProvider& provider);
    [[nodiscard]] static reactor::ProviderCounters counters(refinitiv::ema::access::OmmProvider& provider);
    /// What went over one client's connection: bytes, messages, pings; zeros when there is no such client.
    [[nodiscard]] static eta::transport::ChannelCounters clientCounters(refinitiv::ema::access::OmmProvider& provider,
                                                                        std::uint64_t clientHandle);
};

}  // namespace emissary::ema

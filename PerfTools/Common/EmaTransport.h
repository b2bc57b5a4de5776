// Transport options of the command line, laid over EmaConfig.xml as programmatic configuration.
#pragma once
#include "Ema.h"
#include "Settings.h"

namespace emissary::perf {

/// Lays the options over the channel of a consumer section. `Perf_Consumer_1` is given the channel `Perf_Channel_1`;
/// other names keep their prefix in the same way. Without such options the configuration stays untouched.
void addChannelSettings(refinitiv::ema::access::OmmConsumerConfig& config, const std::string& section,
                        const TransportSettings& transport);

/// Lays a warm standby pair over a consumer section, with channels of its own that have the transport options.
/// `service` starts on the first server when the pair is service based. Without a pair the configuration stays
/// untouched.
void addWarmStandby(refinitiv::ema::access::OmmConsumerConfig& config, const std::string& section,
                    const TransportSettings& transport, const WarmStandbySettings& pair, const std::string& service);

/// The same for a non-interactive provider: `Perf_NIPProvider_1` and `Perf_NIProvider_1` have `Perf_NIP_Channel_1`.
void addChannelSettings(refinitiv::ema::access::OmmNiProviderConfig& config, const std::string& section,
                        const TransportSettings& transport);

/// The same for the server of a provider section, which becomes `Perf_Server_1`; also the published service, when
/// options describe one. `shared` lets several providers of this process listen on one port.
void addServerSettings(refinitiv::ema::access::OmmIProviderConfig& config, const std::string& section,
                       const TransportSettings& transport, const ServiceSettings& service, bool shared);

}  // namespace emissary::perf

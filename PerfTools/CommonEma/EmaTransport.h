// Transport options of the command line, laid over EmaConfig.xml as programmatic configuration.
#pragma once
#include "Ema.h"
#include "Settings.h"

namespace emissary::perf {

/// Chooses the section of thread `number` (from 1), see sectionName(), and returns its name. A later thread without a
/// section of its own uses the first thread's.
std::string chooseSection(refinitiv::ema::access::OmmConsumerConfig& config, const std::string& name, bool given,
                          std::size_t number);
std::string chooseSection(refinitiv::ema::access::OmmIProviderConfig& config, const std::string& name, bool given,
                          std::size_t number);
std::string chooseSection(refinitiv::ema::access::OmmNiProviderConfig& config, const std::string& name, bool given,
                          std::size_t number);

/// Lays the options over the channels that a consumer section uses; everything else about them stays as configured.
/// A section without a channel is given one: `Perf_Consumer_1` `Perf_Channel_1`, other names alike. Without such
/// options, or for a section that does not exist, the configuration stays untouched.
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

/// The same for the server of a provider section (`Perf_Server_1` when it names none); also the published service, when
/// options describe one. With `sharedWith`, the section of the first of several threads, the server is the one of that
/// section, and all threads listen on its port.
void addServerSettings(refinitiv::ema::access::OmmIProviderConfig& config, const std::string& section,
                       const TransportSettings& transport, const ServiceSettings& service,
                       const std::string& sharedWith);

/// Lays BusyPoll over a section, in microseconds; without a value the configuration stays untouched.
void addBusyPoll(refinitiv::ema::access::OmmConsumerConfig& config, const std::string& section,
                 const std::optional<std::int32_t>& us);
void addBusyPoll(refinitiv::ema::access::OmmIProviderConfig& config, const std::string& section,
                 const std::optional<std::int32_t>& us);
void addBusyPoll(refinitiv::ema::access::OmmNiProviderConfig& config, const std::string& section,
                 const std::optional<std::int32_t>& us);

/// Lays a LoginRequestTimeOut over a section that ends before a run of so few seconds does, so that the run can say why
/// there is no login. Longer runs, and 0, leave the configuration untouched.
void addLoginLimit(refinitiv::ema::access::OmmConsumerConfig& config, const std::string& section,
                   std::uint32_t runSeconds);

/// "localhost:14002" of each channel that the configuration uses, for texts.
[[nodiscard]] std::string connectTarget(const refinitiv::ema::access::OmmConsumerConfig& config);
[[nodiscard]] std::string connectTarget(const refinitiv::ema::access::OmmNiProviderConfig& config);

}  // namespace emissary::perf

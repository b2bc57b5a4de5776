// What a consumer or provider would run with: every value in effect and where it came from. Not a part of the EMA API:
// for tools and support, such as `--print-config` of the performance tools.
#pragma once

#include "config/layers/EffectiveValue.h"

#include <string>
#include <vector>

namespace refinitiv::ema::access {
class OmmConsumerConfig;
class OmmIProviderConfig;
class OmmNiProviderConfig;
}  // namespace refinitiv::ema::access

namespace emissary {

using parameters::EffectiveValue;

/// Owns its strings; independent of the configuration object it was made from.
struct EffectiveConfiguration {
    std::string instance;                ///< name of the chosen section, "Consumer_1"
    std::vector<EffectiveValue> values;  ///< in the order of docs/config.md, section by section
    std::vector<std::string> notes;      ///< what was found wrong: the records an instance would log, Warning and above

    /// For people: one line for each value, columns aligned, a heading for each section.
    [[nodiscard]] std::string text() const;
};

/// The values that an OmmConsumer or OmmProvider made from this configuration object now would use. Opens nothing and
/// connects to nothing. Throws what the constructors of these classes throw for a configuration that cannot be used:
/// OmmInvalidConfigurationException, OmmInvalidUsageException. Not while another thread changes the object.
[[nodiscard]] EffectiveConfiguration effectiveConfiguration(const refinitiv::ema::access::OmmConsumerConfig& config);
[[nodiscard]] EffectiveConfiguration effectiveConfiguration(const refinitiv::ema::access::OmmIProviderConfig& config);
[[nodiscard]] EffectiveConfiguration effectiveConfiguration(const refinitiv::ema::access::OmmNiProviderConfig& config);

}  // namespace emissary

// Services of a Directory entry (ema-config.md section 12).
#pragma once

#include "Configuration.h"

namespace emissary::ema {

/// Checked services; what is wrong is reported and the service (or the element) dropped.
[[nodiscard]] inline std::vector<ServiceSettings>
resolveServices(const Configuration& configuration, const ConfigEntry& directory, std::vector<QueuedRecord>& records) {
    return parameters::resolveServices(schema(), configuration, directory, records);
}
/// What a provider offers when no directory is configured: DIRECT_FEED (1) or NI_PUB (0).
[[nodiscard]] ServiceSettings builtInService(bool interactive);

using parameters::readDictionary;

/// True when a connection over one of these channels may use JSON.
[[nodiscard]] bool maySpeakJson(const std::vector<ChannelSettings>& channels);
/// The dictionary that gives field names over JSON: the first one of the services that is read from files, or null.
[[nodiscard]] const DictionarySettings* fileDictionary(const std::vector<ServiceSettings>& services);

}  // namespace emissary::ema

// What was configured for one ema instance, before it is resolved: the mechanism of the layer below with the table of
// EmaConfig.xml.
#pragma once

#include "Settings.h"
#include "parameters.h"

#include "config/layers/Configuration.h"

#include <string>
#include <vector>

namespace emissary::ema {

using parameters::ConfigEntry, parameters::ConfigLayer, parameters::ConfigNode, parameters::Configuration,
    parameters::ConfigValue, parameters::EnvironmentVariable, parameters::Reader, parameters::splitList;

/// Checks one parameter element of a section and stores it; false when it was refused (a record says why).
inline bool absorbParameter(const ConfigNode& node, SectionMask section, ConfigEntry& into,
                            std::vector<QueuedRecord>& records) {
    return parameters::absorbParameter(schema(), node, section, into, records);
}

/// Reads EmaConfig.xml as ema-config.md section 2 says: `path` empty = what EMISSARY_CONFIG names, or else
/// the working directory's file (missing: defaults plus a record), a directory, or a file; and the environment's
/// variables. Throws OmmInvalidConfigurationException for an explicit path that cannot be used.
void loadConfigFile(const std::string& path, Configuration& into);

}  // namespace emissary::ema

// Environment twins: EMISSARY_CONFIG, and one variable for every parameter of every named entry. They lie over the file
// and under programmatic configuration (docs/config.md says how they are written).
#pragma once

#include "Configuration.h"

namespace emissary::ema {

/// All variables of this process that begin with EMISSARY_, in order of their names. Not while another thread changes
/// the environment.
[[nodiscard]] std::vector<EnvironmentVariable> environmentVariables();

/// The name as it stands in a variable: whatever is no letter, digit or underscore becomes an underscore.
[[nodiscard]] std::string inVariable(std::string_view entryName);

/// The configuration with its variables laid over the file, as they fit the entries that are known by now. What cannot
/// be used is left out and goes to the records, which name the variable.
[[nodiscard]] Configuration withEnvironment(Configuration configuration);

/// The chapter of docs/config.md.
[[nodiscard]] std::string environmentAsMarkdown();

}  // namespace emissary::ema

// The values that a product would run with, for people: what `--print-config` shows. C++17: a public header of ema.
#pragma once

#include <string>
#include <vector>

namespace emissary::parameters {

/// One configuration value.
struct EffectiveValue {
    std::string section;    ///< "Consumer", "Channel", "Logger" ...; see docs/config.md and docs/hub-config.md
    std::string entry;      ///< name of the section's entry; empty for the built-in one
    std::string parameter;  ///< name as in the configuration file
    std::string value;      ///< after checks and clamping; passwords are shown as ***
    /// "default", "EmaConfig.xml:17", "environment variable EMISSARY_...", "programmatic configuration",
    /// "function call host()" or the option of the command line.
    std::string origin;
    bool effective = true;  ///< false: read and accepted, without effect in this release
};

/// One line for each value, columns aligned, a heading for each section and entry.
[[nodiscard]] std::string valuesAsText(const std::vector<EffectiveValue>& values);

}  // namespace emissary::parameters

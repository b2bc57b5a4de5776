// The command line of emissary-hub.
#pragma once

#include "hub/config/HubConfig.h"

#include <string>

namespace emissary::hub {

struct CommandLine {
    enum class Mode { run, check, printConfig, version, help };
    Mode mode = Mode::run;
    std::string configFile;  ///< empty: EMISSARY_HUB_CONFIG, HubConfig.xml of the working directory, or none
    Overrides overrides;
    std::string mistake;  ///< not empty: a sentence on what cannot be used
};

[[nodiscard]] CommandLine readCommandLine(int argc, const char* const* argv);
/// What --help shows.
[[nodiscard]] std::string usageText();

}  // namespace emissary::hub

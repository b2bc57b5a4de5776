// The command line of emissary-hub.
#pragma once

#include "hub/config/HubConfig.h"

#include <string>
#include <vector>

namespace emissary::hub {

/// What `emissary-hub usage FOLDER` prints.
struct UsageCommand {
    std::string folder;
    std::string month;     ///< "2026-11"; empty = all days
    bool csv = false;      ///< instead of the table
    std::string htmlFile;  ///< empty = no page
};

struct CommandLine {
    enum class Mode { run, check, printConfig, usage, reload, call, version, help };
    Mode mode = Mode::run;
    std::string configFile;  ///< empty: EMISSARY_HUB_CONFIG, HubConfig.xml of the working directory, or none
    Overrides overrides;
    UsageCommand usage;             ///< with Mode::usage
    bool dryRun = false;            ///< with Mode::reload
    std::vector<std::string> call;  ///< with Mode::call: its name and arguments
    std::string tokenFile;          ///< with Mode::reload and Mode::call
    std::string mistake;            ///< not empty: a sentence on what cannot be used
};

[[nodiscard]] CommandLine readCommandLine(int argc, const char* const* argv);
/// What --help shows.
[[nodiscard]] std::string usageText();

}  // namespace emissary::hub

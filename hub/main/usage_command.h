// emissary-hub usage FOLDER: prints who used what.
#pragma once

#include "hub/main/options.h"

namespace emissary::hub {

/// Prints a table or comma-separated values, or writes a page. False: a file cannot be read or written, which standard
/// error says; what could be read is printed all the same.
[[nodiscard]] bool printUsage(const UsageCommand& command);

}  // namespace emissary::hub

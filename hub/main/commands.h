// hub/main: what people ask from a command line: emissary-hub reload, ctl and usage.
#pragma once

#include "hub/main/options.h"

namespace emissary::hub {

/// Asks the hub whose pages are where the configuration says to read it again, and prints its answer. False: the hub
/// refuses, cannot be reached, or gives no answer.
[[nodiscard]] bool askToReload(const CommandLine& line);

/// What came of `emissary-hub ctl`.
enum class Called { done, refused, wrongWords };
/// The same with the call that the words name; without words, lists the calls.
[[nodiscard]] Called askToCall(const CommandLine& line);

/// emissary-hub usage FOLDER: prints a table or comma-separated values, or writes a page. False: a file cannot be read
/// or written, which standard error says; what could be read is printed all the same.
[[nodiscard]] bool printUsage(const UsageCommand& command);

}  // namespace emissary::hub

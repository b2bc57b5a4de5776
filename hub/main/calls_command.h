// hub/main: emissary-hub reload and emissary-hub ctl: what people ask a running hub for from a command line.
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

}  // namespace emissary::hub

// emissary-hub reload: asks a running hub to read its configuration again.
#pragma once

#include "hub/main/options.h"

namespace emissary::hub {

/// Asks the hub whose pages are where the configuration says, and prints its answer. False: the hub refuses, cannot be
/// reached, or gives no answer.
[[nodiscard]] bool askToReload(const CommandLine& line);

}  // namespace emissary::hub

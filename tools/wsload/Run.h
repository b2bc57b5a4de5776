// A whole run: connects, warms up, measures, compares, and says whether it passed.
#pragma once

#include "Options.h"

namespace emissary::wsload {

/// 0: passed; 1: not. Prints a line per interval and the closing lines. Ctrl-C and SIGTERM end it early, with them.
/// Throws std::runtime_error for what cannot begin.
[[nodiscard]] int run(const Options& options);

}  // namespace emissary::wsload

// Records of one instance, written to a file or stdout in the layout of ema-config.md section 10.
#pragma once

#include "logging/Logger.h"

namespace emissary::ema {
using logging::Logger;
}  // namespace emissary::ema

// Programmatic configuration: a Map of ElementLists turned into the shape of the file (ema-config.md section 13).
#pragma once

#include "Configuration.h"

namespace refinitiv::ema::access {
class Data;
}

namespace emissary::ema {

/// Adds one layer. Anything but a completed Map is reported and ignored; so are single elements that do not fit.
void addProgrammaticConfig(const refinitiv::ema::access::Data& config, Configuration& into);

}  // namespace emissary::ema

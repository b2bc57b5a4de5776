// Lists the marks of slow clients as they take effect at each port.
#pragma once

#include "config/layers/Configuration.h"
#include "config/layers/EffectiveValue.h"
#include "hub/config/HubSettings.h"

#include <vector>

namespace emissary::hub {

/// Fills in the values of marks that are not written: a port has the Hub's, cut down to make room for its own.
void showMarks(const parameters::Configuration& c, const HubSettings& s,
               std::vector<parameters::EffectiveValue>& values);

}  // namespace emissary::hub

// What ports have from the Hub entry, for the list of values in effect.
#pragma once

#include "config/layers/Configuration.h"
#include "config/layers/EffectiveValue.h"
#include "hub/config/HubSettings.h"

#include <vector>

namespace emissary::hub {

/// Fills in the values of bounds and marks that are not written: a port has the Hub's, marks of slow clients cut down
/// to make room for its own.
void showInherited(const parameters::Configuration& c, const HubSettings& s,
                   std::vector<parameters::EffectiveValue>& values);

}  // namespace emissary::hub

// capi/consumer: what was set by call, as the library's configuration.
#pragma once

#include "emissary.h"

#include "Ema.h"

namespace emissary::capi {

/// Puts what was set into the configuration. Throws Failure for settings that would have no effect.
void apply(const emi_config& from, refinitiv::ema::access::OmmConsumerConfig& to);

}  // namespace emissary::capi

// ema: what stands in config/layers/EffectiveValue.h, under the name that it had before; programs include
// emissary/EffectiveConfiguration.h.
#pragma once

#include "config/layers/EffectiveValue.h"

// The growing block of the layer below, under the name that this layer uses.
#pragma once

#include "eta/core/GrowingBuffer.h"

namespace emissary::reactor {

using eta::GrowingBuffer;

}  // namespace emissary::reactor

// The parameters of the XML trace (xml-trace.md 1).
#pragma once

#include "Configuration.h"

#include "eta/trace/XmlTrace.h"

namespace emissary::ema {

/// What an entry does not say stays.
void readTrace(const Reader& r, eta::trace::XmlTraceOptions& trace);

}  // namespace emissary::ema

// Quality of service between the public numbering and the wire's.
#pragma once

#include "Access/Include/Common.h"
#include "eta/codec/Types.h"

namespace emissary::ema {

/// OmmQos timeliness and rate (0 best, 1..65535 an amount, above: unknown amount) to wire form.
[[nodiscard]] eta::codec::Qos wireQos(refinitiv::ema::access::UInt32 timeliness,
                                      refinitiv::ema::access::UInt32 rate) noexcept;
}  // namespace emissary::ema

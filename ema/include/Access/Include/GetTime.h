// Monotonic time (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Time since an arbitrary origin, in the unit that the function names.
using TimeValue = UInt64;

/// The monotonic clock in several units. Thread safe.
class EMA_ACCESS_API GetTime {
public:
    static TimeValue getSeconds();
    static TimeValue getMillis();
    static TimeValue getMicros();
    static TimeValue getNanos();
    static TimeValue getTicks();
    static double ticksPerSecond();
    static double ticksPerMilli();
    static double ticksPerMicro();
    static double ticksPerNano();

    GetTime() = delete;
    GetTime(const GetTime&) = delete;
    GetTime& operator=(const GetTime&) = delete;
};

}  // namespace refinitiv::ema::access

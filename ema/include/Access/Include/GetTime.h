// Monotonic time (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Time since an arbitrary origin, in the unit that the function names.
using TimeValue = UInt64;

/// The monotonic clock, for measuring intervals: it has an arbitrary origin and is never set back. Thread safe; no call
/// throws.
class EMA_ACCESS_API GetTime {
public:
    static TimeValue getSeconds();   ///< whole seconds since the origin
    static TimeValue getMillis();    ///< whole milliseconds
    static TimeValue getMicros();    ///< whole microseconds
    static TimeValue getNanos();     ///< nanoseconds
    static TimeValue getTicks();     ///< the finest counter there is: a tick is a nanosecond here
    static double ticksPerSecond();  ///< 1e9
    static double ticksPerMilli();   ///< 1e6
    static double ticksPerMicro();   ///< 1e3
    static double ticksPerNano();    ///< 1

    GetTime() = delete;
    GetTime(const GetTime&) = delete;
    GetTime& operator=(const GetTime&) = delete;
};

}  // namespace refinitiv::ema::access

// Reads the steady clock and returns it in the unit that was asked for.
#include "Access/Include/GetTime.h"

#include "eta/core/Clock.h"

namespace refinitiv::ema::access {

namespace {

template <class Unit>
TimeValue since() {
    return static_cast<TimeValue>(
        std::chrono::duration_cast<Unit>(emissary::eta::Clock::now().time_since_epoch()).count());
}

}  // namespace

TimeValue GetTime::getSeconds() {
    return since<std::chrono::seconds>();
}
TimeValue GetTime::getMillis() {
    return since<std::chrono::milliseconds>();
}
TimeValue GetTime::getMicros() {
    return since<std::chrono::microseconds>();
}
TimeValue GetTime::getNanos() {
    return since<std::chrono::nanoseconds>();
}

// The finest counter that is the same on every core and needs no calibration is the monotonic clock itself: a tick is a
// nanosecond.
TimeValue GetTime::getTicks() {
    return getNanos();
}
double GetTime::ticksPerSecond() {
    return 1e9;
}
double GetTime::ticksPerMilli() {
    return 1e6;
}
double GetTime::ticksPerMicro() {
    return 1e3;
}
double GetTime::ticksPerNano() {
    return 1;
}

}  // namespace refinitiv::ema::access

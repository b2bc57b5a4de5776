// Checks of values before they are encoded: the ranges of ema-api.md 2.2 and 3.2.
#include "data/add_values.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "eta/codec/text.h"

#include <string>

namespace emissary::ema {

namespace {

void require(bool ok, const char* what, unsigned value) {
    if (!ok) [[unlikely]]
        throwOutOfRange(std::string(what) + " " + std::to_string(value) + " is out of range");
}

}  // namespace

// Blank parts are allowed one by one; a date without blanks must exist.
eta::codec::Date checkedDate(UInt16 year, UInt8 month, UInt8 day) {
    require(year <= 4095, "year", year);
    require(month <= 12, "month", month);
    const eta::codec::Date d{day, month, year};
    require(day <= 31 && (d.blank() || eta::codec::isValid(d)), "day", day);
    return d;
}

// 255, 65535 and 2047 stand for blank parts, and second 60 is a leap second (rwf.md 2.7).
eta::codec::Time checkedTime(UInt8 hour, UInt8 minute, UInt8 second, UInt16 millisecond, UInt16 microsecond,
                             UInt16 nanosecond) {
    require(hour <= 23 || hour == 255, "hour", hour);
    require(minute <= 59 || minute == 255, "minute", minute);
    require(second <= 60 || second == 255, "second", second);
    require(millisecond <= 999 || millisecond == 65535, "millisecond", millisecond);
    require(microsecond <= 999 || microsecond == 2047, "microsecond", microsecond);
    require(nanosecond <= 999 || nanosecond == 2047, "nanosecond", nanosecond);
    return {hour, minute, second, millisecond, microsecond, nanosecond};
}

void refuseMagnitude(unsigned magnitude) {
    throwOutOfRange("magnitude type " + std::to_string(magnitude) +
                    " does not exist; use one of OmmReal::MagnitudeType");
}

eta::codec::Real realFromDouble(double value, refinitiv::ema::access::OmmReal::MagnitudeType magnitude) {
    eta::codec::Real v;
    if (!eta::codec::fromDouble(value, static_cast<std::uint8_t>(magnitude), v))
        throwInvalidUsage("addRealFromDouble(): " + std::to_string(value) + " cannot be written with magnitude type " +
                              std::to_string(static_cast<int>(magnitude)),
                          refinitiv::ema::access::OmmInvalidUsageException::InvalidArgumentEnum);
    return v;
}

}  // namespace emissary::ema

// capi/data: days and nanoseconds of the C interface as the parts that the library takes.
#pragma once

#include "Ema.h"

#include <chrono>
#include <cstdint>

namespace emissary::capi {

/// The parts of a date, a time of day or both. The caller has checked the ranges.
struct Moment {
    refinitiv::ema::access::UInt16 year = 0;
    refinitiv::ema::access::UInt8 month = 0, day = 0, hour = 0, minute = 0, second = 0;
    refinitiv::ema::access::UInt16 milli = 0, micro = 0, nano = 0;

    /// Days since 1970-01-01.
    void date(std::int64_t days) {
        const std::chrono::year_month_day d{std::chrono::sys_days(std::chrono::days(days))};
        year = static_cast<std::uint16_t>(static_cast<int>(d.year()));
        month = static_cast<std::uint8_t>(static_cast<unsigned>(d.month()));
        day = static_cast<std::uint8_t>(static_cast<unsigned>(d.day()));
    }
    /// Nanoseconds since midnight.
    void time(std::int64_t ns) {
        const std::int64_t s = ns / 1'000'000'000;
        hour = static_cast<std::uint8_t>(s / 3600);
        minute = static_cast<std::uint8_t>(s / 60 % 60);
        second = static_cast<std::uint8_t>(s % 60);
        milli = static_cast<std::uint16_t>(ns / 1'000'000 % 1000);
        micro = static_cast<std::uint16_t>(ns / 1000 % 1000);
        nano = static_cast<std::uint16_t>(ns % 1000);
    }
    /// Nanoseconds since 1970-01-01.
    void dateTime(std::int64_t ns) {
        const std::chrono::nanoseconds all(ns);
        const auto days = std::chrono::floor<std::chrono::days>(all);
        date(days.count());
        time((all - days).count());
    }
};

}  // namespace emissary::capi

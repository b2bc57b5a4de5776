// Schedules in cron's notation: the next time, faults, and changes of the clock.
#include "reactor/consumer/CronSchedule.h"
#include "support/catch.hpp"

#include <cstdlib>
#include <ctime>

using emissary::reactor::consumer::CronSchedule;

namespace {

/// "2024-02-28 23:59:30" as local time, and back.
std::time_t at(const char* text) {
    std::tm tm{};
    REQUIRE(strptime(text, "%Y-%m-%d %H:%M:%S", &tm) != nullptr);
    tm.tm_isdst = -1;
    return std::mktime(&tm);
}
std::string text(std::time_t t) {
    std::tm tm{};
    localtime_r(&t, &tm);
    char out[32];
    std::strftime(out, sizeof out, "%Y-%m-%d %H:%M:%S", &tm);
    return out;
}

}  // namespace

TEST_CASE("cron: the next time", "[reactor][cron]") {
    struct Row {
        const char *schedule, *after, *next;
    };
    const Row row = GENERATE(values<Row>({
        {"* * * * *", "2024-02-28 23:59:30", "2024-02-29 00:00:00"},
        {"* * * * *", "2024-02-28 23:59:00", "2024-02-29 00:00:00"},
        {"*/15 * * * *", "2024-05-01 10:07:12", "2024-05-01 10:15:00"},
        {"*/15 * * * *", "2024-05-01 10:45:00", "2024-05-01 11:00:00"},
        {"30 6 * * *", "2024-05-01 06:30:00", "2024-05-02 06:30:00"},
        {"30 6 * * *", "2024-05-01 06:29:59", "2024-05-01 06:30:00"},
        {"0 0 1 1 *", "2024-01-01 00:00:00", "2025-01-01 00:00:00"},
        {"0 0 29 2 *", "2024-02-29 00:00:00", "2028-02-29 00:00:00"},
        {"0 12 * * MON-FRI", "2024-05-03 12:00:00", "2024-05-06 12:00:00"},  // a Friday
        {"0 12 * * 0", "2024-05-03 12:00:00", "2024-05-05 12:00:00"},
        {"0 12 * * 7", "2024-05-03 12:00:00", "2024-05-05 12:00:00"},
        {"0 12 13 * fri", "2024-05-03 12:00:00", "2024-05-10 12:00:00"},  // either day will do
        {"0 12 4 * fri", "2024-05-03 12:00:00", "2024-05-04 12:00:00"},
        {"0 12 ? JUN,aug *", "2024-05-03 12:00:00", "2024-06-01 12:00:00"},
        {"0 9-17/4 * * *", "2024-05-03 10:00:00", "2024-05-03 13:00:00"},
        {"0 20/2 * * *", "2024-05-03 20:30:00", "2024-05-03 22:00:00"},
        {"1,3,5 * * * *", "2024-05-03 10:03:00", "2024-05-03 10:05:00"},
        {"10,40 * * * * *", "2024-05-03 10:03:10", "2024-05-03 10:03:40"},
        {"*/20 59 23 31 12 *", "2024-12-31 23:59:40", "2025-12-31 23:59:00"},
        {"  5   4 *\t* *  ", "2024-05-03 00:00:00", "2024-05-03 04:05:00"},
    }));
    INFO(row.schedule << " after " << row.after);
    emissary::eta::Refused refused;
    const auto schedule = CronSchedule::parse(row.schedule, refused);
    CHECK(refused.text.empty());
    REQUIRE(schedule);
    CHECK(text(schedule->next(at(row.after))) == row.next);
}

TEST_CASE("cron: what is no schedule, and why", "[reactor][cron]") {
    struct Row {
        const char *schedule, *why;
    };
    const Row row = GENERATE(values<Row>({
        {"", "it has 0 fields; it takes five (minute, hour, day of month, month, day of week), or six with seconds in "
             "front"},
        {"* * * *", "it has 4 fields; it takes five (minute, hour, day of month, month, day of week), or six with "
                    "seconds in front"},
        {"* * * * * * *", "it has 7 fields; it takes five (minute, hour, day of month, month, day of week), or six "
                          "with seconds in front"},
        {"60 * * * *", "the minute field '60' is not made of values from 0 to 59"},
        {"* 24 * * *", "the hour field '24' is not made of values from 0 to 23"},
        {"* * 0 * *", "the day of month field '0' is not made of values from 1 to 31"},
        {"* * * 13 *", "the month field '13' is not made of values from 1 to 12"},
        {"* * * FOO *", "the month field 'FOO' is not made of values from 1 to 12"},
        {"* * * * 8", "the day of week field '8' is not made of values from 0 to 7"},
        {"5-1 * * * *", "the minute field '5-1' is not made of values from 0 to 59"},
        {"1, * * * *", "the minute field '1,' is not made of values from 0 to 59"},
        {"1- * * * *", "the minute field '1-' is not made of values from 0 to 59"},
        {"*/0 * * * *", "the minute field '*/0' has a step that is not a positive number"},
        {"*/x * * * *", "the minute field '*/x' has a step that is not a positive number"},
        {"-1 * * * *", "the minute field '-1' is not made of values from 0 to 59"},
        {"1x * * * *", "the minute field '1x' is not made of values from 0 to 59"},
        {"70 * * * * *", "the second field '70' is not made of values from 0 to 59"},
        {"0 0 31 2 *", "none of its times ever comes"},
    }));
    INFO(row.schedule);
    emissary::eta::Refused refused;
    CHECK_FALSE(CronSchedule::parse(row.schedule, refused));
    CHECK(refused.text == row.why);
}

TEST_CASE("cron: clocks that change", "[reactor][cron]") {
    const char* const before = std::getenv("TZ");
    const std::string kept = before != nullptr ? before : "";
    ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    ::tzset();
    emissary::eta::Refused refused;
    // 02:30 does not exist on 2024-03-31; the next one is a day later.
    const auto schedule = CronSchedule::parse("30 2 * * *", refused);
    REQUIRE(schedule);
    CHECK(text(schedule->next(at("2024-03-30 12:00:00"))) == "2024-04-01 02:30:00");
    const auto hourly = CronSchedule::parse("0 * * * *", refused);
    REQUIRE(hourly);
    std::time_t t = at("2024-10-27 00:30:00");
    for (int i = 0; i < 5; ++i) {
        const std::time_t next = hourly->next(t);
        CHECK(next - t <= 3600);
        CHECK(next > t);
        t = next;
    }
    if (before != nullptr) ::setenv("TZ", kept.c_str(), 1);
    else ::unsetenv("TZ");
    ::tzset();
}

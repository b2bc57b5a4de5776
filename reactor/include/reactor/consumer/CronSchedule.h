// reactor/consumer: times of a schedule in cron's notation, for the checks for a preferred host (ema-config.md 9).
#pragma once

#include "eta/core/Refused.h"

#include <bitset>
#include <ctime>
#include <optional>
#include <string_view>

namespace emissary::reactor::consumer {

/// "minute hour day-of-month month day-of-week", or six fields with seconds in front. A field is `*` (or `?`), or a
/// list of numbers, ranges `a-b` and steps `*/n`, `a-b/n`, `a/n`. Months and days of the week may have their English
/// names' first three letters; Sunday is 0 or 7. When both days are given, either will do. Local time. A value type.
class CronSchedule {
public:
    /// Empty when refused, naming the field: the text is not a schedule, or none of its times ever comes (a 31st of
    /// February).
    [[nodiscard]] static std::optional<CronSchedule> parse(std::string_view text, eta::Refused& refused);

    /// The first time after `after`.
    [[nodiscard]] std::time_t next(std::time_t after) const noexcept { return find(after).value_or(after + 86400); }

private:
    struct Field;
    CronSchedule() = default;
    [[nodiscard]] std::optional<std::time_t> find(std::time_t after) const noexcept;

    std::bitset<60> seconds_, minutes_;
    std::bitset<24> hours_;
    std::bitset<32> days_;
    std::bitset<13> months_;
    std::bitset<8> weekDays_;
    bool anyDay_ = false, anyWeekDay_ = false;
};

}  // namespace emissary::reactor::consumer

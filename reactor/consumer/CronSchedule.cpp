// Parses the five fields of a schedule, and finds the next minute that fits all of them.
#include "reactor/consumer/CronSchedule.h"

#include "eta/core/Clock.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace emissary::reactor::consumer {

/// What a field may hold.
struct CronSchedule::Field {
    const char* name;
    int least, most;
    std::string_view names;  ///< three letters each, the first for `least`

    [[nodiscard]] std::string quoted(std::string_view text) const {
        return std::string("the ") + name + " field '" + std::string(text) + "' ";
    }
    /// One number or name; -1 when it is neither, or out of range.
    [[nodiscard]] int value(std::string_view text) const {
        int number = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        // A number decides by range, a name by its three letters; anything else is no value.
        if (error == std::errc() && end == text.data() + text.size())
            return number >= least && number <= most ? number : -1;
        if (text.size() != 3) return -1;
        std::string upper;
        for (const char c : text)
            upper += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        for (std::size_t at = 0; at < names.size(); at += 3)
            if (names.substr(at, 3) == upper) return least + static_cast<int>(at / 3);
        return -1;
    }
    /// Sets the bits that a field names; `any`: it is a plain * or ?.
    template <class Bits>
    [[nodiscard]] eta::Refused read(std::string_view text, Bits& bits, bool& any) const {
        any = text == "*" || text == "?";
        for (std::size_t from = 0; from <= text.size();) {
            const std::size_t comma = std::min(text.find(',', from), text.size());
            std::string_view part = text.substr(from, comma - from);
            from = comma + 1;
            int step = 1;
            const std::size_t slash = part.find('/');
            if (slash != std::string_view::npos) {
                const std::string_view by = part.substr(slash + 1);
                const auto [end, error] = std::from_chars(by.data(), by.data() + by.size(), step);
                if (error != std::errc() || end != by.data() + by.size() || step < 1)
                    return {quoted(text) + "has a step that is not a positive number"};
                part = part.substr(0, slash);
            }
            int first = least, last = most;
            if (part != "*" && part != "?") {
                const std::size_t dash = part.find('-');
                first = value(part.substr(0, dash));
                if (dash != std::string_view::npos) last = value(part.substr(dash + 1));
                // "5/10" begins at 5 and goes on to the end.
                else if (slash == std::string_view::npos) last = first;
                if (first < 0 || last < 0 || first > last)
                    return {quoted(text) + "is not made of values from " + std::to_string(least) + " to " +
                            std::to_string(most)};
            }
            for (int i = first; i <= last; i += step)
                bits.set(static_cast<std::size_t>(i));
        }
        return {};
    }
};

std::optional<CronSchedule> CronSchedule::parse(std::string_view text, eta::Refused& refused) {
    static constexpr Field kSecond{"second", 0, 59, {}}, kMinute{"minute", 0, 59, {}}, kHour{"hour", 0, 23, {}},
        kDay{"day of month", 1, 31, {}}, kMonth{"month", 1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"},
        kWeekDay{"day of week", 0, 7, "SUNMONTUEWEDTHUFRISAT"};
    constexpr std::string_view kBlank = " \t";
    std::vector<std::string_view> fields;
    for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;
         at = text.find_first_not_of(kBlank, at)) {
        const std::size_t end = std::min(text.find_first_of(kBlank, at), text.size());
        fields.push_back(text.substr(at, end - at));
        at = end;
    }
    if (fields.size() != 5 && fields.size() != 6) {
        refused.text =
            "it has " + std::to_string(fields.size()) +
            " fields; it takes five (minute, hour, day of month, month, day of week), or six with seconds in front";
        return std::nullopt;
    }
    CronSchedule s;
    bool any = false;
    auto field = fields.begin();
    // Without a field for seconds the schedule means the full minute.
    if (fields.size() == 5) s.seconds_.set(0);
    else refused = kSecond.read(*field++, s.seconds_, any);
    if (!refused) refused = kMinute.read(*field++, s.minutes_, any);
    if (!refused) refused = kHour.read(*field++, s.hours_, any);
    if (!refused) refused = kDay.read(*field++, s.days_, s.anyDay_);
    if (!refused) refused = kMonth.read(*field++, s.months_, any);
    if (!refused) refused = kWeekDay.read(*field, s.weekDays_, s.anyWeekDay_);
    if (refused) return std::nullopt;
    // 7 and 0 both mean Sunday.
    if (s.weekDays_[7]) s.weekDays_.set(0);
    // A schedule such as 30 February would be waited for without an end.
    if (!s.find(eta::WallClock::seconds())) {
        refused.text = "none of its times ever comes";
        return std::nullopt;
    }
    return s;
}

std::optional<std::time_t> CronSchedule::find(std::time_t after) const noexcept {
    // Beyond that no time is searched: the schedule never comes.
    const std::time_t end = after + std::time_t{9} * 366 * 86400;  // leap days can be eight years apart
    std::time_t t = after + 1;
    while (t < end) {
        std::tm tm{};
        if (localtime_r(&t, &tm) == nullptr) return std::nullopt;
        const bool month = months_[static_cast<std::size_t>(tm.tm_mon + 1)];
        const bool day = days_[static_cast<std::size_t>(tm.tm_mday)];
        const bool weekDay = weekDays_[static_cast<std::size_t>(tm.tm_wday)];
        // A restricted one decides; two restricted ones are alternatives.
        const bool date = anyDay_ ? weekDay : anyWeekDay_ ? day : day || weekDay;
        if (!month || !date) {
            if (!month) {
                tm.tm_mday = 1;
                ++tm.tm_mon;
            } else {
                ++tm.tm_mday;
            }
            tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
            // Summer time is for mktime() to decide, since the day may begin in another one.
            tm.tm_isdst = -1;
            const std::time_t later = std::mktime(&tm);
            t = later > t ? later : t + 3600;  // where the clocks change at midnight
        } else if (!hours_[static_cast<std::size_t>(tm.tm_hour)]) {
            t += 3600 - tm.tm_min * 60 - std::min(tm.tm_sec, 59);
        } else if (!minutes_[static_cast<std::size_t>(tm.tm_min)]) {
            t += 60 - std::min(tm.tm_sec, 59);
        } else if (!seconds_[static_cast<std::size_t>(std::min(tm.tm_sec, 59))]) {
            ++t;
        } else {
            return t;
        }
    }
    return std::nullopt;
}

}  // namespace emissary::reactor::consumer

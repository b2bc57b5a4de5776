// Writes rows as comma-separated values, and reads them back.
#include "hub/usage/usage_file.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace emissary::hub::usage {

namespace {

constexpr std::string_view kBegin = "usage-", kEnd = ".csv";
constexpr std::string_view kHeading = "user,service,product,opened,seconds,updates,snapshots";
constexpr std::size_t kFields = 7;

template <class Number>
[[nodiscard]] bool parse(std::string_view text, Number& into) noexcept {
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), into);
    return ec == std::errc() && end == text.data() + text.size();
}

/// False: quotes that do not match, or another number of fields.
[[nodiscard]] bool split(std::string_view line, std::array<std::string, kFields>& fields) {
    std::size_t n = 0, i = 0;
    for (;; ++i) {
        if (n == kFields) return false;
        std::string& field = fields[n++];
        field.clear();
        if (i < line.size() && line[i] == '"') {
            for (++i;; ++i) {
                if (i >= line.size()) return false;
                if (line[i] != '"') field += line[i];
                else if (i + 1 < line.size() && line[i + 1] == '"') field += line[i++];
                else break;
            }
            ++i;
        } else {
            while (i < line.size() && line[i] != ',')
                field += line[i++];
        }
        if (i >= line.size()) return n == kFields;
        if (line[i] != ',') return false;
    }
}

/// "12.345" as nanoseconds.
[[nodiscard]] bool parseSeconds(std::string_view text, std::chrono::nanoseconds& into) noexcept {
    const std::size_t dot = text.find('.');
    std::uint64_t seconds = 0, thousandths = 0;
    if (dot == std::string_view::npos || text.size() - dot != 4) return false;
    if (!parse(text.substr(0, dot), seconds) || !parse(text.substr(dot + 1), thousandths)) return false;
    if (seconds > 9'000'000'000) return false;
    into = std::chrono::seconds(static_cast<std::int64_t>(seconds)) +
           std::chrono::milliseconds(static_cast<std::int64_t>(thousandths));
    return true;
}

}  // namespace

std::string dateOf(std::int64_t day) {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    char text[32];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    return text;
}

std::string fileNameOf(std::int64_t day) {
    return std::string(kBegin) + dateOf(day) + std::string(kEnd);
}

std::optional<std::int64_t> dayOf(std::string_view name) noexcept {
    if (name.size() != kBegin.size() + 10 + kEnd.size() || !name.starts_with(kBegin) || !name.ends_with(kEnd))
        return {};
    name = name.substr(kBegin.size(), 10);
    int year = 0;
    unsigned month = 0, day = 0;
    if (name[4] != '-' || name[7] != '-' || !parse(name.substr(0, 4), year) || !parse(name.substr(5, 2), month) ||
        !parse(name.substr(8, 2), day))
        return {};
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (!date.ok()) return {};
    return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string csvField(std::string_view text) {
    if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string fileText(const Snapshot& snapshot) {
    std::string text(kHeading);
    text += '\n';
    char numbers[128];
    for (const Snapshot::Row& row : snapshot.rows) {
        const Numbers& n = row.numbers;
        const auto ms = static_cast<unsigned long long>(n.held / std::chrono::milliseconds(1));
        std::snprintf(numbers, sizeof numbers, ",%llu,%llu.%03llu,%llu,%llu\n",
                      static_cast<unsigned long long>(n.opened), ms / 1000, ms % 1000,
                      static_cast<unsigned long long>(n.updates), static_cast<unsigned long long>(n.snapshots));
        text.append(csvField(row.key->user)).append(",").append(csvField(row.key->service)).append(",");
        text.append(csvField(row.key->product)).append(numbers);
    }
    return text;
}

void readFile(const std::string& path, Rows& into, std::vector<std::string>& faults) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return;
    std::string line;
    std::size_t number = 1;
    if (!std::getline(in, line) || line != kHeading)
        return void(faults.push_back(path + ":1: it does not begin as a file of use does"));
    std::array<std::string, kFields> fields;
    while (std::getline(in, line)) {
        ++number;
        Numbers n;
        if (in.eof() || !split(line, fields) || !parse(fields[3], n.opened) || !parseSeconds(fields[4], n.held) ||
            !parse(fields[5], n.updates) || !parse(fields[6], n.snapshots)) {
            faults.push_back(path + ":" + std::to_string(number) + ": it is no row of use");
            continue;
        }
        into[{fields[0], fields[1], fields[2]}] += n;
    }
}

}  // namespace emissary::hub::usage

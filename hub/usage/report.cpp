// Adds up files of use, and writes them as a table, as comma-separated values, or as a page.
#include "hub/usage/report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace emissary::hub::usage {

namespace {

constexpr std::array<const char*, 7> kHeads{"user", "service", "product", "opened", "hours", "updates", "snapshots"};
constexpr std::size_t kTexts = 3;  // columns of texts; the others are numbers

[[nodiscard]] std::string hours(std::chrono::nanoseconds held) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", std::chrono::duration<double, std::ratio<3600>>(held).count());
    return text;
}

using Line = std::array<std::string, kHeads.size()>;
[[nodiscard]] Line lineOf(const Key& key, const Numbers& n) {
    const bool others = key == kOthers;
    return {others ? "(others)" : key.user, key.service,   others ? "" : key.product,
            std::to_string(n.opened),       hours(n.held), std::to_string(n.updates),
            std::to_string(n.snapshots)};
}

struct Sums {
    Rows rows;
    Numbers all;
};
[[nodiscard]] Sums sumsOf(const Report& report) {
    Sums made;
    for (const auto& [day, rows] : report.byDay)
        for (const auto& [key, numbers] : rows) {
            made.rows[key] += numbers;
            made.all += numbers;
        }
    return made;
}

/// Of what a terminal shows: bytes that go on a character take no place.
[[nodiscard]] std::size_t widthOf(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

[[nodiscard]] std::string titleOf(const Report& report) {
    return "Use of items, " + (report.month.empty() ? std::string("all days") : report.month) + ", " +
           std::to_string(report.byDay.size()) + (report.byDay.size() == 1 ? " day" : " days") + " with use" +
           (report.faults.empty() ? "" : "; incomplete, faults in the files: " + std::to_string(report.faults.size()));
}

[[nodiscard]] std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

/// Updates of each day as bars.
[[nodiscard]] std::string bars(const Report& report) {
    constexpr double kWidth = 720, kHeight = 120;
    std::vector<std::pair<std::int64_t, std::uint64_t>> days;
    std::uint64_t most = 1;
    for (const auto& [day, rows] : report.byDay) {
        std::uint64_t sum = 0;
        for (const auto& entry : rows)
            sum += entry.second.updates;
        most = std::max(most, sum);
        days.emplace_back(day, sum);
    }
    if (days.empty()) return {};
    const double step = kWidth / static_cast<double>(days.size());
    std::string out = "<svg viewBox=\"0 0 720 140\" role=\"img\" aria-label=\"updates by day\">\n";
    char text[256];
    for (std::size_t i = 0; i < days.size(); ++i) {
        const double high = kHeight * static_cast<double>(days[i].second) / static_cast<double>(most);
        std::snprintf(
            text, sizeof text,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: %llu updates</title></rect>\n",
            step * static_cast<double>(i) + 1, kHeight - high, std::max(step - 2, 1.0), high,
            dateOf(days[i].first).c_str(), static_cast<unsigned long long>(days[i].second));
        out += text;
    }
    out += "<text x=\"0\" y=\"136\">" + dateOf(days.front().first) +
           "</text><text x=\"360\" y=\"136\" text-anchor=\"middle\">updates by day</text><text x=\"720\" y=\"136\" "
           "text-anchor=\"end\">" +
           dateOf(days.back().first) + "</text></svg>\n";
    return out;
}

}  // namespace

bool isMonth(const std::string& text) noexcept {
    return text.size() == 7 && dayOf("usage-" + text + "-01.csv").has_value();
}

Report readReport(const std::string& folder, const std::string& month) {
    Report made;
    made.month = month;
    std::error_code error;
    std::filesystem::directory_iterator at(folder, error);
    if (error) return made.faults.push_back(folder + ": " + error.message()), made;
    for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error)) {
        const std::optional<std::int64_t> day = dayOf(at->path().filename().string());
        if (!day || (!month.empty() && dateOf(*day).substr(0, 7) != month)) continue;
        Rows rows;
        readFile(at->path().string(), rows, made.faults);
        if (!rows.empty()) made.byDay.emplace(*day, std::move(rows));
    }
    return made;
}

std::string asTable(const Report& report) {
    const Sums sums = sumsOf(report);
    std::vector<Line> lines;
    lines.emplace_back();
    for (std::size_t i = 0; i < kHeads.size(); ++i)
        lines.front()[i] = kHeads[i];
    for (const auto& [key, numbers] : sums.rows)
        lines.push_back(lineOf(key, numbers));
    lines.push_back(lineOf({"all", "", ""}, sums.all));
    std::array<std::size_t, kHeads.size()> widths{};
    for (const Line& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(line[i]));
    std::string out = titleOf(report) + "\n\n";
    for (const Line& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string room(widths[i] - widthOf(line[i]), ' ');
            row += (i == 0 ? "" : "  ") + (i < kTexts ? line[i] + room : room + line[i]);
        }
        out += row + "\n";
    }
    return out;
}

std::string asCsv(const Report& report) {
    std::string out = "day,user,service,product,opened,seconds,updates,snapshots\n";
    const auto name = [](const std::string& text) {
        return csvField(
            text.empty() || std::string_view("=+-@").find(text.front()) == std::string_view::npos ? text : "'" + text);
    };
    for (const auto& [day, rows] : report.byDay)
        for (const auto& [key, n] : rows) {
            char seconds[32];
            std::snprintf(seconds, sizeof seconds, "%.3f", std::chrono::duration<double>(n.held).count());
            out += dateOf(day) + "," + name(key.user) + "," + name(key.service) + "," + name(key.product) + "," +
                   std::to_string(n.opened) + "," + seconds + "," + std::to_string(n.updates) + "," +
                   std::to_string(n.snapshots) + "\n";
        }
    return out;
}

std::string asHtml(const Report& report) {
    const Sums sums = sumsOf(report);
    std::string out =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
        escaped(titleOf(report)) +
        "</title>\n<style>\n"
        ":root { color-scheme: light dark; }\n"
        "body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em; }\n"
        ".wide { overflow-x: auto; }\n"
        "table { border-collapse: collapse; width: 100%; }\n"
        "th, td { text-align: left; padding: .2em .6em; border-bottom: 1px solid #8884; }\n"
        "th { position: sticky; top: 0; background: Canvas; }\n"
        ".n { text-align: right; font-variant-numeric: tabular-nums; }\n"
        "tfoot td { font-weight: 600; }\n"
        "svg { width: 100%; fill: #3b7dd8; } svg text { font-size: 12px; fill: currentColor; }\n"
        "</style></head><body>\n<h1>" +
        escaped(titleOf(report)) + "</h1>\n";
    out += bars(report) + "<div class=\"wide\"><table>\n<thead><tr>";
    const auto cell = [&out](const char* tag, std::size_t i, std::string_view text) {
        out += std::string("<") + tag + (i < kTexts ? ">" : " class=\"n\">") + escaped(text) + "</" + tag + ">";
    };
    for (std::size_t i = 0; i < kHeads.size(); ++i)
        cell("th", i, kHeads[i]);
    out += "</tr></thead>\n<tbody>\n";
    const auto row = [&](const Line& line) {
        out += "<tr>";
        for (std::size_t i = 0; i < line.size(); ++i)
            cell("td", i, line[i]);
        out += "</tr>\n";
    };
    for (const auto& [key, numbers] : sums.rows)
        row(lineOf(key, numbers));
    out += "</tbody>\n<tfoot>";
    row(lineOf({"all", "", ""}, sums.all));
    return out + "</tfoot>\n</table></div>\n</body></html>\n";
}

}  // namespace emissary::hub::usage

// The block of the EMA API, one line, or a JSON object on a line.
#include "formats.h"

#include "eta/core/json_escapes.h"

#include <cstdio>
#include <ctime>

namespace emissary::logging {

namespace {

using SystemClock = std::chrono::system_clock;

/// `format` is strftime()'s; three digits of the second follow.
[[nodiscard]] std::string stamp(SystemClock::time_point time, const char* format,
                                tm* (*broken)(const std::time_t*, tm*)) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(time);
    const std::time_t seconds = SystemClock::to_time_t(whole);
    tm parts{};
    broken(&seconds, &parts);
    char text[64];
    const std::size_t n = std::strftime(text, sizeof text, format, &parts);
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(time - whole);
    std::snprintf(text + n, sizeof text - n, ".%03u", static_cast<unsigned>(rest.count()) % 1000);
    return text;
}

[[nodiscard]] std::string localStamp(const LogRecord& r, bool withDate) {
    return stamp(r.time, withDate ? "%Y/%m/%d %H:%M:%S" : "%H:%M:%S", localtime_r);
}

[[nodiscard]] std::string block(const LogRecord& r, bool withDate) {
    std::string out = "loggerMsg\n    TimeStamp: ";
    out.append(localStamp(r, withDate)).append("\n    ClientName: ").append(r.component);
    out.append("\n    Severity: ").append(severityName(r.severity)).append("\n    Text:    ");
    for (const char c : r.text) {
        out += c;
        if (c == '\n') out += '\t';
    }
    return out.append("\n\tInstance Name ").append(r.instance).append("\nloggerMsgEnd\n\n");
}

/// Line feeds, with the blanks around them, become a bar, tabs a blank.
[[nodiscard]] std::string line(const LogRecord& r, const RecordForm& form) {
    std::string out = localStamp(r, form.withDate);
    out.append(" ").append(severityName(r.severity)).append(" ");
    if (form.instanceInLine) out.append(r.instance).append(" ");
    out.append(r.component).append(": ");
    constexpr std::string_view kBlanks = " \t\r\n";
    for (std::size_t i = 0; i < r.text.size(); ++i) {
        const std::size_t next = std::min(r.text.find_first_not_of(kBlanks, i), r.text.size());
        if (r.text.substr(i, next - i).find('\n') != std::string_view::npos) {
            out += " | ";
            i = next - 1;
        } else {
            out += r.text[i] == '\t' || r.text[i] == '\r' ? ' ' : r.text[i];
        }
    }
    return out += '\n';
}

void member(std::string& out, std::string_view name, std::string_view value) {
    out.append(out.empty() ? "{\"" : ",\"").append(name).append("\":");
    eta::appendJsonString(out, value);
}

/// The time is that of UTC (RFC 3339).
[[nodiscard]] std::string json(const LogRecord& r) {
    std::string out;
    member(out, "time", stamp(r.time, "%Y-%m-%dT%H:%M:%S", gmtime_r) + "Z");
    member(out, "severity", severityName(r.severity));
    member(out, "instance", r.instance);
    member(out, "component", r.component);
    member(out, "text", r.text);
    return out.append("}\n");
}

}  // namespace

std::string formatted(const LogRecord& record, const RecordForm& form) {
    switch (form.format) {
    case LogFormat::line:
        return line(record, form);
    case LogFormat::json:
        return json(record);
    case LogFormat::ema:
        break;
    }
    return block(record, form.withDate);
}

}  // namespace emissary::logging

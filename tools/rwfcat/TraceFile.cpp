#include "rwfcat/TraceFile.h"

#include "rwfcat/trace_message.h"

#include <algorithm>

namespace emissary::rwfcat {
namespace {

constexpr std::string_view kDescriptor = " (Channel IPC descriptor = ", kEnd = "<!-- End Message (";

/// "Incoming Message" of its comment; empty when the line is none.
std::string_view headingOf(std::string_view line) noexcept {
    if (!line.starts_with("<!-- ")) return {};
    const auto end = line.find(kDescriptor);
    return end == std::string_view::npos ? std::string_view{} : line.substr(5, end - 5);
}

int digit(char c) noexcept {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool isDump(std::string_view line) noexcept {
    return !line.empty() && std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || digit(c) >= 0; }) &&
           line.front() != ' ';
}

void appendDump(std::string_view line, std::vector<std::byte>& out) {
    int high = -1;
    for (const char c : line) {
        if (c == ' ') continue;
        if (high < 0) high = digit(c);
        else out.push_back(static_cast<std::byte>(high * 16 + digit(c))), high = -1;
    }
}

/// What stands between the time and the end of one entry.
void readBody(const std::vector<std::string_view>& body, TraceEntry& entry) {
    // The dump is what stands last; digits of long attributes stand before an end tag.
    std::size_t dump = body.size();
    while (dump != 0 && isDump(body[dump - 1]))
        --dump;
    for (std::size_t n = dump; n < body.size(); ++n)
        appendDump(body[n], entry.message);
    std::vector<std::string_view> element(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(dump));
    entry.exact = !entry.message.empty();
    if (entry.exact) return;
    try {
        entry.message = messageOfTrace(element);
    } catch (const TraceFault& fault) { entry.fault = fault.what(); }
}

}  // namespace

bool isTrace(std::string_view content) noexcept {
    return !headingOf(content.substr(0, content.find('\n'))).empty();
}

std::size_t readTraceFile(std::string_view content, const std::function<void(const TraceEntry&)>& each) {
    std::size_t json = 0;
    TraceEntry entry;
    std::vector<std::string_view> body;
    bool open = false;
    for (std::size_t number = 1; !content.empty(); ++number) {
        const std::size_t end = content.find('\n');
        const std::string_view line = content.substr(0, end);
        content = end == std::string_view::npos ? std::string_view{} : content.substr(end + 1);
        if (open && line.starts_with(kEnd)) {
            open = false;
            if (!body.empty() && body.front().starts_with("<!-- JSON protocol")) ++json;
            else readBody(body, entry), each(entry);
        } else if (const std::string_view heading = headingOf(line); heading.ends_with(" Message")) {
            if (open) {  // the writer was stopped in the middle of it
                entry.fault = "the entry is not complete";
                entry.message.clear();
                each(entry);
            }
            entry = TraceEntry();
            entry.heading = heading;
            entry.line = number;
            body.clear();
            open = heading != "End Message";
        } else if (open && line.starts_with("<!-- Time: ")) {
            entry.time = std::string(line.substr(11, line.find(" -->") - 11));
        } else if (open) body.push_back(line);
    }
    if (open) {
        entry.fault = "the entry is not complete";
        each(entry);
    }
    return json;
}

}  // namespace emissary::rwfcat

// Finds message dumps and XML in a trace file, and puts bytes together that were split over lines.
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

/// May belong to a dump: has nothing of a tag.
bool isDump(std::string_view line) noexcept {
    return !line.empty() && line.find_first_of("<>\"") == std::string_view::npos;
}

/// The first character that is neither digit nor blank; npos = none.
std::size_t slipIn(std::string_view line) noexcept {
    const auto at = std::find_if(line.begin(), line.end(), [](char c) { return c != ' ' && digit(c) < 0; });
    return at == line.end() ? std::string_view::npos : static_cast<std::size_t>(at - line.begin());
}

void appendDump(std::string_view line, std::vector<std::byte>& out) {
    int high = -1;
    for (const char c : line) {
        if (c == ' ') continue;
        if (high < 0) high = digit(c);
        else out.push_back(static_cast<std::byte>(high * 16 + digit(c))), high = -1;
    }
}

/// A line between the time and the end of one entry.
struct Line {
    std::string_view text;
    std::size_t number;
};

/// Reads those of one entry.
void readBody(const std::vector<Line>& body, TraceEntry& entry) {
    // The dump is what stands last; digits of long attributes stand before an end tag.
    std::size_t dump = body.size();
    while (dump != 0 && isDump(body[dump - 1].text))
        --dump;
    std::size_t digits = 0;
    for (std::size_t n = dump; n < body.size(); ++n) {
        const std::string_view text = body[n].text;
        const std::size_t slip = slipIn(text);
        digits += static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c != ' '; }));
        // An odd number of digits is a fault only at the end: bytes may be divided between lines.
        if (slip == text.npos && (n + 1 != body.size() || digits % 2 == 0)) continue;
        entry.message.clear();
        entry.fault = "line " + std::to_string(body[n].number) +
                      (slip != text.npos ? ", column " + std::to_string(slip + 1) + ": not a hex digit (0-9, A-F)"
                                         : ": the dump has an odd number of hex digits") +
                      "; correct it, or take the dump out of the entry: then its text is read";
        return;
    }
    // The dump wins over the text, because it is exact.
    for (std::size_t n = dump; n < body.size(); ++n)
        appendDump(body[n].text, entry.message);
    entry.exact = !entry.message.empty();
    if (entry.exact) return;
    std::vector<std::string_view> element;
    for (std::size_t n = 0; n < dump; ++n)
        element.push_back(body[n].text);
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
    std::vector<Line> body;
    bool open = false;
    for (std::size_t number = 1; !content.empty(); ++number) {
        const std::size_t end = content.find('\n');
        std::string_view line = content.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        content = end == std::string_view::npos ? std::string_view{} : content.substr(end + 1);
        if (open && line.starts_with(kEnd)) {
            open = false;
            // Messages of JSON are counted and left out; they have no RWF.
            if (!body.empty() && body.front().text.starts_with("<!-- JSON protocol")) ++json;
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
        } else if (open) body.push_back({line, number});
    }
    if (open) {
        entry.fault = "the entry is not complete";
        each(entry);
    }
    return json;
}

}  // namespace emissary::rwfcat

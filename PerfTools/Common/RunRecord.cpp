// PerfTools/Common: describes command line, processor, system and time of a run.
#include "RunRecord.h"

#include "Text.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <thread>

namespace emissary::perf {

namespace {

/// The arguments as a shell would take them again.
std::string commandLine() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::string out;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find('\0', at), all.size());
        std::string_view word = std::string_view(all).substr(at, end - at);
        if (out.empty()) {
            if (const std::size_t slash = word.rfind('/'); slash != std::string_view::npos)
                word.remove_prefix(slash + 1);
        } else {
            out += ' ';
        }
        out += shellWord(word);
        at = end + 1;
    }
    return out;
}

/// As the first processor names itself.
std::string processor() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        return colon == std::string::npos ? std::string() : line.substr(colon + 2);
    }
    return {};
}

}  // namespace

std::string shellWord(std::string_view word) {
    const auto isPlain = [](unsigned char c) { return c >= ' ' && c <= '~'; };
    if (!std::all_of(word.begin(), word.end(), isPlain)) {
        std::string out = "$'";
        for (const char c : word)
            if (const auto byte = static_cast<unsigned char>(c); isPlain(byte) && c != '\'' && c != '\\') out += c;
            else appendf(out, "\\x%02X", byte);
        return out + '\'';
    }
    if (!word.empty() && word.find_first_of(" \"'\\$`&|;<>()*?#[]{}~!") == std::string_view::npos)
        return std::string(word);
    // Nothing has a meaning between apostrophes; one of the word's own stands outside.
    std::string out = "'";
    for (const char c : word)
        if (c == '\'') out += "'\\''";
        else out += c;
    return out + '\'';
}

std::string runRecord() {
    std::string out = "--- RUN SUMMARY ---\n\nWhere and how:\n";
    const auto add = [&out](const char* label, const std::string& text) {
        if (!text.empty()) appendf(out, "  %s: %s\n", label, text.c_str());
    };
    add("Version", std::string(toolVersion()));
    add("Command line", commandLine());
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    char text[32];
    if (gmtime_r(&now, &utc) != nullptr && std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc) != 0)
        add("Started (UTC)", text);
    if (const unsigned cores = std::thread::hardware_concurrency(); cores != 0)
        add("Processors", std::to_string(cores) + " x " + processor());
    struct sysinfo memory {};
    if (::sysinfo(&memory) == 0)
        add("Memory (GB)", std::to_string((memory.totalram * memory.mem_unit + (1u << 29)) >> 30));
    utsname system{};
    if (::uname(&system) == 0) add("Kernel", std::string(system.sysname) + " " + system.release + " " + system.machine);
    return out;
}

}  // namespace emissary::perf

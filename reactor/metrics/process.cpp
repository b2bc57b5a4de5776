// Reads memory, processor time and start time from /proc and getrusage.
#include "reactor/metrics/process.h"

#include "eta/core/version.h"
#include "labels.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>

#include <sys/resource.h>
#include <unistd.h>

namespace emissary::reactor::metrics {

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[nodiscard]] double secondsOf(clockid_t clock) noexcept {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/// Field 22 of /proc/self/stat: ticks from the start of the machine to the start of this process; 0 where it cannot be
/// read.
[[nodiscard]] double startedAfterBoot() noexcept {
    char text[1024];
    const File file(std::fopen("/proc/self/stat", "re"), std::fclose);
    if (!file) return 0;
    text[std::fread(text, 1, sizeof text - 1, file.get())] = '\0';
    // The second field is the program's name in parentheses, which may hold blanks and parentheses of its own.
    const char* at = std::strrchr(text, ')');
    for (int field = 2; at != nullptr && field < 22; ++field)
        at = std::strchr(at + 1, ' ');
    unsigned long long ticks = 0;
    if (at == nullptr || std::sscanf(at, " %llu", &ticks) != 1) return 0;
    return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void family(std::string& out, const char* name, const char* kind, const char* help, const char* value) {
    out.append("# HELP ").append(name).append(" ").append(help);
    out.append("\n# TYPE ").append(name).append(" ").append(kind);
    out.append("\n").append(name).append(value).append("\n");
}

}  // namespace

ProcessUsage processUsage() noexcept {
    ProcessUsage u;
    rusage r{};
    if (getrusage(RUSAGE_SELF, &r) == 0)
        u.cpuSeconds = static_cast<double>(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
                       static_cast<double>(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
    const File file(std::fopen("/proc/self/statm", "re"), std::fclose);
    unsigned long long size = 0, resident = 0;
    if (file && std::fscanf(file.get(), "%llu %llu", &size, &resident) == 2)
        u.residentBytes = resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (const double start = startedAfterBoot(); start > 0) {
        u.upSeconds = secondsOf(CLOCK_BOOTTIME) - start;
        u.startSeconds = secondsOf(CLOCK_REALTIME) - u.upSeconds;
    }
    return u;
}

std::string processAsPrometheus(const Labels& common) {
    const ProcessUsage u = processUsage();
    std::string out;
    char value[64];
    std::snprintf(value, sizeof value, " %llu", static_cast<unsigned long long>(u.residentBytes));
    family(out, "process_resident_memory_bytes", "gauge", "Resident memory size in bytes.", value);
    std::snprintf(value, sizeof value, " %.3f", u.cpuSeconds);
    family(out, "process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.", value);
    std::snprintf(value, sizeof value, " %.2f", u.startSeconds);
    family(out, "process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", value);
    std::snprintf(value, sizeof value, " %.2f", u.upSeconds);
    family(out, "emissary_uptime_seconds", "gauge",
           "Seconds since the start of the process, whatever the wall clock does.", value);
    Labels labels = common;
    labels.emplace_back("version", std::string(version()));
    family(out, "emissary_build_info", "gauge", "1; the labels name the version that runs.",
           (labelText(labels) + " 1").c_str());
    return out;
}

}  // namespace emissary::reactor::metrics

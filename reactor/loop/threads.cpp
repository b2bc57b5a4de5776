// Reads the topology of the processors, parses lists of them, and names and binds the calling thread.
#include "reactor/threads.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <pthread.h>
#include <sched.h>

namespace emissary::reactor {
namespace {

constexpr int kMaxCpu = CPU_SETSIZE - 1;

// "0,2-4"; empty on anything else.
std::vector<int> parseList(const std::string& text) {
    std::vector<int> cpus;
    std::size_t at = 0;
    const auto number = [&]() -> int {
        if (at >= text.size() || !std::isdigit(static_cast<unsigned char>(text[at]))) return -1;
        int v = 0;
        while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && v <= kMaxCpu)
            v = v * 10 + (text[at++] - '0');
        return v > kMaxCpu ? -1 : v;
    };
    while (at < text.size()) {
        const int first = number();
        int last = first;
        if (first >= 0 && at < text.size() && text[at] == '-') {
            ++at;
            last = number();
        }
        if (first < 0 || last < first) return {};
        for (int c = first; c <= last; ++c)
            cpus.push_back(c);
        if (at < text.size() && text[at++] != ',') return {};
    }
    return cpus;
}

int readTopology(int cpu, const char* what) {
    std::ifstream in("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/" + what);
    int v = -1;
    return in >> v ? v : -1;
}

// "P:0 C:1 T:0" in any order; P is mandatory.
std::vector<int> parseTopology(const std::string& text) {
    int wantPackage = -1, wantCore = -1, wantThread = -1;
    for (std::size_t i = 0; i + 1 < text.size();) {
        const char kind = static_cast<char>(std::toupper(static_cast<unsigned char>(text[i])));
        if (std::isspace(static_cast<unsigned char>(text[i]))) {
            ++i;
            continue;
        }
        if (text[i + 1] != ':') return {};
        char* end = nullptr;
        const long v = std::strtol(text.c_str() + i + 2, &end, 10);
        if (end == text.c_str() + i + 2 || v < 0 || v > kMaxCpu) return {};
        if (kind == 'P') wantPackage = static_cast<int>(v);
        else if (kind == 'C') wantCore = static_cast<int>(v);
        else if (kind == 'T') wantThread = static_cast<int>(v);
        else return {};
        i = static_cast<std::size_t>(end - text.c_str());
    }
    if (wantPackage < 0) return {};
    std::map<int, std::vector<int>> cores;  // core id -> logical CPUs, of the wanted package
    for (int cpu = 0; cpu < static_cast<int>(std::thread::hardware_concurrency()); ++cpu) {
        if (std::max(readTopology(cpu, "physical_package_id"), 0) != wantPackage) continue;
        const int core = readTopology(cpu, "core_id");
        cores[core < 0 ? cpu : core].push_back(cpu);
    }
    std::vector<int> cpus;
    int coreIndex = 0;
    for (const auto& [id, logical] : cores) {
        if (wantCore >= 0 && coreIndex++ != wantCore) continue;
        for (int t = 0; t < static_cast<int>(logical.size()); ++t)
            if (wantThread < 0 || t == wantThread) cpus.push_back(logical[static_cast<std::size_t>(t)]);
    }
    return cpus;
}

}  // namespace

std::vector<int> cpusOf(const std::string& binding) {
    return binding.find(':') != std::string::npos ? parseTopology(binding) : parseList(binding);
}

bool bindThisThread(const std::string& binding) {
    if (binding.empty()) return true;
    const std::vector<int> cpus = cpusOf(binding);
    if (cpus.empty()) return false;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int c : cpus)
        CPU_SET(static_cast<std::size_t>(c), &set);
    return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

void nameThisThread(const std::string& name) noexcept {
    char cut[16] = {};
    std::copy_n(name.data(), std::min<std::size_t>(name.size(), 15), cut);
    pthread_setname_np(pthread_self(), cut);
}

}  // namespace emissary::reactor

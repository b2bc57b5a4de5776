// PerfTools/Common: parses lists of cores and core numbers, and binds the calling thread.
#include "CpuBinding.h"

#include "Options.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>

namespace emissary::perf {

namespace {

[[nodiscard]] std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

[[nodiscard]] std::optional<int> smallNumber(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// One text for every mistake: it shows all three forms, because the reader may have meant another one.
[[noreturn]] void refuse(std::string_view option, std::string_view text) {
    throw OptionError("Config Error: " + std::string(option) + ": '" + std::string(text) +
                      "' is not a processor; use -1, a number, or P:x C:y T:z.");
}

[[nodiscard]] std::optional<int> readNumber(const std::filesystem::path& path) {
    std::ifstream file(path);
    int number = 0;
    if (!(file >> number)) return std::nullopt;
    return number;
}

}  // namespace

CpuBinding parseCpuBinding(std::string_view option, std::string_view text) {
    text = trimmed(text);
    CpuBinding binding;
    binding.text = text;
    if (text == "-1") return binding;
    if (const auto number = smallNumber(text)) {
        if (*number < 0) refuse(option, text);
        binding.kind = CpuBinding::Kind::logical;
        binding.logical = *number;
        return binding;
    }
    binding.kind = CpuBinding::Kind::physical;
    bool packageSeen = false;
    bool coreSeen = false;
    bool threadSeen = false;
    for (std::string_view rest = text; !rest.empty(); rest = trimmed(rest)) {
        const std::string_view part = rest.substr(0, rest.find(' '));
        rest.remove_prefix(part.size());
        if (part.size() < 3 || part[1] != ':') refuse(option, text);
        // "#" means all, as a part left out does; a package has to be named, since cores are numbered in each anew.
        const bool all = part.substr(2) == "#";
        const auto number = smallNumber(part.substr(2));
        if (!all && (!number || *number < 0)) refuse(option, text);
        if (part[0] == 'P' && !packageSeen && !all) {
            binding.package = *number;
            packageSeen = true;
        } else if (part[0] == 'C' && !coreSeen) {
            coreSeen = true;
            if (!all) binding.core = *number;
        } else if (part[0] == 'T' && !threadSeen) {
            threadSeen = true;
            if (!all) binding.thread = *number;
        } else {
            refuse(option, text);
        }
    }
    if (!packageSeen) refuse(option, text);
    return binding;
}

std::vector<CpuBinding> parseCpuBindings(std::string_view option, std::string_view text) {
    std::vector<CpuBinding> bindings;
    while (true) {
        const std::size_t comma = text.find(',');
        bindings.push_back(parseCpuBinding(option, text.substr(0, comma)));
        if (comma == std::string_view::npos) return bindings;
        text.remove_prefix(comma + 1);
    }
}

std::vector<int> resolveCpus(const CpuBinding& binding, const std::string& root) {
    namespace fs = std::filesystem;
    if (binding.kind == CpuBinding::Kind::none) return {};
    if (binding.kind == CpuBinding::Kind::logical) {
        if (!fs::exists(fs::path(root) / ("cpu" + std::to_string(binding.logical)))) return {};
        return {binding.logical};
    }
    // The kernel's core ids may have holes. C:y counts the cores that are there, in order of their ids, as people do.
    std::map<int, std::vector<int>> cores;  // core id -> logical processors, both ascending
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("cpu")) continue;
        const auto cpu = smallNumber(std::string_view(name).substr(3));
        if (!cpu) continue;
        const auto package = readNumber(entry.path() / "topology" / "physical_package_id");
        const auto core = readNumber(entry.path() / "topology" / "core_id");
        if (package && core && *package == binding.package) cores[*core].push_back(*cpu);
    }
    std::vector<int> cpus;
    int coreNumber = 0;
    for (auto& [id, threads] : cores) {
        std::sort(threads.begin(), threads.end());
        const bool wanted = !binding.core || *binding.core == coreNumber;
        ++coreNumber;
        if (!wanted) continue;
        if (!binding.thread) cpus.insert(cpus.end(), threads.begin(), threads.end());
        else if (static_cast<std::size_t>(*binding.thread) < threads.size())
            cpus.push_back(threads[static_cast<std::size_t>(*binding.thread)]);
    }
    return cpus;
}

bool bindThisThread(const CpuBinding& binding, std::string& error) {
    if (binding.kind == CpuBinding::Kind::none) return true;
    const std::vector<int> cpus = resolveCpus(binding);
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus)
        // A set has room for 1024 processors. With larger numbers alone it stays empty, which the kernel refuses below.
        if (cpu < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(cpu), &set);
    if (cpus.empty()) {
        error = "Error: Failed to bind thread to core " + binding.text + ": this machine has no such processor.";
        return false;
    }
    // 0 is the calling thread: a worker binds itself before it makes the library's threads, which inherit the set.
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        error = "Error: Failed to bind thread to core " + binding.text + ": " + std::strerror(errno) + ".";
        return false;
    }
    return true;
}

}  // namespace emissary::perf

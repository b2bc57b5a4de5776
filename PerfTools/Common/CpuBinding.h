// Binding of threads to processors, as -mainThread, -threads, -apiThreads and -workerThreads describe it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::perf {

/// One value of a processor list: nothing, a logical processor, or a place in the machine.
struct CpuBinding {
    enum class Kind : unsigned char { none, logical, physical };
    Kind kind = Kind::none;
    int logical = 0;
    int package = 0;            ///< P:x
    std::optional<int> core;    ///< C:y; all cores without it
    std::optional<int> thread;  ///< T:z; all hardware threads of the core without it
    std::string text = "-1";    ///< as the user wrote it
};

/// Reads `-1`, `3` or `P:0 C:1 T:0`. Throws OptionError that names `option`.
[[nodiscard]] CpuBinding parseCpuBinding(std::string_view option, std::string_view text);
/// Reads a comma separated list of bindings. Throws OptionError.
[[nodiscard]] std::vector<CpuBinding> parseCpuBindings(std::string_view option, std::string_view text);

/// The logical processors that a binding means on this machine; empty when there are none such. Cores and hardware
/// threads are counted from 0 within their package and core. `root` is /sys/devices/system/cpu, or a copy of it.
[[nodiscard]] std::vector<int> resolveCpus(const CpuBinding& binding,
                                           const std::string& root = "/sys/devices/system/cpu");

/// Binds the calling thread. False, with a message in `error`, when that is not possible.
[[nodiscard]] bool bindThisThread(const CpuBinding& binding, std::string& error);

}  // namespace emissary::perf

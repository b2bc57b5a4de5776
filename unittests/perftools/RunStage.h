// The two interactive tools as a user runs them: real processes, real sockets, the shipped configuration and data.
#pragma once
#include "ToolProcess.h"
#include "support/paths.h"

#include <memory>
#include <stdexcept>

namespace emissary::perf::test {

/// Longest wait for what comes sooner, in seconds.
inline constexpr double kLong = 60.0;

/// A directory like the build's bin directory, with a short item list.
class RunStage {
public:
    explicit RunStage(int items = 1000) {
        namespace fs = std::filesystem;
        for (const char* file : {"EmaConfig.xml", "etc/RDMFieldDictionary", "etc/enumtype.def", "etc/MsgData.xml"})
            fs::create_symlink(emissary::test::sourcePath("/") + file, dir_.file(fs::path(file).filename().string()));
        std::string list = "<itemList>\n";
        for (int i = 1; i <= items; ++i)
            list += "<item domain=\"MarketPrice\" name=\"T" + std::to_string(i) + "\"" +
                    (i <= 10 ? " post=\"true\"" : "") + (i > 10 && i <= 20 ? " genMsg=\"true\"" : "") + "/>\n";
        dir_.write("items.xml", list + "</itemList>\n");
    }

    [[nodiscard]] const TempDir& dir() const { return dir_; }
    [[nodiscard]] int port() const { return port_; }

    /// A provider that listens.
    std::unique_ptr<ToolProcess> provider(std::vector<std::string> more = {}) {
        return providerAt(port_, "provider", more);
    }
    /// Another one; its output files begin with `name`.
    std::unique_ptr<ToolProcess> providerAt(int port, const std::string& name, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"-p", std::to_string(port), "-writeStatsInterval", "1"};
        if (name != "provider") arguments.insert(arguments.end(), {"-summaryFile", name + ".out", "-statsFile", name});
        arguments.insert(arguments.end(), more.begin(), more.end());
        auto process = std::make_unique<ToolProcess>(EMISSARY_IPROVPERF, arguments, dir_, name + ".log");
        if (!waitForListener(port, kLong)) throw std::runtime_error("no provider: " + process->output());
        return process;
    }
    std::unique_ptr<ToolProcess> consumer(std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"-p", std::to_string(port_)});
        return consumerOf(more);
    }
    /// Without the port.
    std::unique_ptr<ToolProcess> consumerOf(const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"-itemFile",        "items.xml", "-itemCount",          "1000",
                                              "-steadyStateTime", "2",         "-writeStatsInterval", "1"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return std::make_unique<ToolProcess>(EMISSARY_CONSPERF, arguments, dir_, "consumer.log");
    }

private:
    TempDir dir_;
    int port_ = freePort();
};

/// The number behind the last such label of a summary, the overall one; -1 when the label is not there.
inline double number(const std::string& text, const std::string& label) {
    const std::size_t at = text.rfind(label + ": ");
    return at == std::string::npos ? -1.0 : std::stod(text.substr(at + label.size() + 2));
}

}  // namespace emissary::perf::test

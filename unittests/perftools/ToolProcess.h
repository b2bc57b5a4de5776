// A performance tool running in a directory of its own.
#pragma once
#include "TempDir.h"
#include "support/free_port.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace emissary::perf::test {

/// Started with its output in a file; killed when it is destroyed before it ended.
class ToolProcess {
public:
    ToolProcess(const std::string& program, const std::vector<std::string>& arguments, const TempDir& dir,
                const std::string& outputName);
    ToolProcess(const ToolProcess&) = delete;
    ToolProcess& operator=(const ToolProcess&) = delete;
    ~ToolProcess();

    void signal(int number) const;
    /// The exit code once it has ended within that time; a signal's number is negative. Nothing when it still runs.
    [[nodiscard]] std::optional<int> wait(double seconds);
    [[nodiscard]] bool running() { return !wait(0.0).has_value(); }
    /// What it has printed so far.
    [[nodiscard]] std::string output() const;
    /// Waits until it has printed that text; false when it ended or the time passed without it.
    [[nodiscard]] bool waitForOutput(const std::string& text, double seconds);

private:
    pid_t pid_ = -1;
    std::string outputFile_;
    std::optional<int> exitCode_;
};

using emissary::test::freePort;
/// Whether something listens on a port of this host.
[[nodiscard]] bool isListening(int port);
/// Waits until something listens there.
[[nodiscard]] bool waitForListener(int port, double seconds);
[[nodiscard]] std::string readFile(const std::string& name);

}  // namespace emissary::perf::test

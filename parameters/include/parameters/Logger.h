// Records of one instance, written to a file or stdout in the layout of ema-config.md section 10.
#pragma once

#include "eta/core/Refused.h"
#include "parameters/Record.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace emissary::parameters {

/// Where records go, and which.
struct LoggerSettings {
    std::string name;
    bool toFile = true;
    std::string fileName = "emaLog";
    LogSeverity severity = LogSeverity::success;
    bool includeDate = false;
    std::uint32_t maxFileSize = 0, numberOfFiles = 0;
    bool oneLine = false;      ///< a record is a line, not a block
    bool keepOldFile = false;  ///< a single file that is full becomes NAME.old, and another begins
};

/// Thread safe. Below the configured severity a call costs one compare.
class Logger {
public:
    /// Opens the sink; instances naming the same file share it. Null when refused; `fileName` is
    /// filled in then too.
    [[nodiscard]] static std::shared_ptr<Logger> open(const LoggerSettings& settings, const std::string& instanceName,
                                                      std::string& fileName, eta::Refused& refused);
    virtual ~Logger() = default;
    [[nodiscard]] bool wants(LogSeverity severity) const noexcept {
        return severity >= threshold_ && severity != LogSeverity::none;
    }
    /// `client` is the component's name ("ChannelCallbackClient"), `text` may have several lines.
    void log(std::string_view client, LogSeverity severity, std::string_view text) noexcept {
        if (wants(severity)) write(client, severity, text);
    }

protected:
    virtual void write(std::string_view client, LogSeverity severity, std::string_view text) noexcept = 0;
    LogSeverity threshold_ = LogSeverity::success;
};

}  // namespace emissary::parameters

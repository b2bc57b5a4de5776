// The program's log: standard output or a file, and standard error for what ends the program.
#pragma once

#include "hub/config/HubSettings.h"
#include "parameters/Logger.h"

#include <memory>
#include <string>
#include <string_view>

namespace emissary::hub {

/// One thread.
class Log {
public:
    /// Refused when the file cannot be opened: what was there before stays.
    [[nodiscard]] eta::Refused open(const parameters::LoggerSettings& settings, const std::string& hubName);
    void write(parameters::LogSeverity severity, std::string_view text) const {
        if (logger_) logger_->log("hub", severity, text);
    }
    void info(std::string_view text) const { write(parameters::LogSeverity::success, text); }
    void warning(std::string_view text) const { write(parameters::LogSeverity::warning, text); }

private:
    std::shared_ptr<parameters::Logger> logger_;
};

}  // namespace emissary::hub

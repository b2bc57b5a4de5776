// The program's log: standard output, or where a Logger entry says, and standard error for what ends the program.
#pragma once

#include "hub/config/HubSettings.h"
#include "logging/Logger.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace emissary::hub {

/// One thread.
class Log {
public:
    /// Refused when the file cannot be opened: what was there before stays.
    [[nodiscard]] eta::Refused open(const logging::LoggerSettings& settings, const std::string& hubName) {
        std::string fileName;
        eta::Refused refused;
        auto logger = logging::Logger::open(settings, hubName, fileName, refused);
        if (logger) logger_ = std::move(logger);
        return refused;
    }
    void write(logging::LogSeverity severity, std::string_view text) const {
        if (logger_) logger_->log("hub", severity, text);
    }
    /// What peers can cause as often as they like.
    void peer(logging::LogSeverity severity, const std::string& text) const {
        if (logger_) logger_->logPeer("hub", severity, [&]() -> const std::string& { return text; });
    }
    /// About once a second: says what was left out.
    void tellLeftOut() const {
        if (logger_ && logger_->hasLeftOut()) logger_->tellLeftOut();
    }
    void info(std::string_view text) const { write(logging::LogSeverity::success, text); }
    void warning(std::string_view text) const { write(logging::LogSeverity::warning, text); }

private:
    std::shared_ptr<logging::Logger> logger_;
};

}  // namespace emissary::hub

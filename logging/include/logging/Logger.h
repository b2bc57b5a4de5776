// Records of one instance, in the layouts of ema-config.md section 10, on their way to a file, a standard stream, the
// journal or a sink of the application.
#pragma once

#include "eta/core/Refused.h"
#include "logging/Record.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace emissary::reactor {
class TimeSource;
}

namespace emissary::logging {

/// Where records go. The numbers are those of LoggerType.
enum class LogTarget : std::uint8_t { file = 0, standardOutput = 1, standardError = 2, journal = 3 };

/// How a record looks. The numbers are those of LoggerFormat.
enum class LogFormat : std::uint8_t { ema = 0, line = 1, json = 2 };

/// Where records go, and which.
struct LoggerSettings {
    std::string name;
    LogTarget target = LogTarget::file;
    LogFormat format = LogFormat::ema;
    std::string fileName = "emaLog";
    std::string journalSocket = "/run/systemd/journal/socket";
    LogSeverity severity = LogSeverity::success;
    bool includeDate = false;
    std::uint32_t maxFileSize = 100'000'000, numberOfFiles = 0;  ///< bytes, 0 = no limit; files written in turn
    bool keepOldFile = true;     ///< a single file that is full becomes NAME.old, and another begins
    bool instanceInLine = true;  ///< lines name the instance
    /// Of those that peers cause, of each component and severity; 25 seconds' worth may come at once. 0 = no limit.
    std::uint32_t peerRecordsPerMinute = 1200;
    std::shared_ptr<LogSink> sink;               ///< the application's; null: the target
    const reactor::TimeSource* clock = nullptr;  ///< of the limit; null = steady clock
};

/// Thread safe. Below the configured severity a call costs one compare.
class Logger {
public:
    /// Opens what the settings name; instances naming the same file or sink share it. Null when refused; `fileName` is
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
    /// A record that a peer can cause as often as it likes: those above the limit are counted, and `text()` is not
    /// called for them.
    template <class Text>
    void logPeer(std::string_view client, LogSeverity severity, Text&& text) noexcept {
        if (!wants(severity) || !admit(client, severity)) return;
        try {
            write(client, severity, text());
        } catch (...) {
            // Out of memory while logging: the record is lost, the program goes on.
        }
    }
    /// Records of peers were left out, and no record says so yet.
    [[nodiscard]] virtual bool hasLeftOut() const noexcept = 0;
    /// Says how many records were left out where the limit is over, and of limits that last every ten seconds. To be
    /// called about once a second while there are any; every record and the end of the logger do it too.
    virtual void tellLeftOut() noexcept = 0;

protected:
    virtual void write(std::string_view client, LogSeverity severity, std::string_view text) noexcept = 0;
    [[nodiscard]] virtual bool admit(std::string_view client, LogSeverity severity) noexcept = 0;
    LogSeverity threshold_ = LogSeverity::success;
};

}  // namespace emissary::logging

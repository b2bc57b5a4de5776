// logging: lets an application take over the log records of consumers, providers and the hub.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace emissary {

/// How much a record matters, in rising order. `none` is no severity of a record: as a threshold it lets nothing pass.
enum class LogSeverity : std::uint8_t { verbose = 0, success = 1, warning = 2, error = 3, none = 4 };

/// "Verbose", "Success", "Warning", "Error"; "NoLogMsg" for none. Any thread; the text lives for ever.
[[nodiscard]] constexpr std::string_view severityName(LogSeverity severity) noexcept {
    switch (severity) {
    case LogSeverity::verbose:
        return "Verbose";
    case LogSeverity::success:
        return "Success";
    case LogSeverity::warning:
        return "Warning";
    case LogSeverity::error:
        return "Error";
    case LogSeverity::none:
        break;
    }
    return "NoLogMsg";
}

/// One log record. The texts are borrowed for the call that hands the record over. They are UTF-8 without control
/// characters, whatever peers have sent: what a terminal would obey and what is no UTF-8 is spelled out as "\x1B". Only
/// `text` has line feeds and tabs.
struct LogRecord {
    std::chrono::system_clock::time_point time;   ///< when it was made; the time of day
    LogSeverity severity = LogSeverity::success;  ///< how much it matters; never none
    std::string_view instance;                    ///< name of the consumer or provider ("Consumer_1_1"), or of the hub
    std::string_view component;                   ///< who says it: "ChannelCallbackClient", "hub"
    std::string_view text;                        ///< one or more lines; without a line feed at its end
};

/// Takes log records in the place of a file. Implemented by the application.
///
/// Lives as long as an instance logs to it: instances share the ownership. Calls come from whichever thread logs, one
/// at a time for each sink, whatever number of instances use it, and in the order in which they were made. An instance
/// waits for the call: a sink that takes long holds up its messages.
class LogSink {
public:
    virtual ~LogSink() = default;

    /// One record. What is thrown here is caught, and ends nothing: the record is lost, and the next call that comes is
    /// a Warning of component "Logger" that says how many were lost and why; while that throws too, records are lost.
    /// Not to be called from here: anything of the library that may log, such as calls on consumers and providers,
    /// their destruction among them. A record that is made inside this call is left out, and counted as lost.
    virtual void write(const LogRecord& record) = 0;
};

}  // namespace emissary

// What reading a configuration has to say, before there is a log to write it to.
#pragma once

#include <cstdint>
#include <string>

namespace emissary::parameters {

enum class LogSeverity : std::uint8_t { verbose = 0, success = 1, warning = 2, error = 3, none = 4 };

/// One log record produced before the instance's logger exists.
struct QueuedRecord {
    LogSeverity severity = LogSeverity::error;
    std::string text;
};

}  // namespace emissary::parameters

// Messages from reading a configuration, before there is a log to write them to.
#pragma once

#include "logging/LogSink.h"

#include <string>

namespace emissary::logging {

using emissary::LogSeverity;

/// One log record produced before the instance's logger exists.
struct QueuedRecord {
    LogSeverity severity = LogSeverity::error;
    std::string text;
};

}  // namespace emissary::logging

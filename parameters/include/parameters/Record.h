// Messages from reading a configuration, before there is a log to write them to.
#pragma once

#include "parameters/LogSink.h"

#include <string>

namespace emissary::parameters {

using emissary::LogSeverity;

/// One log record produced before the instance's logger exists.
struct QueuedRecord {
    LogSeverity severity = LogSeverity::error;
    std::string text;
};

}  // namespace emissary::parameters

// The formats of a record (ema-config.md section 10).
#pragma once

#include "logging/Logger.h"

#include <string>

namespace emissary::logging {

/// What an instance chose.
struct RecordForm {
    LogFormat format = LogFormat::ema;
    bool withDate = false;       ///< ema and line
    bool instanceInLine = true;  ///< line
};

/// The record with its line feed, or its empty line, at the end. The texts of the record are printable already.
[[nodiscard]] std::string formatted(const LogRecord& record, const RecordForm& form);

}  // namespace emissary::logging

// The configuration in effect, as text for the log (ema-config.md section 10).
#pragma once

#include "Configuration.h"

#include <string>
#include <string_view>

namespace emissary::ema {

/// The value as people read it: enumerations by name, numbers as they were clamped.
[[nodiscard]] std::string activeText(const Parameter& parameter, const ConfigValue& value);

/// Appends one `name : value` line per parameter of an entry that has an effect in this release; defaults included.
/// `entry` may be empty or unknown: then all are defaults. `defaultPort` stands in where the Port of a Channel is not
/// configured.
void appendActive(std::string& out, const Configuration& configuration, SectionMask section, std::string_view entry,
                  std::string_view defaultPort = {});

}  // namespace emissary::ema

// Lines for the hub's log, and their severities.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace emissary::hub {

/// success: what an operator expects (somebody came, a service is up again). warning: something is missing or was
/// refused, the hub goes on. error: part of the hub cannot do its work.
enum class Severity : std::uint8_t { verbose, success, warning, error };

/// Takes one sentence. Called on the thread that dispatches the hub; may be empty.
using LogLine = std::function<void(Severity, const std::string& line)>;

}  // namespace emissary::hub

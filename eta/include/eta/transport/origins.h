// Origins that a server may name in its configuration.
#pragma once

#include "eta/core/Refused.h"

#include <string_view>

namespace emissary::eta::transport {

/// "http://host", "https://host:port", "null" or "*" are fit for OriginOptions::allowed; else a sentence for whoever
/// wrote it. Any thread.
[[nodiscard]] Refused checkAllowedOrigin(std::string_view text);

}  // namespace emissary::eta::transport

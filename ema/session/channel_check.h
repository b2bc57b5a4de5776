// Channels that no attempt could ever connect, found before the first one.
#pragma once

#include "config/Settings.h"

#include <string>
#include <vector>

namespace emissary::ema {

/// Says which channel cannot work however often it is tried (a CA store that cannot be read, ciphers that do not
/// exist), why, and what to do; empty when all can. Such an error is one of configuration: nothing is retried.
[[nodiscard]] std::string unusableChannel(const std::vector<ChannelSettings>& channels);

}  // namespace emissary::ema

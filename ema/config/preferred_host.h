// Preferred-host options by name, checked against the channels that there are (ema-config.md 9).
#pragma once

#include "Settings.h"

#include "reactor/consumer/consumer_types.h"

namespace emissary::ema {

/// What the options mean for these channels. When they name a channel that does not exist, or the schedule cannot be
/// read, `why` is set (a sentence with the offending value) and nothing is enabled.
[[nodiscard]] reactor::consumer::PreferredHost
preferredHostOf(const PreferredHostSettings& options, const std::vector<ChannelSettings>& channels, std::string& why);

}  // namespace emissary::ema

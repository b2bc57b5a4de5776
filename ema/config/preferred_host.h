// Preferred-host options by name, checked against the channels that there are (ema-config.md 9).
#pragma once

#include "Settings.h"

#include "reactor/consumer/consumer_types.h"

namespace emissary::ema {

/// What the options mean for these channels; `why` set (a sentence with the offending value) and nothing enabled when
/// they name what is not there, or the schedule is none.
[[nodiscard]] reactor::consumer::PreferredHost
preferredHostOf(const PreferredHostSettings& options, const std::vector<ChannelSettings>& channels, std::string& why);

}  // namespace emissary::ema

// Preferred-host options, checked against the configured channels (ema-config.md 9).
#include "preferred_host.h"

#include <algorithm>

namespace emissary::ema {

using reactor::consumer::CronSchedule;
using reactor::consumer::PreferredHost;

namespace {

std::string names(const std::vector<ChannelSettings>& channels, bool groups) {
    std::string all;
    for (const ChannelSettings& c : channels) {
        const std::string& name = groups ? c.standbyGroupName : c.name;
        // Servers of a group stand side by side: comparing with the last name is enough to list it once.
        if (groups != (c.standbyGroup != 0) || all == name || (all.size() > name.size() && all.ends_with(" " + name)))
            continue;
        all += (all.empty() ? "" : ", ") + name;
    }
    return all.empty() ? "none" : all;
}

}  // namespace

/// A group by name wins over a channel by name. Without names it is the first group, or else the first channel
/// (ema-config.md 9).
PreferredHost preferredHostOf(const PreferredHostSettings& options, const std::vector<ChannelSettings>& channels,
                              std::string& why) {
    why.clear();
    PreferredHost out;
    if (!options.enabled) return out;
    const auto isGroup = [&](const ChannelSettings& c) {
        return c.standbyGroup != 0 && (options.groupName.empty() || c.standbyGroupName == options.groupName);
    };
    const auto isChannel = [&](const ChannelSettings& c) {
        return c.standbyGroup == 0 && c.name == options.channelName;
    };
    auto found = channels.begin();
    if (!options.groupName.empty()) {
        found = std::find_if(channels.begin(), channels.end(), isGroup);
        if (found == channels.end())
            why = "PreferredWSBChannelName [" + options.groupName +
                  "] is not one of the warm-standby groups in use: " + names(channels, true);
    } else if (!options.channelName.empty()) {
        found = std::find_if(channels.begin(), channels.end(), isChannel);
        if (found == channels.end())
            why = "PreferredChannelName [" + options.channelName +
                  "] is not one of the channels in use: " + names(channels, false);
    } else if (const auto group = std::find_if(channels.begin(), channels.end(), isGroup); group != channels.end()) {
        found = group;
    }
    if (!options.schedule.empty()) {
        eta::Refused refused;
        out.schedule = CronSchedule::parse(options.schedule, refused);
        if (!out.schedule && why.empty())
            why = "PHDetectionTimeSchedule [" + options.schedule + "] is not a schedule: " + refused.text;
    }
    if (!why.empty()) return {};
    out.enabled = true;
    out.channel = static_cast<std::size_t>(found - channels.begin());
    out.withinGroup = options.withinGroup;
    out.interval = std::chrono::seconds(options.intervalSeconds);
    return out;
}

}  // namespace emissary::ema

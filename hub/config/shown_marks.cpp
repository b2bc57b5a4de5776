// Finds the rows of ports and of the hub, and fills in numbers and origins.
#include "hub/config/shown_marks.h"

#include "hub/config/schema.h"

#include <algorithm>
#include <string>
#include <utility>

namespace emissary::hub {

using parameters::ConfigValue;
using parameters::EffectiveValue;
using parameters::SectionMask;

void showMarks(const parameters::Configuration& c, const HubSettings& s, std::vector<EffectiveValue>& values) {
    const auto use = [&](SectionMask section, const std::string& entry, const SlowLimits& limits) {
        const std::pair<const char*, std::uint64_t> marks[] = {
            {"ConflateAbove", limits.conflateAbove},
            {"ConflateBelow", limits.conflateBelow},
            {"DisconnectAbove", limits.disconnectAbove},
            {"SlowClientTimeout", static_cast<std::uint64_t>(limits.timeout.count())}};
        for (const auto& [parameter, number] : marks) {
            if (c.value(section, entry, parameter) != nullptr) continue;
            const auto shown = std::ranges::find_if(values, [&, name = parameter](const EffectiveValue& v) {
                return v.section == schema().title(section) && v.entry == entry && v.parameter == name;
            });
            if (shown == values.end()) continue;
            shown->value = std::to_string(number);
            if (const ConfigValue* const hub = c.value(Section::hub, "", parameter)) shown->origin = hub->place;
        }
    };
    use(Section::hub, "", s.slowLimits({}));
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})
        for (const ListenerSettings& l : *listeners)
            use(Section::server, l.name, s.slowLimits(l.slow));
}

}  // namespace emissary::hub

// Finds the rows of ports and of the hub, and fills in their numbers and origins.
#include "hub/config/inherited.h"

#include "hub/config/schema.h"

#include <algorithm>
#include <string>
#include <utility>

namespace emissary::hub {

using parameters::ConfigValue;
using parameters::EffectiveValue;
using parameters::SectionMask;

void showInherited(const parameters::Configuration& c, const HubSettings& s, std::vector<EffectiveValue>& values) {
    const auto show = [&](SectionMask section, const std::string& entry, const char* parameter, std::uint64_t number) {
        if (c.value(section, entry, parameter) != nullptr) return;
        const auto shown = std::ranges::find_if(values, [&](const EffectiveValue& v) {
            return v.section == schema().title(section) && v.entry == entry && v.parameter == parameter;
        });
        if (shown == values.end()) return;
        shown->value = std::to_string(number);
        if (const ConfigValue* const hub = c.value(Section::hub, "", parameter)) shown->origin = hub->place;
    };
    const auto marks = [&](SectionMask section, const std::string& entry, const SlowLimits& limits) {
        show(section, entry, "ConflateAbove", limits.conflateAbove);
        show(section, entry, "ConflateBelow", limits.conflateBelow);
        show(section, entry, "ConflateBytes", limits.conflateBytes);
        show(section, entry, "DisconnectAbove", limits.disconnectAbove);
        show(section, entry, "SlowClientTimeout", static_cast<std::uint64_t>(limits.timeout.count()));
    };
    marks(Section::hub, "", s.slowLimits({}));
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})
        for (const ListenerSettings& l : *listeners) {
            marks(Section::server, l.name, s.slowLimits(l.slow));
            show(Section::server, l.name, "MaxConnections", l.bind.maxConnections);
            show(Section::server, l.name, "MaxConnectionsPerAddress", l.bind.maxConnectionsPerAddress);
        }
}

}  // namespace emissary::hub

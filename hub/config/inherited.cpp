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

namespace {

/// Those of the bits that are set, as the list that a file has.
[[nodiscard]] std::string numbersOf(std::uint64_t bits) {
    std::string list;
    for (unsigned n = 0; n < 64; ++n)
        if ((bits >> n & 1) != 0) list += (list.empty() ? "" : ",") + std::to_string(n);
    return list;
}

}  // namespace

void showInherited(const parameters::Configuration& c, const HubSettings& s, std::vector<EffectiveValue>& values) {
    const auto show = [&](SectionMask section, const std::string& entry, const char* parameter, std::string value) {
        if (c.value(section, entry, parameter) != nullptr) return;
        const auto shown = std::ranges::find_if(values, [&](const EffectiveValue& v) {
            return v.section == schema().title(section) && v.entry == entry && v.parameter == parameter;
        });
        if (shown == values.end()) return;
        shown->value = std::move(value);
        if (const ConfigValue* const hub = c.value(Section::hub, "", parameter)) shown->origin = hub->place;
    };
    const auto number = [&](SectionMask section, const std::string& entry, const char* parameter, std::uint64_t n) {
        show(section, entry, parameter, std::to_string(n));
    };
    const auto marks = [&](SectionMask section, const std::string& entry, const SlowLimits& limits) {
        number(section, entry, "ConflateAbove", limits.conflateAbove);
        number(section, entry, "ConflateBelow", limits.conflateBelow);
        number(section, entry, "ConflateBytes", limits.conflateBytes);
        show(section, entry, "ConflateTypes", numbersOf(limits.conflateTypes));
        number(section, entry, "DisconnectAbove", limits.disconnectAbove);
        number(section, entry, "SlowClientTimeout", static_cast<std::uint64_t>(limits.timeout.count()));
        number(section, entry, "ConflateAge", static_cast<std::uint64_t>(limits.age.count()));
    };
    marks(Section::hub, "", s.slowLimits({}));
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})
        for (const ListenerSettings& l : *listeners) {
            marks(Section::server, l.name, s.slowLimits(l.slow));
            number(Section::server, l.name, "MaxConnections", l.bind.maxConnections);
            number(Section::server, l.name, "MaxConnectionsPerAddress", l.bind.maxConnectionsPerAddress);
        }
}

}  // namespace emissary::hub

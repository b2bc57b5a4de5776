// The configuration in effect as text (ema-config.md section 10).
#include "active_configuration.h"

namespace emissary::ema {

std::string activeText(const Parameter& p, const ConfigValue& v) {
    return parameters::shownValue(p, v.number, v.text);
}

void appendActive(std::string& out, const Configuration& c, SectionMask section, std::string_view entry,
                  std::string_view defaultPort) {
    out.append("\n").append(sectionName(section)).append(" [").append(entry).append("]");
    for (const Parameter& p : allParameters()) {
        const std::string_view name = p.name;
        // Only what counts: neither parameters without effect, nor the old place of one that stands elsewhere now.
        if ((p.sections & section) == 0 || p.idleBecause != nullptr || p.moved || name == "Name") continue;
        const ConfigValue* v = c.value(section, entry, name);
        std::string text = v != nullptr ? activeText(p, *v) : p.defaultText;
        if (v == nullptr && name == "Port" && !defaultPort.empty()) text = defaultPort;
        out.append("\n").append(name).append(" : ").append(text);
    }
}

}  // namespace emissary::ema

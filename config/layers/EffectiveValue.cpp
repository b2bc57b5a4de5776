// Writes values in aligned columns, with a heading for each section and entry.
#include "config/layers/EffectiveValue.h"

#include <algorithm>

namespace emissary::parameters {

std::string valuesAsText(const std::vector<EffectiveValue>& values) {
    std::size_t nameWidth = 0, valueWidth = 0;
    constexpr std::size_t kWidest = 48;  // a longer value moves its own origin, not those of all others
    for (const EffectiveValue& v : values) {
        nameWidth = std::max(nameWidth, v.parameter.size());
        if (v.value.size() <= kWidest) valueWidth = std::max(valueWidth, v.value.size());
    }
    std::string out;
    const auto column = [&out](const std::string& text, std::size_t width) {
        out.append(text).append(text.size() < width ? width - text.size() : 0, ' ').append("  ");
    };
    const EffectiveValue* before = nullptr;
    for (const EffectiveValue& v : values) {
        if (before == nullptr || before->section != v.section || before->entry != v.entry) {
            out.append(before == nullptr ? "" : "\n").append(v.section);
            if (!v.entry.empty()) out.append(" ").append(v.entry);
            out.append("\n");
        }
        before = &v;
        out.append("  ");
        column(v.parameter, nameWidth);
        column(v.value, valueWidth);
        out.append(v.origin).append(v.effective ? "" : "; no effect in this release").append("\n");
    }
    return out;
}

}  // namespace emissary::parameters

// Every configuration parameter, once: the XML reader, the programmatic reader, clamping, warnings and docs/config.md
// all come from this table (ema-config.md sections 4 to 12, 14).
#pragma once

#include "config/schema/Parameter.h"

#include <span>
#include <string>
#include <string_view>

namespace emissary::ema {

using parameters::Below, parameters::EnumName, parameters::EnumType, parameters::Kind, parameters::Parameter,
    parameters::SectionMask;

namespace Section {
using namespace parameters::Section;
inline constexpr SectionMask consumer = 1, niProvider = 2, iProvider = 4, warmStandbyServer = 16384,
                             warmStandbyChannel = 32768, sessionChannel = 65536, global = 131072;
inline constexpr SectionMask instance = consumer | niProvider | iProvider;
inline constexpr SectionMask client = consumer | niProvider;
}  // namespace Section

/// What EmaConfig.xml may say.
[[nodiscard]] const parameters::Schema& schema() noexcept;

[[nodiscard]] inline std::span<const Parameter> allParameters() noexcept {
    return schema().parameters;
}
/// Null when no such parameter stands in that section.
[[nodiscard]] inline const Parameter* findParameter(SectionMask section, std::string_view name) noexcept {
    return schema().find(section, name);
}
/// "Consumer", "Channel", "InfoFilter" ... for texts.
[[nodiscard]] inline const char* sectionName(SectionMask section) noexcept {
    return schema().title(section);
}

/// The reference page, in Markdown.
[[nodiscard]] std::string parametersAsMarkdown();

}  // namespace emissary::ema

// Every parameter of HubConfig.xml, once: the reader, clamping, warnings, --print-config and docs/hub-config.md all
// come from this table (hub.md 13).
#pragma once

#include "config/schema/Parameter.h"

#include <string>

namespace emissary::hub {

/// Sections that HubConfig.xml has beside those of `parameters`.
namespace Section {
using namespace parameters::Section;
inline constexpr parameters::SectionMask hub = 1u << 18, source = 1u << 19, userClass = 1u << 20, mesh = 1u << 21,
                                         view = 1u << 22;
}  // namespace Section

/// What HubConfig.xml may say.
[[nodiscard]] const parameters::Schema& schema() noexcept;

/// docs/hub-config.md.
[[nodiscard]] std::string referenceAsMarkdown();

}  // namespace emissary::hub

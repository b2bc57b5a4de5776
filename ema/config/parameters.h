// Every configuration parameter, once: the XML reader, the programmatic reader, clamping, warnings and docs/config.md
// all come from this table (ema-config.md sections 4 to 12, 14).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace emissary::ema {

/// Where a parameter may stand. A bit mask, because the three instance sections share most of theirs.
using SectionMask = std::uint32_t;
namespace Section {
inline constexpr SectionMask consumer = 1, niProvider = 2, iProvider = 4, channel = 8, server = 16, logger = 32,
                             dictionary = 64, directory = 128, service = 256, serviceInfo = 512, serviceState = 1024,
                             serviceStatus = 2048, serviceLoad = 4096, qosEntry = 8192, warmStandbyServer = 16384,
                             warmStandbyChannel = 32768, sessionChannel = 65536, global = 131072;
inline constexpr SectionMask instance = consumer | niProvider | iProvider;
inline constexpr SectionMask client = consumer | niProvider;
}  // namespace Section

enum class Kind : std::uint8_t { text, list, unsignedInteger, integer, boolean, real, enumeration };

struct EnumName {
    const char* name;
    std::int64_t value;
};

/// Values written Type::Name in the file and as the number in programmatic configuration.
struct EnumType {
    const char* name;
    std::span<const EnumName> values;
};

/// What happens to a number below the minimum. Above the maximum it is always clamped.
enum class Below : std::uint8_t { raise, useDefault };

struct Parameter {
    SectionMask sections;
    const char* name;
    Kind kind;
    const char* defaultText;  ///< as shown to people; "" = none
    const char* unit;         ///< "ms", "s", "bytes" ...; "" = a plain number or text
    const char* meaning;
    std::int64_t minimum = 0;
    std::int64_t maximum = 4294967295;
    Below below = Below::raise;
    const EnumType* enums = nullptr;
    bool effective = true;  ///< false: read and accepted, without effect in this release
    bool moved = false;     ///< old location: still read, with a warning that it moved to the instance section
};

[[nodiscard]] std::span<const Parameter> allParameters() noexcept;
/// Null when no such parameter stands in that section.
[[nodiscard]] const Parameter* findParameter(SectionMask section, std::string_view name) noexcept;
/// "Consumer", "Channel", "InfoFilter" ... for texts.
[[nodiscard]] const char* sectionName(SectionMask section) noexcept;

/// The reference page, in Markdown.
[[nodiscard]] std::string parametersAsMarkdown();

}  // namespace emissary::ema

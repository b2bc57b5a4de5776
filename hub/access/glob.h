// Patterns of names: * and ?.
#pragma once

#include <string_view>

namespace emissary::hub::access {

/// Whether the whole text is as the pattern says: * is any number of bytes, none included, ? is one byte, everything
/// else is itself. Takes at most |text| * |pattern| steps.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text) noexcept;

/// Whether a pattern says more than one text.
[[nodiscard]] inline bool isPattern(std::string_view text) noexcept {
    return text.find_first_of("*?") != std::string_view::npos;
}

}  // namespace emissary::hub::access

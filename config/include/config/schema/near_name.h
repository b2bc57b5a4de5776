// config/schema: a known name that is close to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace emissary::parameters {

/// "; did you mean [Name]?" for the known name with the fewest letters changed, inserted, left out or swapped, whatever
/// their case; at most a third of the word may differ. Empty where no name is that close.
[[nodiscard]] std::string nearName(std::string_view word, std::span<const std::string_view> known);

}  // namespace emissary::parameters

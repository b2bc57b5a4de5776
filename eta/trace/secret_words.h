// Words that the names of secrets have in them.
#pragma once

#include <cstddef>
#include <string_view>

namespace emissary::eta::trace {

/// Where the first such word begins, whatever its case; npos = nowhere.
[[nodiscard]] std::size_t findSecretWord(std::string_view text) noexcept;
/// The same for a word that something is assigned to, as in password="x", <Token>x, or an element of RWF. In running
/// text a word alone means nothing.
[[nodiscard]] std::size_t findSecretValue(std::string_view text) noexcept;

}  // namespace emissary::eta::trace

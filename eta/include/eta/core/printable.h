// Text from outside, for people: on a terminal, in a log, in an exception.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace emissary::eta {

enum class Lines : std::uint8_t {
    join,  ///< a line feed is escaped like every other control character
    keep,  ///< line feeds and tabs stay: for texts of our own that quote others
};

/// The text with what would steer a terminal or forge a record made visible: control characters (also those of 8 bits),
/// and bytes that are no UTF-8, become \xNN. Other UTF-8 stays as it is.
[[nodiscard]] std::string printable(std::string_view text, Lines lines = Lines::join);

}  // namespace emissary::eta

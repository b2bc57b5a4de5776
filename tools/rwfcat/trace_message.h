// The element of a message in an XML trace, back to the message (xml-trace.md 4, 5).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::rwfcat {

/// What is wrong with a text that should be a message.
struct TraceFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// `lines` are those from the version comment to the end tag. The message has the meaning of the text: what the text
/// does not tell (request keys, attributes without a form of their own, how long a length was written) is not in it.
/// Throws TraceFault.
[[nodiscard]] std::vector<std::byte> messageOfTrace(const std::vector<std::string_view>& lines);

}  // namespace emissary::rwfcat

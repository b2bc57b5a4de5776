// Finds where and why a text is not JSON, so that its author can mend it. Only texts that the parser refused come here.
#pragma once

#include "eta/json/text_limits.h"

#include <cstdint>
#include <string_view>

namespace emissary::eta::json {

struct SyntaxFault {
    std::uint32_t offset = 0;  ///< octets from the start of the text to what is wrong
    std::string_view reason;   ///< a short English phrase, static; empty: nothing is wrong
    TextLimit limit;           ///< the bound of `limits` that the text is beyond; most 0: none
};

/// What a text is of what the peer has sent.
enum class TextPart : std::uint8_t { whole, element /** of an array, which stands around it */ };

/// The first fault of a text that should be one message object or an array of such, within the limits of Tree.h.
/// Allocates nothing and takes time in proportion to the text.
[[nodiscard]] SyntaxFault findSyntaxFault(std::string_view text, const TextLimits& limits = {},
                                          TextPart part = TextPart::whole) noexcept;

}  // namespace emissary::eta::json

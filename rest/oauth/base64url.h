// Base64url without padding (RFC 4648 section 5), on memory that is overwritten.
#pragma once

#include "rest/Secret.h"

#include <string_view>

namespace emissary::rest {

void appendBase64Url(Secret& out, std::string_view bytes);
/// False when a character does not belong there, or the length cannot be; padding is taken.
[[nodiscard]] bool decodeBase64Url(std::string_view text, Secret& bytes);

}  // namespace emissary::rest

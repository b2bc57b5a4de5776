// Base64 of RFC 4648: the standard alphabet, padding, no line breaks (json.md 7.6).
#pragma once

#include "eta/core/bytes.h"

namespace emissary::eta::json {

[[nodiscard]] constexpr std::size_t base64Size(std::size_t bytes) noexcept {
    return (bytes + 2) / 3 * 4;
}
/// Writes base64Size(in.size()) characters.
void encodeBase64(Bytes in, char* out) noexcept;
/// Decodes in place and sets the length of what came out; false (content unchanged) when the text is not base64.
[[nodiscard]] bool decodeBase64(char* text, std::size_t& length) noexcept;

}  // namespace emissary::eta::json

// Base64 of RFC 4648: the standard alphabet with padding, and the one for addresses without (base64url).
#pragma once

#include "eta/core/bytes.h"

#include <cstddef>
#include <cstdint>

namespace emissary::eta {

/// Which of the two forms.
enum class Base64 : std::uint8_t {
    standard,  ///< '+', '/' and padding with '=': four characters for every three bytes begun
    url        ///< '-', '_' and no padding
};

/// How many characters `bytes` bytes are when they are encoded.
[[nodiscard]] constexpr std::size_t base64Size(std::size_t bytes, Base64 form = Base64::standard) noexcept {
    return form == Base64::standard ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}
/// Writes base64Size(in.size(), form) characters.
void encodeBase64(Bytes in, char* out, Base64 form = Base64::standard) noexcept;
/// Decodes in place and sets the length of what came out. False, and nothing is changed, when the text is not of this
/// form: a character that does not belong there, a length that cannot be, padding that lacks or is too much.
[[nodiscard]] bool decodeBase64(char* text, std::size_t& length, Base64 form = Base64::standard) noexcept;

}  // namespace emissary::eta

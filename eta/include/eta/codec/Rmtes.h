// RMTES strings: update commands applied to a stored string, and conversion to UTF-8 (rwf.md 6.5).
//
// A receiver keeps the stored bytes of each RMTES field, applies every new value to them, and converts what is then
// stored. Values without update commands simply replace the stored bytes.
#pragma once

#include "eta/core/bytes.h"

#include <string>

namespace emissary::eta::codec {

/// True when the value holds a cursor move or a repeat, so that it makes sense only on top of what is stored.
[[nodiscard]] bool isRmtesPartial(Bytes value) noexcept;

/// Applies a value to the `length` bytes stored in `store` and sets the new length. On failure (a command cut short:
/// truncated, an unknown one: badValue, more than the store holds: noSpace) nothing has changed.
[[nodiscard]] Error applyRmtes(Bytes value, std::span<std::byte> store, std::size_t& length) noexcept;

/// Appends the text as UTF-8. On failure (badValue: a byte or command that RMTES does not have) `out` is as it was.
[[nodiscard]] Error rmtesToUtf8(Bytes in, std::string& out);

}  // namespace emissary::eta::codec

// Bytes as people read them (ema-api.md 1.3, section 15).
#pragma once

#include <string>
#include <string_view>

namespace emissary::ema {

enum class HexDump { hexOnly, withCharacters };

/// 16 bytes a line, lower case, a blank after every second byte; with three blanks and the line's characters if wanted.
[[nodiscard]] std::string hexDump(std::string_view bytes, HexDump form);
/// "0A 0B 0C": upper case, a blank between bytes.
[[nodiscard]] std::string hexPairs(std::string_view bytes);

}  // namespace emissary::ema

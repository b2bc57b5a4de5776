// Hex dumps (ema-api.md 1.3).
#include "text/hex.h"

namespace emissary::ema {

std::string hexDump(std::string_view bytes, HexDump form) {
    static constexpr char kDigits[] = "0123456789abcdef";
    constexpr std::size_t kPerLine = 16;
    std::string out;
    for (std::size_t line = 0; line < bytes.size(); line += kPerLine) {
        const std::string_view part = bytes.substr(line, kPerLine);
        for (std::size_t i = 0; i < kPerLine; ++i) {
            if (i < part.size()) {
                const auto c = static_cast<unsigned char>(part[i]);
                out += kDigits[c >> 4];
                out += kDigits[c & 15];
            } else if (form == HexDump::withCharacters) {
                // Fills the last line up, so that the characters of all lines begin at one place.
                out += "  ";
            }
            if (i % 2 == 1 && (i + 1 < part.size() || form == HexDump::withCharacters)) out += ' ';
        }
        if (form == HexDump::withCharacters) {
            out += "   ";
            for (const char c : part)
                out += c >= 0x20 && c <= 0x7e ? c : '.';
        }
        out += '\n';
    }
    return out;
}

std::string hexPairs(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    for (const char raw : bytes) {
        const auto c = static_cast<unsigned char>(raw);
        if (!out.empty()) out += ' ';
        out += kDigits[c >> 4];
        out += kDigits[c & 15];
    }
    return out;
}

}  // namespace emissary::ema

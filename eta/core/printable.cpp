#include "eta/core/printable.h"

namespace emissary::eta {

namespace {

[[nodiscard]] unsigned byteAt(std::string_view text, std::size_t at) noexcept {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

/// Bytes of the character that begins here; 0 when it is none, or a control character.
[[nodiscard]] std::size_t characterLength(std::string_view text, std::size_t at) noexcept {
    const unsigned first = byteAt(text, at);
    if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byteAt(text, at + i) & 0xC0u) != 0x80) return 0;
    const unsigned second = byteAt(text, at + 1);
    if (first == 0xC2 && second < 0xA0) return 0;  // the control characters of 8 bits
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
    if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
    return length;
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (const std::size_t length = characterLength(text, at); length != 0) {
            out.append(text, at, length);
            at += length;
            continue;
        }
        ++at;
        if (lines == Lines::keep && (c == '\n' || c == '\t')) {
            out += c;
            continue;
        }
        const auto code = static_cast<unsigned char>(c);
        out += "\\x";
        out += kDigits[code >> 4];
        out += kDigits[code & 15];
    }
    return out;
}

}  // namespace emissary::eta

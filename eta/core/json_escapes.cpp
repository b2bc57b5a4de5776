// Counts the octets of the UTF-8 character that a text begins with, by the table of RFC 3629, and writes strings in
// ASCII.
#include "eta/core/json_escapes.h"

#include <algorithm>

namespace emissary::eta {

std::size_t utf8Length(std::string_view s) noexcept {
    const auto at = [s](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const auto follows = [&](std::size_t i) { return i < s.size() && (at(i) & 0xC0) == 0x80; };
    const unsigned lead = at(0);
    if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (!follows(1) || !follows(2)) return 0;
        if ((lead == 0xE0 && at(1) < 0xA0) || (lead == 0xED && at(1) > 0x9F)) return 0;
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (!follows(1) || !follows(2) || !follows(3)) return 0;
        if ((lead == 0xF0 && at(1) < 0x90) || (lead == 0xF4 && at(1) > 0x8F)) return 0;
        return 4;
    }
    return 0;
}

void appendAsciiJsonString(std::string& out, std::string_view text) {
    const auto at = [&text](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(text[i])}; };
    const auto escape = [&out](std::uint32_t unit) {
        constexpr std::string_view kHex = "0123456789ABCDEF";
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4)
            out += kHex[unit >> shift & 15];
    };
    out += '"';
    while (!text.empty()) {
        const auto plain = static_cast<std::size_t>(
            std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) > 0x7F; }) - text.begin());
        writeJsonEscaped(text.substr(0, plain), [&out](std::string_view piece) { out += piece; });
        text.remove_prefix(plain);
        if (text.empty()) break;
        const std::size_t length = std::max<std::size_t>(utf8Length(text), 1);
        std::uint32_t code = length == 1 ? at(0) : at(0) & (0x7Fu >> length);
        for (std::size_t i = 1; i < length; ++i)
            code = code << 6 | (at(i) & 0x3F);
        if (code < 0x10000) escape(code);
        else escape(0xD7C0u + (code >> 10)), escape(0xDC00u | (code & 0x3FFu));
        text.remove_prefix(length);
    }
    out += '"';
}

}  // namespace emissary::eta

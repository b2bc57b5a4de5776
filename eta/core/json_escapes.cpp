// Counts the octets of the UTF-8 character that a text begins with, by the table of RFC 3629.
#include "eta/core/json_escapes.h"

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

}  // namespace emissary::eta

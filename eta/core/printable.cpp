// Spelling out of what a terminal would obey. Most text is plain and is copied at once.
#include "eta/core/printable.h"

#include "eta/core/json_escapes.h"

#include <cstddef>

namespace emissary::eta {

namespace {

[[nodiscard]] unsigned at(std::string_view text, std::size_t i) noexcept {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}
[[nodiscard]] bool isPlain(unsigned c) noexcept {
    return c - 0x20 < 0x5F;
}

void spellOut(std::string& out, std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        (out += "\\x") += {kDigits[byte >> 4], kDigits[byte & 15]};
    }
}

struct Sequence {
    std::size_t length = 1;
    bool shown = false;  ///< as it is
};

/// The UTF-8 sequence at `i`; a byte that does not start one counts as one.
[[nodiscard]] Sequence sequenceAt(std::string_view text, std::size_t i) noexcept {
    const std::size_t n = utf8Length(text.substr(i));
    if (n == 0) return {};
    return {n, at(text, i) != 0xC2 || at(text, i + 1) >= 0xA0};  // U+0080..U+009F are the C1 controls
}

}  // namespace

void appendPrintable(std::string& out, std::string_view text, LineBreaks lineBreaks) {
    if (isPlain(text)) {
        out += text;
        return;
    }
    for (std::size_t i = 0; i < text.size();) {
        const unsigned c = at(text, i);
        if (c >= 0x80) {
            const Sequence s = sequenceAt(text, i);
            if (s.shown) out += text.substr(i, s.length);
            else spellOut(out, text.substr(i, s.length));
            i += s.length;
            continue;
        }
        const bool layout = c == '\n' || c == '\t' || (c == '\r' && at(text, i + 1) == '\n');
        if (isPlain(c) || (layout && lineBreaks == LineBreaks::kept)) out += text[i];
        else spellOut(out, text.substr(i, 1));
        ++i;
    }
}

void appendPrintableAscii(std::string& out, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i)
        if (isPlain(at(text, i))) out += text[i];
        else spellOut(out, text.substr(i, 1));
}

}  // namespace emissary::eta

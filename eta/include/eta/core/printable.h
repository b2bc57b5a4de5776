// eta/core: text from elsewhere on its way to a terminal or a log.
#pragma once

#include "emissary/wire_numbers.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace emissary::eta {

/// What becomes of line feeds and tabs, and of carriage returns in front of line feeds.
enum class LineBreaks : bool { escaped, kept };

/// Appends the text with everything that a terminal would obey spelled out as "\x1B": control characters (C0, DEL and,
/// as UTF-8, C1) and bytes that are no UTF-8. What people can read stays as it is, a backslash as well, so that text
/// without such bytes is not changed and escaping twice is the same as once.
void appendPrintable(std::string& out, std::string_view text, LineBreaks lineBreaks = LineBreaks::escaped);

/// The same as a new string.
[[nodiscard]] inline std::string printable(std::string_view text, LineBreaks lineBreaks = LineBreaks::escaped) {
    std::string out;
    appendPrintable(out, text, lineBreaks);
    return out;
}

/// Every byte outside ' '..'~' spelled out: for text in a coding that is not known.
void appendPrintableAscii(std::string& out, std::string_view text);

using wire_numbers::isPlainWord;

/// Whether all of the text is ' '..'~', as most of it is: appendPrintable() would change nothing, and it means the same
/// in every coding. Eight bytes a step.
[[nodiscard]] inline bool isPlain(std::string_view text) noexcept {
    const auto word = [](const char* from, auto w) {
        std::memcpy(&w, from, sizeof w);
        return w;
    };
    const char* const p = text.data();
    const std::size_t n = text.size();
    if (n >= 8) {
        bool plain = isPlainWord(word(p + n - 8, std::uint64_t{}));  // the last bytes, some for the second time
        for (std::size_t i = 0; i + 8 < n; i += 8)
            plain &= isPlainWord(word(p + i, std::uint64_t{}));
        return plain;
    }
    if (n >= 4) return isPlainWord(std::uint64_t{word(p, std::uint32_t{})} << 32 | word(p + n - 4, std::uint32_t{}));
    const auto plain = [p](std::size_t i) { return static_cast<unsigned char>(p[i]) - 0x20U < 0x5FU; };
    return n == 0 || (plain(0) && plain(n / 2) && plain(n - 1));
}

}  // namespace emissary::eta

// Text inside JSON strings: which octets are escaped, and how. Everything that writes JSON here writes it so.
#pragma once

#include "eta/core/printable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace emissary::eta {

namespace detail {

/// What stands for an octet: 0 itself, 1 \u00XX, 2 start of a UTF-8 sequence to be checked, else the letter of the
/// escape.
inline constexpr std::array<char, 256> kJsonEscapes = [] {
    std::array<char, 256> table{};
    for (std::size_t i = 0; i < 0x20; ++i)
        table[i] = 1;
    for (std::size_t i = 0x80; i < 256; ++i)
        table[i] = 2;
    table[0x7F] = 1;
    table['"'] = '"';
    table['\\'] = '\\';
    table['\b'] = 'b';
    table['\f'] = 'f';
    table['\n'] = 'n';
    table['\r'] = 'r';
    table['\t'] = 't';
    return table;
}();

/// Whether eight bytes are printable ASCII without a quotation mark or a backslash.
[[nodiscard]] inline bool isPlainJsonWord(std::uint64_t w) noexcept {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 0xFF, kTops = kOnes << 7;
    const std::uint64_t quote = w ^ kOnes * '"', slash = w ^ kOnes * '\\';  // a byte of zeros where one is
    return isPlainWord(w) && ((((quote - kOnes) & ~quote) | ((slash - kOnes) & ~slash)) & kTops) == 0;
}

}  // namespace detail

/// Length of the valid UTF-8 sequence that starts with an octet above 0x7F, 0 when there is none. The text is not
/// empty.
[[nodiscard]] std::size_t utf8Length(std::string_view text) noexcept;

/// Whether all of the text is printable ASCII that no JSON string escapes, as most texts are. Eight bytes a step.
[[nodiscard]] inline bool isPlainJson(std::string_view text) noexcept {
    constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 0xFF;
    const auto good = [](std::uint64_t w) { return detail::isPlainJsonWord(w); };
    const auto word = [](const char* from, auto w) {
        std::memcpy(&w, from, sizeof w);
        return w;
    };
    const char* const p = text.data();
    const std::size_t n = text.size();
    if (n >= 8) {
        for (std::size_t i = 0; i + 8 < n; i += 8)
            if (!good(word(p + i, std::uint64_t{}))) return false;
        return good(word(p + n - 8, std::uint64_t{}));  // some for the second time
    }
    if (n >= 4) return good(std::uint64_t{word(p, std::uint32_t{})} << 32 | word(p + n - 4, std::uint32_t{}));
    if (n == 0) return true;
    const auto at = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])}; };
    return good(at(0) | at(n / 2) << 8 | at(n - 1) << 16 | (kOnes * ' ' & ~std::uint64_t{0xFFFFFF}));
}

/// Hands the characters of a JSON string, without quotes, to `raw(std::string_view)` piece by piece: runs that stand as
/// they are, escapes, and U+FFFD for each octet that is no UTF-8. Nothing is allocated; what was escaped already is
/// escaped again.
template <class Raw>
constexpr void writeJsonEscaped(std::string_view text, Raw raw) {
    constexpr std::string_view kHex = "0123456789ABCDEF", kReplacement = "\xEF\xBF\xBD";
    std::size_t good = 0;  // start of what is copied as it stands
    std::size_t i = 0;
    while (i < text.size()) {
        const auto c = static_cast<unsigned char>(text[i]);
        const char escape = detail::kJsonEscapes[c];
        if (escape == 0) [[likely]] {
            ++i;
            continue;
        }
        if (escape == 2) {
            if (const std::size_t n = utf8Length(text.substr(i)); n != 0) {
                i += n;
                continue;
            }
        }
        raw(text.substr(good, i - good));
        if (escape == 2) {
            raw(kReplacement);
        } else if (escape == 1) {
            const std::array<char, 6> code{'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]};
            raw(std::string_view(code.data(), code.size()));
        } else {
            const std::array<char, 2> code{'\\', escape};
            raw(std::string_view(code.data(), code.size()));
        }
        good = ++i;
    }
    raw(text.substr(good));
}

/// Appends a JSON string with its quotes.
inline void appendJsonString(std::string& out, std::string_view text) {
    out += '"';
    writeJsonEscaped(text, [&out](std::string_view piece) { out += piece; });
    out += '"';
}

/// The same in ASCII alone: characters above 0x7F are \uXXXX, pairs of halves beyond 16 bits (RFC 8259), and an octet
/// that is no UTF-8 stands as its number, so that nothing is lost.
void appendAsciiJsonString(std::string& out, std::string_view text);

}  // namespace emissary::eta

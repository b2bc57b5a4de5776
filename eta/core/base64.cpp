// Encodes three octets as four characters, and decodes them with strict checks of padding and alphabet.
#include "eta/core/base64.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace emissary::eta {

namespace {

constexpr std::uint8_t kBad = 0xFF;

/// The characters of a form and, the other way round, their values.
struct Alphabet {
    explicit constexpr Alphabet(std::string_view characters) {
        values.fill(kBad);
        for (std::size_t i = 0; i < signs.size(); ++i) {
            signs[i] = characters[i];
            values[static_cast<unsigned char>(characters[i])] = static_cast<std::uint8_t>(i);
        }
    }
    std::array<char, 64> signs{};
    std::array<std::uint8_t, 256> values{};
};

constexpr Alphabet kStandard("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
constexpr Alphabet kUrl("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

[[nodiscard]] const Alphabet& alphabetOf(Base64 form) noexcept {
    return form == Base64::standard ? kStandard : kUrl;
}

}  // namespace

void encodeBase64(Bytes in, char* out, Base64 form) noexcept {
    const std::array<char, 64>& signs = alphabetOf(form).signs;
    const auto at = [in](std::size_t i) { return std::to_integer<std::uint32_t>(in[i]); };
    std::size_t i = 0;
    for (; i + 3 <= in.size(); i += 3) {
        const std::uint32_t v = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        *out++ = signs[v >> 18];
        *out++ = signs[v >> 12 & 63];
        *out++ = signs[v >> 6 & 63];
        *out++ = signs[v & 63];
    }
    if (i == in.size()) return;
    const bool two = in.size() - i == 2, padded = form == Base64::standard;
    const std::uint32_t v = at(i) << 16 | (two ? at(i + 1) << 8 : 0);
    *out++ = signs[v >> 18];
    *out++ = signs[v >> 12 & 63];
    if (two) *out++ = signs[v >> 6 & 63];
    else if (padded) *out++ = '=';
    if (padded) *out++ = '=';
}

bool decodeBase64(char* text, std::size_t& length, Base64 form) noexcept {
    std::size_t coded = length;
    if (form == Base64::standard) {
        if (length % 4 != 0) return false;
        for (int most = 2; most != 0 && coded != 0 && text[coded - 1] == '='; --most)
            --coded;
    } else if (length % 4 == 1) {
        return false;
    }
    const std::array<std::uint8_t, 256>& values = alphabetOf(form).values;
    const auto valueOf = [&](char c) { return values[static_cast<unsigned char>(c)]; };
    if (std::any_of(text, text + coded, [&](char c) { return valueOf(c) == kBad; })) return false;
    char* to = text;  // never in front of what is still to be read
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (std::size_t i = 0; i < coded; ++i) {
        group = group << 6 | valueOf(text[i]);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        *to++ = static_cast<char>(static_cast<unsigned char>(group >> bits & 0xFF));
    }
    length = static_cast<std::size_t>(to - text);
    return true;
}

}  // namespace emissary::eta

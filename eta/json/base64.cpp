// Encodes three octets as four characters, and decodes them with strict checks of padding and alphabet.
#include "json/base64.h"

#include <array>

namespace emissary::eta::json {

namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kBad = 0xFF;

constexpr std::array<std::uint8_t, 256> kValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(kBad);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
    return values;
}();

[[nodiscard]] std::uint32_t valueOf(char c) noexcept {
    return kValues[static_cast<unsigned char>(c)];
}

}  // namespace

void encodeBase64(Bytes in, char* out) noexcept {
    const auto at = [in](std::size_t i) { return std::to_integer<std::uint32_t>(in[i]); };
    std::size_t i = 0;
    for (; i + 3 <= in.size(); i += 3) {
        const std::uint32_t v = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
        *out++ = kAlphabet[v >> 18];
        *out++ = kAlphabet[v >> 12 & 63];
        *out++ = kAlphabet[v >> 6 & 63];
        *out++ = kAlphabet[v & 63];
    }
    if (i == in.size()) return;
    const bool two = in.size() - i == 2;
    const std::uint32_t v = at(i) << 16 | (two ? at(i + 1) << 8 : 0);
    *out++ = kAlphabet[v >> 18];
    *out++ = kAlphabet[v >> 12 & 63];
    *out++ = two ? kAlphabet[v >> 6 & 63] : '=';
    *out++ = '=';
}

bool decodeBase64(char* text, std::size_t& length) noexcept {
    if (length % 4 != 0) return false;
    if (length == 0) return true;
    const std::size_t padding = text[length - 1] != '=' ? 0 : text[length - 2] != '=' ? 1 : 2;
    for (std::size_t i = 0; i < length - padding; ++i)
        if (valueOf(text[i]) == kBad) return false;
    char* to = text;
    for (std::size_t i = 0; i < length; i += 4) {
        const bool last = i + 4 == length;
        std::uint32_t v = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const bool padded = last && k >= 4 - padding;
            v = v << 6 | (padded ? 0 : valueOf(text[i + k]));
        }
        const auto put = [&to](std::uint32_t byte) { *to++ = static_cast<char>(static_cast<unsigned char>(byte)); };
        put(v >> 16 & 0xFF);
        if (!last || padding < 2) put(v >> 8 & 0xFF);
        if (!last || padding < 1) put(v & 0xFF);
    }
    length = static_cast<std::size_t>(to - text);
    return true;
}

}  // namespace emissary::eta::json

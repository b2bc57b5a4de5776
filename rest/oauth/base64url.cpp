// Encodes and decodes without padding, and leaves no copies in freed memory.
#include "oauth/base64url.h"

#include <array>
#include <cstdint>

namespace emissary::rest {

namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

[[nodiscard]] constexpr int valueOf(char c) noexcept {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '-' ? 62 : c == '_' ? 63 : -1;
}

}  // namespace

void appendBase64Url(Secret& out, std::string_view bytes) {
    out.reserve(out.size() + (bytes.size() * 4 + 2) / 3);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t n = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < n ? static_cast<unsigned char>(bytes[at + i]) : 0u);
        std::array<char, 4> coded{};
        for (std::size_t i = 0; i < 4; ++i)
            coded[i] = kAlphabet[group >> (18 - 6 * i) & 63];
        out.append({coded.data(), n + 1});
    }
}

bool decodeBase64Url(std::string_view text, Secret& bytes) {
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    if (text.size() % 4 == 1) return false;
    bytes.clear();
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : text) {
        const int value = valueOf(c);
        if (value < 0) return false;
        group = (group << 6 | static_cast<std::uint32_t>(value)) & 0xFFFFFF;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        const char byte = static_cast<char>(group >> bits & 0xFF);
        bytes.append({&byte, 1});
    }
    return true;
}

}  // namespace emissary::rest

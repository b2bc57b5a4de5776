#include "rmtes_text.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "raise.h"

namespace emissary::ema {

namespace {

[[noreturn]] void refuse(const char* why) {
    throwInvalidUsage(std::string("RMTES text cannot be converted: ") + why,
                      refinitiv::ema::access::OmmInvalidUsageException::InvalidDataEnum);
}

constexpr char kEscape = 0x1B;

/// Reads "ESC [ digits final"; false when the bytes at `at` are no such command.
bool readCommand(std::string_view in, std::size_t& at, std::size_t& number, char& final) {
    if (at + 2 >= in.size() || in[at] != kEscape || in[at + 1] != '[') return false;
    std::size_t i = at + 2;
    number = 0;
    for (; i < in.size() && in[i] >= '0' && in[i] <= '9' && number < 65536; ++i)
        number = number * 10 + static_cast<std::size_t>(in[i] - '0');
    if (i >= in.size()) refuse("the input ends inside a command");
    final = in[i];
    if (final != '`' && final != 'b') refuse("unknown cursor command");
    at = i + 1;
    return true;
}

}  // namespace

std::string rmtesToUtf8(std::string_view content) {
    std::string out;
    for (const char c : content) {
        const auto u = static_cast<unsigned char>(c);
        if (u == 0) continue;
        if (u == 0x1C) break;
        if (c == kEscape) refuse("designated character sets are not supported in this release");
        if (u < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0 | u >> 6);
            out += static_cast<char>(0x80 | (u & 0x3F));
        }
    }
    return out;
}

void applyRmtes(std::string& stored, std::string_view received) {
    constexpr std::size_t kLimit = 65535;
    const bool partial = received.find(kEscape) != std::string_view::npos;
    std::size_t p = 0, furthest = 0;
    char last = ' ';
    std::string result = partial ? stored : std::string();
    const auto put = [&](char c) {
        if (p >= kLimit) refuse("the text is longer than 65535 bytes");
        if (p >= result.size()) result.resize(p + 1, ' ');
        result[p++] = last = c;
        furthest = std::max(furthest, p);
    };
    for (std::size_t i = 0; i < received.size();) {
        std::size_t n = 0;
        char final = 0;
        if (readCommand(received, i, n, final)) {
            if (final == '`') p = n;
            else
                for (; n > 0; --n)
                    put(last);
        } else {
            put(received[i++]);
        }
    }
    result.resize(partial ? std::max(stored.size(), furthest) : furthest, ' ');
    stored = std::move(result);
}

std::u16string utf8ToUtf16(std::string_view text) {
    std::u16string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t n = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
        if (n == 0 || i + n > text.size()) {
            out += u'\uFFFD';
            ++i;
            continue;
        }
        char32_t code = n == 1 ? lead : lead & (0x7Fu >> n);
        for (std::size_t k = 1; k < n; ++k)
            code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
        i += n;
        if (code < 0x10000) {
            out += static_cast<char16_t>(code);
        } else {
            out += static_cast<char16_t>(0xD7C0 + (code >> 10));
            out += static_cast<char16_t>(0xDC00 + (code & 0x3FF));
        }
    }
    return out;
}

}  // namespace emissary::ema

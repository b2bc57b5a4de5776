// RMTES conversion with exceptions, and UTF-8 to UTF-16.
#include "text/rmtes_text.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "eta/codec/Rmtes.h"

namespace emissary::ema {

namespace {

[[noreturn]] void refuse(const char* why, std::uint32_t offset) {
    throwInvalidUsage(std::string("RMTES text: ") + why + " at byte " + std::to_string(offset),
                      refinitiv::ema::access::OmmInvalidUsageException::InvalidDataEnum);
}

}  // namespace

std::string rmtesToUtf8(std::string_view content) {
    std::string out;
    if (const eta::Error e = eta::codec::rmtesToUtf8(eta::asBytes(content), out); !e.ok())
        refuse("unknown byte or command", e.offset);
    return out;
}

void applyRmtes(std::string& stored, std::string_view received) {
    // A partial update without a preceding full content applies to blanks.
    constexpr std::size_t kLimit = 65535;
    std::size_t length = stored.size();
    std::string store = stored;
    store.resize(kLimit, ' ');
    const eta::Error e = eta::codec::applyRmtes(eta::asBytes(received),
                                                std::as_writable_bytes(std::span{store.data(), store.size()}), length);
    if (!e.ok())
        refuse(e.code == eta::Errc::noSpace ? "the text is longer than 65535 bytes" : "broken cursor or repeat command",
               e.offset);
    store.resize(length);
    stored = std::move(store);
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

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

/// The length of the UTF-8 sequence that begins at `i`, or 0 when none does. RMTES hands UTF-8 on as the peer wrote it,
/// so continuations are looked at, and so are second bytes that would make a code that is written shorter, half a pair
/// of UTF-16, or one past the last (RFC 3629).
[[nodiscard]] std::size_t sequenceAt(std::string_view text, std::size_t i) noexcept {
    const auto at = [text](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned lead = at(i);
    if (lead < 0x80) return 1;
    const std::size_t n = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (n == 0 || i + n > text.size()) return 0;
    const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at(i + 1) < least || at(i + 1) > most) return 0;
    for (std::size_t k = 2; k < n; ++k)
        if ((at(i + k) & 0xC0) != 0x80) return 0;
    return n;
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
        const std::size_t n = sequenceAt(text, i);
        // One byte of what is no sequence, so that the text behind it is read from its own first byte.
        if (n == 0) {
            out += u'\uFFFD';
            ++i;
            continue;
        }
        const auto lead = static_cast<unsigned char>(text[i]);
        char32_t code = n == 1 ? lead : lead & (0x7Fu >> n);
        for (std::size_t k = 1; k < n; ++k)
            code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
        i += n;
        if (code < 0x10000) {
            out += static_cast<char16_t>(code);
        } else {
            // 0xD7C0 is 0xD800 less the upper half of 0x10000, which a pair of units does not carry.
            out += static_cast<char16_t>(0xD7C0 + (code >> 10));
            out += static_cast<char16_t>(0xDC00 + (code & 0x3FF));
        }
    }
    return out;
}

}  // namespace emissary::ema

// Any bytes as a series of RMTES values applied to one stored string, which is then converted. The first byte gives the
// room of the store; each value is led by its length.
#include "eta/codec/Rmtes.h"

#include <array>
#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::codec;

namespace {

/// Well formed, no surrogates, no overlong forms.
bool isUtf8(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
        const auto at = [&s](std::size_t n) { return n < s.size() ? static_cast<unsigned char>(s[n]) : 0u; };
        const unsigned first = at(i);
        const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
        if (length == 0 || first > 0xF4) return false;
        for (std::size_t n = 1; n < length; ++n)
            if ((at(i + n) & 0xC0) != 0x80) return false;
        const unsigned second = at(i + 1);
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return false;
        if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return false;
        i += length;
    }
    return true;
}

void convert(Bytes bytes) {
    std::string text = "kept";
    // What the sender declares as UTF-8 is copied as it is, good or bad.
    const bool copied = asText(bytes).find("\x1B%0") != std::string_view::npos;
    if (rmtesToUtf8(bytes, text).ok()) {
        if (text.compare(0, 4, "kept") != 0 || !(copied || isUtf8(text))) std::abort();
    } else if (text != "kept") {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    std::array<std::byte, 256> block{};
    const std::span<std::byte> store{block.data(), data[0]};
    std::size_t length = 0;
    BeReader in{std::as_bytes(std::span{data + 1, size - 1})};
    while (in.remaining() > 0) {
        const Bytes value = in.take(std::min<std::size_t>(in.u8(), in.remaining()));
        const bool partial = isRmtesPartial(value);
        const std::size_t before = length;
        const auto kept = block;
        if (applyRmtes(value, store, length).ok()) {
            if (length > store.size()) std::abort();
            // What starts with an escape leaves the stored tail in place even when it is no update (rwf.md 6.5).
            const bool keepsTail = !value.empty() && value.front() == std::byte{0x1B};
            const bool plain = !keepsTail && asText(value).find("\x1B[") == std::string_view::npos;
            if (plain && (partial || length != value.size())) std::abort();
        } else if (length != before || kept != block) {
            std::abort();
        }
        convert(value);
        convert(Bytes{block.data(), length});
    }
    return 0;
}

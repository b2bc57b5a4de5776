// Parses and writes frame headers, masks payloads, and checks close codes and UTF-8.
#include "transport/websocket/websocket_frames.h"

namespace emissary::eta::transport::ws {

const char* describe(Fault fault) noexcept {
    switch (fault) {
    case Fault::none:
        return "no fault";
    case Fault::reservedBits:
        return "reserved bits set";
    case Fault::unknownOpcode:
        return "unknown opcode";
    case Fault::unmasked:
        return "client frame without a mask";
    case Fault::masked:
        return "server frame with a mask";
    case Fault::controlFragmented:
        return "fragmented control frame";
    case Fault::controlTooLong:
        return "control frame above 125 bytes";
    case Fault::lengthTopBit:
        return "64-bit length with its top bit set";
    case Fault::lengthNotShortest:
        return "length not in its shortest form";
    case Fault::loneContinuation:
        return "continuation of a message that was never begun";
    case Fault::nestedMessage:
        return "new message inside a fragmented one";
    case Fault::badClose:
        return "malformed close frame";
    case Fault::wrongType:
        return "text message where binary RIPC frames are spoken";
    case Fault::badText:
        return "text message that is not UTF-8";
    case Fault::badDeflate:
        return "damaged compressed message";
    case Fault::tooBig:
        return "message above the receive limit";
    case Fault::budgetSpent:
        return "incomplete messages of all connections together hold too much";
    case Fault::outOfMemory:
        return "out of memory for a message";
    }
    return "unknown fault";
}

std::uint16_t closeCode(Fault fault) noexcept {
    switch (fault) {
    case Fault::none:
        return kNormalClosure;
    case Fault::wrongType:
        return kWrongType;
    case Fault::badText:
        return kBadData;
    case Fault::badDeflate:
        return kBadData;
    case Fault::tooBig:
        return kTooBig;
    case Fault::budgetSpent:
        return kTryAgainLater;
    case Fault::outOfMemory:
        return kInternalError;
    default:
        return kProtocolError;
    }
}

Fault parseHeader(Bytes in, bool fromClient, bool allowRsv1, Header& h) noexcept {
    h = {};
    if (in.size() < 2) return Fault::none;
    const auto b0 = std::to_integer<std::uint8_t>(in[0]), b1 = std::to_integer<std::uint8_t>(in[1]);
    h.fin = (b0 & 0x80) != 0;
    h.rsv1 = (b0 & 0x40) != 0;
    h.masked = (b1 & 0x80) != 0;
    h.opcode = static_cast<Opcode>(b0 & 0x0F);
    const unsigned op = b0 & 0x0F;
    if (op > 10 || (op > 2 && op < 8)) return Fault::unknownOpcode;
    if ((b0 & 0x30) != 0) return Fault::reservedBits;
    if (h.rsv1 && (!allowRsv1 || h.control() || h.opcode == Opcode::continuation)) return Fault::reservedBits;
    if (h.masked != fromClient) return fromClient ? Fault::unmasked : Fault::masked;
    const std::size_t small = b1 & 0x7F;
    if (h.control() && !h.fin) return Fault::controlFragmented;
    if (h.control() && small > kMaxControl) return Fault::controlTooLong;

    BeReader r(in.subspan(2));
    h.length = small;
    if (small == 126) {
        h.length = r.u16();
        if (r.ok() && h.length < 126) return Fault::lengthNotShortest;
    } else if (small == 127) {
        h.length = r.read<std::uint64_t>();
        if (r.ok() && h.length >> 63 != 0) return Fault::lengthTopBit;
        if (r.ok() && h.length <= 0xFFFF) return Fault::lengthNotShortest;
    }
    if (h.masked) {
        const Bytes mask = r.take(h.mask.size());
        if (r.ok()) std::memcpy(h.mask.data(), mask.data(), h.mask.size());
    }
    if (r.ok()) h.size = 2 + r.offset();
    return Fault::none;
}

std::size_t writeHeader(std::byte* to, Opcode opcode, bool fin, bool rsv1, std::size_t length,
                        const Mask* mask) noexcept {
    const std::byte maskBit{static_cast<std::uint8_t>(mask != nullptr ? 0x80 : 0)};
    to[0] = std::byte{static_cast<std::uint8_t>((fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | static_cast<int>(opcode))};
    std::size_t n = 2;
    if (length < 126) {
        to[1] = maskBit | static_cast<std::byte>(length);
    } else if (length <= 0xFFFF) {
        to[1] = maskBit | std::byte{126};
        storeBe(to + 2, static_cast<std::uint16_t>(length));
        n = 4;
    } else {
        to[1] = maskBit | std::byte{127};
        storeBe(to + 2, static_cast<std::uint64_t>(length));
        n = 10;
    }
    if (mask != nullptr) {
        std::memcpy(to + n, mask->data(), mask->size());
        n += mask->size();
    }
    return n;
}

void applyMask(std::byte* to, const std::byte* from, std::size_t n, const Mask& mask, std::size_t phase) noexcept {
    std::array<std::uint8_t, 8> turned;
    for (std::size_t i = 0; i < 8; ++i)
        turned[i] = mask[(phase + i) & 3];
    std::uint64_t wide;
    std::memcpy(&wide, turned.data(), 8);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        std::uint64_t v;
        std::memcpy(&v, from + i, 8);
        v ^= wide;
        std::memcpy(to + i, &v, 8);
    }
    const std::size_t rest = n - i;  // 0 .. 7
    to += i;
    from += i;
    for (std::size_t k = 0; k < 8 && k < rest; ++k)
        to[k] = from[k] ^ std::byte{turned[k]};
}

bool validCloseCode(std::uint16_t code) noexcept {
    if (code >= 3000 && code <= 4999) return true;
    return code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
}

// Overlong forms, surrogates and values above U+10FFFF are refused (Unicode 15, table 3-7).
bool validUtf8(Bytes text) noexcept {
    const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
    const auto* const end = p + text.size();
    const auto tail = [&](const std::uint8_t* q, int n) {
        for (int i = 0; i < n; ++i)
            if ((q[i] & 0xC0) != 0x80) return false;
        return true;
    };
    constexpr std::uint64_t kHighs = 0x8080808080808080u;
    // Most texts are ASCII throughout.
    for (std::array<std::uint64_t, 8> words; static_cast<std::size_t>(end - p) >= sizeof words; p += sizeof words) {
        std::memcpy(words.data(), p, sizeof words);
        std::uint64_t all = 0;
        for (const std::uint64_t word : words)
            all |= word;
        if ((all & kHighs) != 0) break;
    }
    while (p != end) {
        while (end - p >= 8) {
            std::uint64_t v;
            std::memcpy(&v, p, 8);
            if ((v & kHighs) != 0) break;
            p += 8;
        }
        if (p == end) break;
        const std::uint8_t c = *p;
        if (c < 0x80) {
            ++p;
        } else if (c >= 0xC2 && c <= 0xDF) {
            if (end - p < 2 || !tail(p + 1, 1)) return false;
            p += 2;
        } else if ((c & 0xF0) == 0xE0) {
            if (end - p < 3 || !tail(p + 1, 2)) return false;
            if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F)) return false;
            p += 3;
        } else if (c >= 0xF0 && c <= 0xF4) {
            if (end - p < 4 || !tail(p + 1, 3)) return false;
            if ((c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F)) return false;
            p += 4;
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace emissary::eta::transport::ws

// Encodes and parses request, ack, nak and client key, and negotiates protocol, ping and compression.
#include "transport/channel/handshake.h"

#include "eta/core/printable.h"
#include "eta/core/version.h"
#include "eta/transport/frame.h"

#include <algorithm>
#include <array>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kMaxComponentText = 253;
constexpr std::size_t kAckHeaderLength = 10;
constexpr std::uint8_t kKeyDataLength = 24;

/// The messages are built once a connection: a vector that grows is fine here.
class Builder {
public:
    Builder() { out_.reserve(512); }
    void u8(std::size_t v) { out_.push_back(static_cast<std::byte>(v)); }
    void u16(std::size_t v) { number(static_cast<std::uint16_t>(v)); }
    void u32(std::uint32_t v) { number(v); }
    void u64(std::uint64_t v) { number(v); }
    void text(std::string_view s) {
        const Bytes b = asBytes(s);
        out_.insert(out_.end(), b.begin(), b.end());
    }
    [[nodiscard]] WireBytes finish() {
        // The length is the first two bytes, so it is written when all is there.
        storeBe(out_.data(), static_cast<std::uint16_t>(out_.size()));
        return std::move(out_);
    }

private:
    template <std::unsigned_integral U>
    void number(U v) {
        out_.resize(out_.size() + sizeof v);
        storeBe(out_.data() + out_.size() - sizeof v, v);
    }
    WireBytes out_;
};

std::string textOf(Bytes b) {
    return std::string(asText(b));
}

template <class T>
Parsed<T> bad(std::string reason) {
    Parsed<T> p;
    p.kind = Parsed<T>::Kind::bad;
    p.reason = std::move(reason);
    return p;
}

// First bytes that people send to the wrong port; empty when it looks like nothing known.
std::string guess(Bytes in) {
    // The text helps whoever has mixed up two ports; it is a guess and says so.
    const std::string_view start = asText(in.first(std::min<std::size_t>(in.size(), 4)));
    if (start.starts_with("GE")) return " (an HTTP or WebSocket request?)";
    if (start.starts_with("PO")) return " (an HTTP request?)";
    if (start.starts_with("\x16\x03")) return " (a TLS client? this port is not encrypted)";
    if (start.starts_with("\x15\x03")) return " (a TLS alert: the port is encrypted, use RSSL_ENCRYPTED)";
    return {};
}

// Tolerated behind a request, whether counted in its length or not.
bool isLineEnd(Bytes b) noexcept {
    return asText(b) == "\r\n";
}

}  // namespace

WireBytes encodeRequest(const ConnectionRequest& r) {
    const bool typed = r.ripcVersion >= 12, component = r.ripcVersion >= 13;
    const std::size_t bitmapBytes = r.compressionBitmap != 0 ? 1 : 0;
    // The header has one byte for its own length, so host and address are cut to fit.
    const std::size_t fixed = (typed ? 17u : 16u) + bitmapBytes;
    const std::string_view ip = std::string_view(r.ipAddress).substr(0, 64);
    const std::string_view host = std::string_view(r.hostName).substr(0, 255 - fixed - ip.size());
    const std::string_view text = std::string_view(r.componentText).substr(0, kMaxComponentText);
    Builder b;
    b.u16(0);
    b.u8(0);
    b.u32(kFirstConnectionVersion + static_cast<std::uint32_t>(r.ripcVersion - 11));
    // The flag has a meaning from RIPC 14 on only.
    b.u8(r.ripcVersion >= 14 && r.keyExchange ? kKeyExchangeFlag : 0);
    b.u8(fixed + host.size() + ip.size());
    b.u8(bitmapBytes);
    if (bitmapBytes != 0) b.u8(r.compressionBitmap);
    b.u8(r.pingTimeout);
    b.u8(r.sessionFlags);
    if (typed) b.u8(r.protocolType);
    b.u8(r.major);
    b.u8(r.minor);
    b.u8(host.size());
    b.text(host);
    b.u8(ip.size());
    b.text(ip);
    // A component text exists from RIPC 13 on; the block's length is one more than the text's.
    if (component) {
        b.u8(1 + text.size());
        b.u8(text.size());
        b.text(text);
    }
    return b.finish();
}

Parsed<ConnectionRequest> parseRequest(Bytes in) {
    using P = Parsed<ConnectionRequest>;
    if (in.size() < 2) return {};
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    // What is no request is refused before more of it arrives: a stray client must not hold a place.
    if (length < kMinRequest || length > kMaxRequest)
        return bad<ConnectionRequest>("not a connection request: length " + std::to_string(length) + guess(in));
    // The version sits in the first seven bytes; an unknown one needs no more to be turned away.
    if (in.size() >= 7) {
        const std::uint32_t version = loadBe<std::uint32_t>(in.data() + 3);
        if (version < kFirstConnectionVersion || version > kFirstConnectionVersion + 3)
            return bad<ConnectionRequest>("unknown connection version " + std::to_string(version));
    }
    if (in.size() < length) return {};

    P p;
    ConnectionRequest& r = p.value;
    BeReader reader(in.first(length));
    reader.skipTo(3);  // length, opcode (ignored)
    r.ripcVersion = 11 + static_cast<int>(reader.u32() - kFirstConnectionVersion);
    const std::uint8_t requestFlags = reader.u8();
    r.keyExchange = r.ripcVersion >= 14 && (requestFlags & kKeyExchangeFlag) != 0;
    // Lengths inside the request are checked against its own header, not against the packet.
    const std::size_t headerLength = reader.u8();
    if (headerLength > length) return bad<ConnectionRequest>("request header is longer than the request");

    BeReader h(in.first(headerLength));
    if (headerLength < 10) return bad<ConnectionRequest>("request header length " + std::to_string(headerLength));
    h.skipTo(9);
    const Bytes bitmap = h.buf8();
    if (!bitmap.empty()) r.compressionBitmap = std::to_integer<std::uint8_t>(bitmap[0]);
    r.pingTimeout = h.u8();
    r.sessionFlags = h.u8();
    if (r.ripcVersion >= 12) r.protocolType = h.u8();
    r.major = h.u8();
    r.minor = h.u8();
    r.hostName = textOf(h.buf8());
    r.ipAddress = textOf(h.buf8());
    if (!h.ok()) return bad<ConnectionRequest>("a length inside the request passes its end");

    reader.skipTo(headerLength);
    if (r.ripcVersion >= 13) {
        const Bytes block = reader.buf8();
        if (!reader.ok()) return bad<ConnectionRequest>("component block passes the end of the request");
        BeReader c(block);
        // What follows the text in the block is unknown, and skipped.
        if (!block.empty()) r.componentText = textOf(c.buf8());  // what follows the text in the block is unknown: skip
        if (!c.ok()) return bad<ConnectionRequest>("component text passes the end of its block");
    }
    const Bytes rest = reader.rest();
    if (!rest.empty() && !isLineEnd(rest))
        return bad<ConnectionRequest>("request length " + std::to_string(length) + " disagrees with its header");
    p.kind = P::Kind::ok;
    // A line end behind the request is no data.
    p.consumed = length;
    const Bytes behind = in.subspan(length);
    if (behind.size() >= 2 && isLineEnd(behind.first(2))) p.consumed += 2;
    return p;
}

WireBytes encodeAck(const ConnectionAck& a) {
    Builder b;
    b.u16(0);
    b.u8(frame::kExtended | (a.forcedCompression ? frame::kForce : 0u));
    b.u8(frame::kAck);
    b.u8(kAckHeaderLength);
    b.u8(0);
    // The version of the ack is counted from another number than that of the request (transport.md 1.4).
    b.u32(kFirstRipcAckVersion + static_cast<std::uint32_t>(a.ripcVersion - 11));
    b.u16(a.maxMessage);
    b.u8(a.sessionFlags);
    b.u8(a.pingTimeout);
    b.u8(a.major);
    b.u8(a.minor);
    b.u16(a.compressionType);
    b.u8(a.compressionLevel);
    if (a.ripcVersion >= 14 && a.hasKey) {
        b.u8(kKeyExchangeFlag);
        b.u8(a.key.type);
        b.u8(kKeyDataLength);
        b.u64(a.key.p);
        b.u64(a.key.g);
        b.u64(a.key.serverKey);
    }
    // RIPC 12 and below have no component block.
    if (a.ripcVersion >= 13) {
        const std::string_view text = std::string_view(a.componentText).substr(0, kMaxComponentText);
        b.u8(1 + text.size());
        b.u8(text.size());
        b.text(text);
    }
    return b.finish();
}

Parsed<ConnectionAck> parseAck(Bytes in, bool keyAsked) {
    using P = Parsed<ConnectionAck>;
    if (in.size() < 2) return {};
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    if (length < 8 || length > kMaxAck)
        // A stray answer ends here, with a guess at what was reached.
        return bad<ConnectionAck>("answer is not a connection ack: length " + std::to_string(length) + guess(in));
    if (in.size() < 4) return {};
    const std::uint8_t flags = std::to_integer<std::uint8_t>(in[2]);
    const std::uint8_t extended = std::to_integer<std::uint8_t>(in[3]);
    const bool ack = (extended & frame::kAck) != 0, nak = (extended & frame::kNak) != 0;
    if ((flags & frame::kExtended) == 0 || ack == nak) return bad<ConnectionAck>("answer is neither an ack nor a nak");
    if (in.size() < length) return {};

    P p;
    p.consumed = length;
    BeReader reader(in.first(length));
    reader.skipTo(6);
    if (nak) {
        const std::size_t textLength = reader.u16();
        // Naks carry their text with a terminating byte that belongs to no sentence.
        std::string text = textOf(reader.take(std::min(textLength, reader.remaining())));
        while (!text.empty() && text.back() == '\0')
            text.pop_back();
        p.kind = P::Kind::nak;
        p.reason = printable(text);
        return p;
    }
    ConnectionAck& a = p.value;
    a.forcedCompression = (flags & frame::kForce) != 0;
    const std::uint32_t version = reader.u32();
    a.maxMessage = reader.u16();
    a.sessionFlags = reader.u8();
    a.pingTimeout = reader.u8();
    a.major = reader.u8();
    a.minor = reader.u8();
    a.compressionType = reader.u16();
    a.compressionLevel = reader.u8();
    if (!reader.ok()) return bad<ConnectionAck>("connection ack is cut short");
    // A version that is not known cannot be spoken.
    if (version < kFirstRipcAckVersion || version > kFirstRipcAckVersion + 3)
        return bad<ConnectionAck>("connection ack names unknown RIPC version " + std::to_string(version));
    a.ripcVersion = 11 + static_cast<int>(version - kFirstRipcAckVersion);
    // Below that, fragments would carry nothing.
    if (a.maxMessage < frame::kMinMaxMessage)
        return bad<ConnectionAck>("connection ack allows only " + std::to_string(a.maxMessage) + " bytes a message");
    if (a.compressionType > 2)
        return bad<ConnectionAck>("connection ack names unknown compression " + std::to_string(a.compressionType));
    if (a.compressionLevel > 9)
        return bad<ConnectionAck>("connection ack names compression level " + std::to_string(a.compressionLevel));
    // Forced compression without a type means zlib (transport.md 2.6).
    if (a.forcedCompression && a.compressionType == 0) a.compressionType = 1;
    if (a.ripcVersion >= 14 && keyAsked) {
        a.hasKey = true;
        reader.skipTo(reader.offset() + 1);  // marker
        a.key.type = reader.u8();
        BeReader data(reader.buf8());
        a.key.p = data.read<std::uint64_t>();
        a.key.g = data.read<std::uint64_t>();
        a.key.serverKey = data.read<std::uint64_t>();
        if (!reader.ok()) return bad<ConnectionAck>("key block passes the end of the connection ack");
        if (!data.ok()) a.key.type = 0;  // another key type has other data; we answer without a key
    }
    if (a.ripcVersion >= 13) {
        reader.skipTo(reader.offset() +
                      1);  // block length: one too large from some servers, so the text length decides
        const Bytes text = reader.buf8();
        if (!reader.ok()) return bad<ConnectionAck>("component text passes the end of the connection ack");
        a.componentText = textOf(text);
    }
    p.kind = P::Kind::ok;
    return p;
}

WireBytes encodeNak(std::string_view text) {
    text = text.substr(0, 255);
    Builder b;
    b.u16(0);
    b.u8(frame::kExtended);
    b.u8(frame::kNak);
    b.u8(8);
    b.u8(0);
    b.u16(text.size() + 1);
    // A nak carries at most 255 bytes of text.
    b.text(text);
    b.u8(0);
    return b.finish();
}

WireBytes encodeClientKey(const ClientKey& key) {
    Builder b;
    b.u16(0);
    b.u8(kKeyExchangeFlag);
    b.u8(key.present ? 8 : 0);
    if (key.present) b.u64(key.key);
    return b.finish();
}

Parsed<ClientKey> parseClientKey(Bytes in) {
    using P = Parsed<ClientKey>;
    if (in.size() < 2) return {};
    // Either no key (4) or one of 8 bytes (12).
    const std::size_t length = loadBe<std::uint16_t>(in.data());
    if (length != 4 && length != 12) return bad<ClientKey>("client key of length " + std::to_string(length));
    if (in.size() >= 3 && std::to_integer<std::uint8_t>(in[2]) != kKeyExchangeFlag)
        return bad<ClientKey>("another frame where the client key is due");
    if (in.size() >= 4 && std::to_integer<std::size_t>(in[3]) != length - 4)
        return bad<ClientKey>("client key names a wrong key length");
    if (in.size() < length) return {};
    P p;
    p.kind = P::Kind::ok;
    p.consumed = length;
    p.value.present = length == 12;
    if (p.value.present) p.value.key = loadBe<std::uint64_t>(in.data() + 4);
    return p;
}

// Versions are compared as pairs: the lower one of both ends is spoken.
bool lowerProtocol(std::uint8_t majorA, std::uint8_t minorA, std::uint8_t majorB, std::uint8_t minorB) noexcept {
    return majorA != majorB ? majorA < majorB : minorA < minorB;
}

ConnectionAck negotiate(const BindOptions& o, const ConnectionRequest& r) {
    ConnectionAck a;
    a.ripcVersion = r.ripcVersion;
    a.maxMessage = static_cast<std::uint16_t>(o.maxFragmentSize);
    // The client's wish within the server's limits; both ends then use the server's value.
    const std::uint8_t largest = std::max<std::uint8_t>(o.pingTimeoutSeconds, 1);
    const std::uint8_t smallest = std::clamp<std::uint8_t>(o.minPingTimeoutSeconds, 1, largest);
    a.pingTimeout = std::clamp(r.pingTimeout, smallest, largest);
    a.sessionFlags = static_cast<std::uint8_t>((o.clientToServerPings ? kClientPings : 0) |
                                               (o.serverToClientPings ? kServerPings : 0) |
                                               (r.sessionFlags & (kClientPings | kServerPings)));
    // The lower pair is what both understand.
    const bool clientLower = lowerProtocol(r.major, r.minor, o.protocolMajor, o.protocolMinor);
    a.major = clientLower ? r.major : o.protocolMajor;
    a.minor = clientLower ? r.minor : o.protocolMinor;
    a.componentText = componentText(o.componentInfo);
    const Compression c = negotiateCompression(o, r);
    a.compressionType = static_cast<std::uint16_t>(c);
    a.compressionLevel = c == Compression::zlib ? std::min<std::uint8_t>(o.compressionLevel, 9) : std::uint8_t{0};
    a.forcedCompression = o.forceCompression && c != Compression::none;
    return a;
}

// The server's choice, where the client has offered it (transport.md 2.6).
Compression negotiateCompression(const BindOptions& o, const ConnectionRequest& r) noexcept {
    if (o.compression == Compression::none) return Compression::none;
    // LZ4 came with RIPC 12.
    const bool knowsLz4 = r.ripcVersion >= 12;
    const bool zlib = (r.compressionBitmap & kOffersZlib) != 0,
               lz4 = knowsLz4 && (r.compressionBitmap & kOffersLz4) != 0;
    // Forced: the client must take it. From RIPC 13 on both types are known to it.
    if (o.forceCompression) {
        if (r.ripcVersion >= 13) return o.compression;
        if (zlib || !lz4) return Compression::zlib;
        return Compression::lz4;
    }
    const bool offered = o.compression == Compression::zlib ? zlib : lz4;
    return offered ? o.compression : Compression::none;
}

std::uint8_t compressionOffer(Compression wanted, int ripcVersion) noexcept {
    if (wanted == Compression::zlib) return kOffersZlib;
    // An older version cannot name LZ4, so it gets zlib.
    if (wanted == Compression::lz4) return ripcVersion >= 12 ? kOffersLz4 : kOffersZlib;
    return 0;
}

std::string componentText(const std::string& userText) {
    std::string text = "emissary";
    text += version();
    if (!userText.empty()) text += '|' + userText;
    return text;
}

}  // namespace emissary::eta::transport

// Writes and checks the headers, ranges and frames of a datagram.
#include "transport/multicast/datagram.h"

#include "eta/transport/frame.h"

namespace emissary::eta::transport::mcast {
namespace {

std::uint8_t byteAt(Bytes b, std::size_t at) noexcept {
    return std::to_integer<std::uint8_t>(b[at]);
}

/// A body of frames: each length leads exactly to the next frame, and firstStart is the beginning of one.
bool goodFrames(Bytes body, std::uint16_t firstStart) noexcept {
    bool startSeen = firstStart == kNoStart;
    std::size_t at = 0;
    while (at < body.size()) {
        if (at == firstStart) startSeen = true;
        if (body.size() - at < frame::kHeader) return false;
        const std::size_t length = loadBe<std::uint16_t>(body.data() + at);
        if (length < frame::kHeader || length > body.size() - at) return false;
        at += length;
    }
    // At least one frame, and the announced start must be one of them.
    return startSeen && !body.empty();
}

bool goodRanges(Bytes body) noexcept {
    if (body.empty() || body.size() % kRangeBytes != 0 || body.size() / kRangeBytes > kMaxRanges) return false;
    std::uint32_t end = 0;
    for (std::size_t at = 0; at < body.size(); at += kRangeBytes) {
        const auto first = loadBe<std::uint32_t>(body.data() + at);
        const auto more = loadBe<std::uint16_t>(body.data() + at + 4);
        // Sorted and separate ranges: whoever works through them need not look back.
        if (at != 0 && distance(first, end) <= 0) return false;  // ascending, not touching the one before
        end = first + more;
    }
    return true;
}

}  // namespace

void writeHeader(std::byte* to, const Header& h, std::size_t length) noexcept {
    storeBe(to, kMagic);
    to[2] = std::byte{kVersion};
    to[3] = static_cast<std::byte>(h.type);
    to[4] = std::byte{h.flags};
    to[5] = std::byte{h.protocolType};
    storeBe(to + 6, static_cast<std::uint16_t>(length));
    storeBe(to + 8, h.session);
    storeBe(to + 12, h.sequence);
    storeBe(to + 16, h.oldest);
    storeBe(to + 20, h.returnPort);
    storeBe(to + 22, h.firstStart);
    storeBe(to + 24, std::uint32_t{0});  // reserved
}

void patchRepair(std::byte* datagram, std::uint32_t oldest) noexcept {
    datagram[4] |= std::byte{kRepair};
    storeBe(datagram + 16, oldest);
}

Fault parse(Bytes d, Header& h, Bytes& body) noexcept {
    // In the order that recognizes a foreign datagram soonest: magic, version, then lengths.
    if (d.size() < 4) return Fault::tooShort;
    if (loadBe<std::uint16_t>(d.data()) != kMagic) return Fault::notOurs;
    if (byteAt(d, 2) != kVersion) return Fault::otherVersion;
    if (d.size() < kHeaderBytes) return Fault::tooShort;
    if (loadBe<std::uint16_t>(d.data() + 6) != d.size() || d.size() > kMaxDatagram) return Fault::badLength;
    h.type = static_cast<Type>(byteAt(d, 3));
    h.flags = byteAt(d, 4);
    h.protocolType = byteAt(d, 5);
    h.session = loadBe<std::uint32_t>(d.data() + 8);
    h.sequence = loadBe<std::uint32_t>(d.data() + 12);
    h.oldest = loadBe<std::uint32_t>(d.data() + 16);
    h.returnPort = loadBe<std::uint16_t>(d.data() + 20);
    h.firstStart = loadBe<std::uint16_t>(d.data() + 22);
    body = d.subspan(kHeaderBytes);
    // Without it nobody could ask this sender for repairs.
    if (h.returnPort == 0) return Fault::badBody;
    switch (h.type) {
    case Type::data:
        return distance(h.sequence, h.oldest) >= 0 && goodFrames(body, h.firstStart) ? Fault::none : Fault::badBody;
    case Type::heartbeat:
        return distance(h.sequence, h.oldest) >= 0 && body.empty() ? Fault::none : Fault::badBody;
    case Type::request:
    case Type::promise:
        return goodRanges(body) ? Fault::none : Fault::badBody;
    case Type::statistics:
        return Fault::none;
    }
    return Fault::badType;
}

std::size_t readRanges(Bytes body, std::span<Range, kMaxRanges> out) noexcept {
    const std::size_t count = body.size() / kRangeBytes;
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const at = body.data() + i * kRangeBytes;
        out[i] = {loadBe<std::uint32_t>(at), loadBe<std::uint16_t>(at + 4)};
    }
    return count;
}

std::size_t writeRanges(std::byte* datagram, const Header& header, std::span<const Range> ranges) noexcept {
    const std::size_t length = kHeaderBytes + ranges.size() * kRangeBytes;
    writeHeader(datagram, header, length);
    std::byte* at = datagram + kHeaderBytes;
    for (const Range& r : ranges) {
        storeBe(at, r.first);
        storeBe(at + 4, r.more);
        at += kRangeBytes;
    }
    return length;
}

}  // namespace emissary::eta::transport::mcast

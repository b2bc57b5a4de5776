// Encodes and decodes the headers of data and of acknowledgements, with checks of their ranges.
#include "tunnel/header.h"

#include <algorithm>

namespace emissary::reactor::tunnel {

using eta::BeReader;
using eta::BeWriter;
using eta::Errc;

namespace {

constexpr std::uint8_t kFragment = 0x01;
constexpr std::uint16_t kFin = 0x01;
constexpr std::uint8_t kContainerBase = 128;

// Ranges that run backwards would make the sender walk the whole space of numbers.
[[nodiscard]] bool inOrder(SeqRanges ranges) noexcept {
    for (std::size_t i = 0; i < ranges.size(); ++i)
        if (ranges[i].to < ranges[i].from) return false;
    return true;
}

[[nodiscard]] Error decodeDataRest(BeReader& in, std::uint8_t streamVersion, Header& out) noexcept {
    out.fragment = false;
    // Version 1 ends with the operation.
    if (streamVersion <= 1) return {};
    out.fragment = (in.u8() & kFragment) != 0;
    if (!out.fragment) return in.error();
    out.totalBytes = in.u32();
    out.fragmentNumber = in.u32();
    out.messageId = in.u16();
    out.containerType = static_cast<eta::codec::DataType>(static_cast<std::uint8_t>(in.u8() + kContainerBase));
    return in.error();
}

[[nodiscard]] Error decodeAckRest(BeReader& in, Header& out) noexcept {
    out.fin = (in.u15rb() & kFin) != 0;
    out.seqNum = in.u32();
    out.missing = SeqRanges(in.take(std::size_t{in.u8()} * 8));
    out.received = SeqRanges(in.take(std::size_t{in.u8()} * 8));
    out.window = static_cast<std::int32_t>(in.u32());
    if (!in.ok()) return in.error();
    return inOrder(out.missing) && inOrder(out.received) ? Error{} : Error{Errc::badValue, 0};
}

}  // namespace

Error decodeHeader(Bytes in, std::uint8_t streamVersion, Header& out) noexcept {
    BeReader reader(in);
    const std::uint8_t op = reader.u8();
    if (!reader.ok()) return reader.error();
    out.op = static_cast<OpCode>(op);
    switch (out.op) {
    case OpCode::data:
    case OpCode::retransmission:
        return decodeDataRest(reader, streamVersion, out);
    case OpCode::ack:
        return decodeAckRest(reader, out);
    }
    return {Errc::badValue, 0};
}

void encodeData(BeWriter& out, const Header& header, std::uint8_t streamVersion) noexcept {
    out.u8(static_cast<std::uint8_t>(header.op));
    if (streamVersion <= 1) return;
    out.u8(header.fragment ? kFragment : 0);
    if (!header.fragment) return;
    out.u32(header.totalBytes);
    out.u32(header.fragmentNumber);
    out.u16(header.messageId);
    out.u8(static_cast<std::uint8_t>(static_cast<std::uint8_t>(header.containerType) - kContainerBase));
}

void encodeAck(BeWriter& out, bool fin, std::uint32_t seqNum, std::span<const SeqRange> missing,
               std::int32_t window) noexcept {
    missing = missing.first(std::min(missing.size(), kMostRanges));
    out.u8(static_cast<std::uint8_t>(OpCode::ack));
    out.u15rb(fin ? kFin : 0);
    out.u32(seqNum);
    out.u8(static_cast<std::uint8_t>(missing.size()));
    for (const SeqRange& range : missing) {
        out.u32(range.from);
        out.u32(range.to);
    }
    // No selective acknowledgements of our own: both references send none (tunnel.md 2.2).
    out.u8(0);
    out.u32(static_cast<std::uint32_t>(window));
}

}  // namespace emissary::reactor::tunnel

// Frames written and read; lengths and counts are checked before anything is used.
#include "hub/mesh/frames.h"

namespace emissary::hub::mesh {
namespace {

constexpr std::size_t kMostKept = 1024 * 1024;  // bytes of memory that a batch keeps after a large one

}  // namespace

eta::Result<Header> readHeader(Bytes frame) noexcept {
    using eta::Errc;
    using eta::Error;
    eta::BeReader in(frame);
    Header h;
    const std::uint16_t magic = in.u16();
    const std::uint8_t version = in.u8(), type = in.u8();
    h.node = in.u32();
    h.epoch = in.read<std::uint64_t>();
    h.lane = in.u16();
    h.records = in.u16();
    h.flags = in.u32();
    h.sequence = in.read<std::uint64_t>();
    if (!in.ok()) return Errc::truncated;
    if (magic != kMagic || version != kFrameVersion) return Errc::badValue;
    if (type < 1 || type > static_cast<std::uint8_t>(FrameType::reply)) return Error{Errc::badValue, 3};
    h.type = static_cast<FrameType>(type);
    if ((h.flags & kCompressed) != 0) return Error{Errc::unsupportedType, 20};
    if ((h.flags & ~std::uint32_t{kWhole}) != 0) return Error{Errc::badValue, 20};
    if (h.sequence == 0 || h.sequence > kMostSequence) return Error{Errc::badValue, 24};
    if (frame.size() - kHeaderBytes > kMostPayload) return Error{Errc::badLength, kHeaderBytes};
    return h;
}

eta::Error checkRecords(Bytes records, std::size_t count) noexcept {
    eta::BeReader in(records);
    for (std::size_t i = 0; i < count; ++i) {
        const auto start = static_cast<std::uint32_t>(in.offset());
        const std::uint32_t first = in.u32();
        const auto kind = static_cast<std::uint8_t>(first >> 24);
        if (in.ok() && (kind == 0 || kind > kLastKind)) return {eta::Errc::badValue, start};
        if (in.remaining() < 8) return {eta::Errc::truncated, start};
        in.advance(8);
        if (in.remaining() < (first & kMostBody)) return {eta::Errc::badLength, start};
        in.advance(first & kMostBody);
    }
    if (in.remaining() != 0) return {eta::Errc::badLength, static_cast<std::uint32_t>(in.offset())};
    return {};
}

bool RecordReader::next(Record& record) noexcept {
    if (in_.remaining() < kRecordBytes) return false;
    const std::uint32_t first = in_.u32();
    record.kind = static_cast<Kind>(first >> 24);
    record.number = in_.u32();
    record.version = in_.u32();
    record.body = in_.take(first & kMostBody);
    return in_.ok();
}

void writeHeader(std::byte* to, const Header& header) noexcept {
    eta::BeWriter out({to, kHeaderBytes});
    out.u16(kMagic);
    out.u8(kFrameVersion);
    out.u8(static_cast<std::uint8_t>(header.type));
    out.u32(header.node);
    out.write(header.epoch);
    out.u16(header.lane);
    out.u16(header.records);
    out.u32(header.flags);
    out.write(header.sequence);
}

bool Batch::add(Kind kind, std::uint32_t number, std::uint32_t version, Bytes head, Bytes body) {
    const std::size_t length = head.size() + body.size();
    if (length > kMostBody || records_ == 0xFFFF) return false;
    const std::size_t at = block_.size();
    block_.resize(at + kRecordBytes + length);
    eta::BeWriter out({block_.data() + at, kRecordBytes + length});
    out.u32(static_cast<std::uint32_t>(kind) << 24 | static_cast<std::uint32_t>(length));
    out.u32(number);
    out.u32(version);
    out.bytes(head);
    out.bytes(body);
    ++records_;
    if (kind == Kind::message) lastAt_ = at + kRecordBytes, lastBytes_ = length;
    return true;
}

bool Batch::addUpdate(std::uint32_t number, std::uint32_t version, Bytes body) {
    const bool same = lastAt_ != 0 && std::ranges::equal(Bytes(block_).subspan(lastAt_, lastBytes_), body);
    return same ? add(Kind::groupState, number, version, {}) : add(Kind::message, number, version, body);
}

void Batch::clear() noexcept {
    if (block_.capacity() > kMostKept) std::vector<std::byte>().swap(block_);
    block_.resize(kHeaderBytes);
    records_ = 0;
    lastAt_ = 0;
}

}  // namespace emissary::hub::mesh

// The tunnel's own header, which stands in the extended header of generic messages (tunnel.md 2).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/bytes.h"

#include <cstdint>
#include <span>

namespace emissary::reactor::tunnel {

using eta::Bytes;
using eta::Error;

enum class OpCode : std::uint8_t { data = 1, ack = 2, retransmission = 3 };

/// Sequence numbers are compared as serial numbers: how far `a` is ahead of `b`.
[[nodiscard]] constexpr std::int32_t ahead(std::uint32_t a, std::uint32_t b) noexcept {
    return static_cast<std::int32_t>(a - b);
}

/// Inclusive.
struct SeqRange {
    std::uint32_t from = 0, to = 0;
    bool operator==(const SeqRange&) const = default;
};

/// Ranges as they stand in a header, read one by one; borrows. Checked when the header was decoded.
class SeqRanges {
public:
    SeqRanges() = default;
    explicit SeqRanges(Bytes in) noexcept : in_(in) {}
    [[nodiscard]] std::size_t size() const noexcept { return in_.size() / 8; }
    [[nodiscard]] bool empty() const noexcept { return in_.empty(); }
    [[nodiscard]] SeqRange operator[](std::size_t i) const noexcept {
        return {eta::loadBe<std::uint32_t>(in_.data() + 8 * i), eta::loadBe<std::uint32_t>(in_.data() + 8 * i + 4)};
    }

private:
    Bytes in_;
};

/// One header. The members behind `op` belong to data, or to acknowledgements, as their comments say.
struct Header {
    OpCode op = OpCode::data;
    // --- data and retransmission
    bool fragment = false;  ///< one piece of a message; the four members below are there
    std::uint32_t totalBytes = 0, fragmentNumber = 0;
    std::uint16_t messageId = 0;
    eta::codec::DataType containerType = eta::codec::DataType::Opaque;  ///< of the whole message
    // --- acknowledgement
    bool fin = false;
    std::uint32_t seqNum = 0;
    std::int32_t window = 0;  ///< bytes
    SeqRanges missing, received;

    [[nodiscard]] bool isData() const noexcept { return op != OpCode::ack; }
};

/// Upper bound on ranges in an acknowledgement: an extended header has 255 bytes at most.
inline constexpr std::size_t kMostRanges = 30;
/// Where the op code stands in a data message of ours.
inline constexpr std::size_t kOpCodeAt = 15;

/// Reads an extended header; the ranges borrow it. Bytes behind its end are ignored.
[[nodiscard]] Error decodeHeader(Bytes in, std::uint8_t streamVersion, Header& out) noexcept;
/// Writes the header of a data message.
void encodeData(eta::BeWriter& out, const Header& header, std::uint8_t streamVersion) noexcept;
/// Writes an acknowledgement or a fin; at most kMostRanges.
void encodeAck(eta::BeWriter& out, bool fin, std::uint32_t seqNum, std::span<const SeqRange> missing,
               std::int32_t window) noexcept;

}  // namespace emissary::reactor::tunnel

// Frames of RFC 6455 as bytes: headers, masks, close codes, UTF-8. No I/O and no state in here.
#pragma once

#include "eta/core/bytes.h"

#include <array>
#include <cstdint>
#include <string>

namespace emissary::eta::transport::ws {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

/// Why a frame or message was refused; each has a close code that tells the peer.
enum class Fault : std::uint8_t {
    none,
    reservedBits,  ///< RSV bits that nothing negotiated gives a meaning
    unknownOpcode,
    unmasked,  ///< a client frame without mask
    masked,    ///< a server frame with one
    controlFragmented,
    controlTooLong,  ///< control frame above 125 bytes
    lengthTopBit,    ///< 64-bit length with the top bit set
    lengthNotShortest,
    loneContinuation,
    nestedMessage,  ///< a new message inside a fragmented one
    badClose,       ///< close frame of one byte, with a reserved code, or with text that is not UTF-8
    wrongType,      ///< a text message where RIPC is spoken
    badText,        ///< a text message that is not UTF-8
    badDeflate,     ///< a message marked as compressed that does not inflate
    tooBig,         ///< a message above the receive limit
    budgetSpent,    ///< incomplete messages of all connections together hold too much
    outOfMemory,
};
[[nodiscard]] const char* describe(Fault fault) noexcept;
[[nodiscard]] std::uint16_t closeCode(Fault fault) noexcept;

inline constexpr std::uint16_t kNormalClosure = 1000, kGoingAway = 1001, kProtocolError = 1002, kWrongType = 1003,
                               kNoStatus = 1005, kBadData = 1007, kTooBig = 1009, kInternalError = 1011,
                               kTryAgainLater = 1013;
inline constexpr std::size_t kMaxControl = 125, kMaxHeader = 14;
inline constexpr std::size_t kMaxFrameLimit = 6'291'456;  ///< largest limit of the frames sent (transport.md 3.3)
using Mask = std::array<std::uint8_t, 4>;

struct Header {
    bool fin = false, rsv1 = false, masked = false;
    Opcode opcode = Opcode::continuation;
    Mask mask{};
    std::uint64_t length = 0;  ///< of the payload
    std::size_t size = 0;      ///< of the header; 0 = more bytes are needed
    [[nodiscard]] bool control() const noexcept { return opcode >= Opcode::close; }
};

/// Reads a header; checks everything that a single frame can violate, in the order of the bytes. `fromClient`: it must
/// be masked, otherwise it must not be. `allowRsv1`: the deflate bit has a meaning.
[[nodiscard]] Fault parseHeader(Bytes in, bool fromClient, bool allowRsv1, Header& header) noexcept;

/// Writes a header in its shortest form into kMaxHeader bytes; returns its size. `mask` null: not masked.
[[nodiscard]] std::size_t writeHeader(std::byte* to, Opcode opcode, bool fin, bool rsv1, std::size_t length,
                                      const Mask* mask) noexcept;

/// XORs `n` bytes with the mask, beginning at mask byte `phase` (0..3). `to` may be `from`.
void applyMask(std::byte* to, const std::byte* from, std::size_t n, const Mask& mask, std::size_t phase) noexcept;

/// A close code that may appear on the wire.
[[nodiscard]] bool validCloseCode(std::uint16_t code) noexcept;
[[nodiscard]] bool validUtf8(Bytes text) noexcept;

}  // namespace emissary::eta::transport::ws

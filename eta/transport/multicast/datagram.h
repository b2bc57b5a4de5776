// The datagrams of reliable multicast (docs/wire/multicast.md). No I/O in here.
#pragma once

#include "eta/core/bytes.h"
#include "transport/tcp/TcpStream.h"

#include <array>
#include <cstdint>
#include <span>

namespace emissary::eta::transport::mcast {

inline constexpr std::uint16_t kMagic = 0x454D;  // "EM"
inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::size_t kHeaderBytes = 28;
inline constexpr std::size_t kMinDatagram = 128, kMaxDatagram = 8972;  // limits of a sender's choice
inline constexpr std::uint16_t kNoStart = 0xFFFF;
inline constexpr std::size_t kMaxRanges = 128;  // in one request
inline constexpr std::size_t kRangeBytes = 6;

enum class Type : std::uint8_t {
    data = 1,       ///< frames
    heartbeat = 2,  ///< nothing but the header
    request = 3,    ///< unicast to a sender: ranges of its packets to send again
    promise = 4,    ///< a sender tells the group which packets it is going to send again
    statistics = 5  ///< host statistics, to a group of their own
};

// flags
inline constexpr std::uint8_t kRepair = 0x01;    ///< data sent again
inline constexpr std::uint8_t kFarewell = 0x02;  ///< heartbeat: the session ends here

/// Header of every datagram. Sequence numbers belong to a session, start at 1 and wrap.
struct Header {
    Type type = Type::data;
    std::uint8_t flags = 0;
    std::uint8_t protocolType = 0;
    std::uint32_t session = 0;     ///< of the sender; of the sender asked, in a request
    std::uint32_t sequence = 0;    ///< data: of this packet; otherwise: the next one to be sent
    std::uint32_t oldest = 0;      ///< packets before this one are not sent again
    std::uint16_t returnPort = 0;  ///< where the sender takes requests
    std::uint16_t firstStart = 0;  ///< data: offset in the body of the first frame that begins a message, or kNoStart
};

struct Range {
    std::uint32_t first = 0;
    std::uint16_t more = 0;  ///< packets after the first one
    bool operator==(const Range&) const = default;
};

enum class Fault : std::uint8_t { none, tooShort, notOurs, otherVersion, badLength, badType, badBody };
inline constexpr std::size_t kFaults = 7;

/// Distance from b to a in the circle of sequence numbers: negative when a comes first.
[[nodiscard]] constexpr std::int32_t distance(std::uint32_t a, std::uint32_t b) noexcept {
    return static_cast<std::int32_t>(a - b);
}

/// Writes the header; `length` is that of the whole datagram.
void writeHeader(std::byte* to, const Header& header, std::size_t length) noexcept;
/// Marks data that is ready to go as a repair, and renews `oldest`.
void patchRepair(std::byte* datagram, std::uint32_t oldest) noexcept;
/// Checks everything that can be checked without knowing the sender. `body` is what follows the header.
[[nodiscard]] Fault parse(Bytes datagram, Header& header, Bytes& body) noexcept;
/// Requests and promises: reads the body as ranges and returns their number. parse() has checked the body.
[[nodiscard]] std::size_t readRanges(Bytes body, std::span<Range, kMaxRanges> out) noexcept;
/// Appends ranges to a header of kHeaderBytes; returns the length of the datagram.
std::size_t writeRanges(std::byte* datagram, const Header& header, std::span<const Range> ranges) noexcept;

/// Who sent something: address in IPv6 form, and the port where requests go.
struct Endpoint {
    std::array<std::uint8_t, 16> address{};
    std::uint16_t port = 0;
    bool operator==(const Endpoint&) const = default;
};

/// What the protocol code hands to the network.
class Outlet {
public:
    virtual ~Outlet() = default;
    virtual void toGroup(Bytes datagram) noexcept = 0;
    virtual void toPeer(const Endpoint& to, Bytes datagram) noexcept = 0;
};

}  // namespace emissary::eta::transport::mcast

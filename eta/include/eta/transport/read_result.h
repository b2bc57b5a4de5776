// The result of reading a channel.
#pragma once

#include "eta/core/bytes.h"

#include <cstdint>
#include <string>

namespace emissary::eta::transport {

/// What multicast tells the reader between two messages; the numbers are those of transport.md 7.3.
enum class Condition : std::int8_t {
    none = 0,
    gap = -61,         ///< messages are lost for good
    slowReader = -62,  ///< messages were dropped because read() was not called often enough
    congestion = -63   ///< what we send is lost more often than it can be repaired
};
/// A short sentence; never null.
[[nodiscard]] const char* describe(Condition condition) noexcept;

/// Where the last message came from (multicast).
struct DatagramInfo {
    std::string address;           ///< sender
    std::uint16_t port = 0;        ///< of the sender; reliable: where it takes requests for repair
    std::uint16_t instanceId = 0;  ///< sequenced
    std::uint32_t sequence = 0;    ///< sequenced
    bool retransmission = false;   ///< sequenced
};

/// Outcome of Channel::read(). Each case has a value of its own; no case is an error code.
struct ReadResult {
    /// Which members count: message, condition and lost; the other kinds have no content.
    enum class Kind : std::uint8_t { message, ping, condition, wouldBlock, closed };
    Kind kind = Kind::wouldBlock;
    /// Further messages are already buffered: read again without waiting. With wouldBlock (many fragments arrived and
    /// completed nothing): the socket may hold more, come back after serving others.
    bool more = false;
    Condition condition = Condition::none;
    std::uint32_t lost = 0;  ///< with a gap: packets
    Bytes message;           ///< valid until the next read()
};

}  // namespace emissary::eta::transport

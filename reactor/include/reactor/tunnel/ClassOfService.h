// The promises of the two ends of a tunnel stream to each other, and their form on the wire (tunnel.md 1.3).
#pragma once

#include "eta/core/bytes.h"

#include <cstddef>
#include <cstdint>

namespace emissary::reactor::tunnel {

/// Numbers of ClassOfService::authentication on the wire.
namespace Authentication {
inline constexpr std::uint8_t none = 0, ommLogin = 1;
}
/// Numbers of ClassOfService::flowControl on the wire.
namespace FlowControl {
inline constexpr std::uint8_t none = 0, bidirectional = 1;
}
/// Numbers of ClassOfService::dataIntegrity on the wire.
namespace DataIntegrity {
inline constexpr std::uint8_t bestEffort = 0, reliable = 1;
}
/// Numbers of ClassOfService::guarantee on the wire.
namespace Guarantee {
inline constexpr std::uint8_t none = 0, persistentQueue = 1;
}

/// Stream version 1 knows no fragments (tunnel.md 1.4).
inline constexpr std::uint8_t kStreamVersion = 2, kOldStreamVersion = 1;
/// Bytes that every end takes as one message, whatever was announced.
inline constexpr std::uint32_t kFragmentBytes = 6144;
/// The receive window of an end that does not specify it, in bytes.
inline constexpr std::int64_t kDefaultWindow = 12'288;

/// The values of all five parts; a part of type 0 is not sent. A value type.
struct ClassOfService {
    // --- common; the sizes are the provider's alone
    std::uint64_t maxMsgSize = 614'400;              ///< bytes of the longest message
    std::uint64_t maxFragmentSize = kFragmentBytes;  ///< bytes of the longest piece
    bool supportsFragmentation = true;
    // Of the messages inside.
    std::uint8_t protocolType = 0, protocolMajorVersion = 14, protocolMinorVersion = 1;
    std::uint8_t streamVersion = kStreamVersion;
    // --- the other parts
    std::uint8_t authentication = Authentication::none;
    std::uint8_t flowControl = FlowControl::none;
    std::uint8_t dataIntegrity = DataIntegrity::bestEffort;
    std::uint8_t guarantee = Guarantee::none;
    std::int64_t recvWindowSize = -1;  ///< bytes that the writer of this takes unacknowledged; -1: kDefaultWindow
    bool operator==(const ClassOfService&) const = default;
};

/// Who writes it: the sizes are only said by the provider.
enum class Writer : std::uint8_t { consumer, provider };

/// The parts that are there, as the filter of the message key says it.
[[nodiscard]] std::uint32_t filterOf(const ClassOfService& cos) noexcept;
/// A filter list of element lists, ordered by id; failure latches in the writer and is returned.
[[nodiscard]] eta::Error encode(eta::BeWriter& out, const ClassOfService& cos, Writer by) noexcept;
/// Reads what either end wrote. Parts and elements that are absent have their defaults, unknown ones are skipped; an
/// element of another type, an unknown part, and a number beyond its range are errors.
[[nodiscard]] eta::Error decode(eta::Bytes in, ClassOfService& out) noexcept;

}  // namespace emissary::reactor::tunnel

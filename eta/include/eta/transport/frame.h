// Constants of the RIPC frame (docs/wire/ripc.md).
#pragma once

#include <cstddef>
#include <cstdint>

namespace emissary::eta::transport::frame {

inline constexpr std::size_t kHeader = 3;                 ///< length (u16) and flags
inline constexpr std::size_t kMaxMessage = 65535;         ///< largest M that can be announced
inline constexpr std::size_t kMaxBody = 65535 - kHeader;  ///< what the length field leaves of such an M
inline constexpr std::size_t kMinMaxMessage = 16;         ///< a smaller M in an ack is refused

// flags
inline constexpr std::uint8_t kExtended = 0x01, kData = 0x02, kCompressed = 0x04, kCompFragment = 0x08, kPacked = 0x10,
                              kForce = 0x80;
inline constexpr std::uint8_t kIgnoredFlags = 0x60;  ///< reserved: sent as 0, ignored on receipt
// extended flags
inline constexpr std::uint8_t kAck = 0x01, kNak = 0x02, kFragment = 0x04, kFragmentHeader = 0x08;

/// Header of a first fragment and of the following ones; the id takes two bytes from RIPC 13 on, one before.
[[nodiscard]] constexpr std::size_t firstFragmentHeader(std::size_t idBytes) noexcept {
    return 8 + idBytes;
}
/// The same of a following fragment.
[[nodiscard]] constexpr std::size_t nextFragmentHeader(std::size_t idBytes) noexcept {
    return 4 + idBytes;
}

}  // namespace emissary::eta::transport::frame

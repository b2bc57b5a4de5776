// What messages in a pack make of their streams once the pack has left.
#pragma once

#include <cstdint>

namespace emissary::reactor {

/// Of one stream: what its messages do that are in the pack so far. Nothing of it holds before the pack has left: a
/// pack may be given up, or find no room.
struct PackedEffect {
    bool refreshed = false;       ///< an image of it is in the pack
    bool ended = false;           ///< its end is
    bool imageOnly = false;       ///< it ends with its image, because no more was asked for
    bool opened = false;          ///< non-interactive: it begins in the pack, ...
    std::uint8_t domain = 0;      ///< ... on this domain
    std::uint16_t serviceId = 0;  ///< ... of this service
};

/// A message that changes its stream or belongs to one that begins in the pack, and where it is in the pack's body.
struct PackedMessage {
    std::uint64_t handle = 0;
    std::uint32_t offset = 0, size = 0;  ///< without the length in front of it
    PackedEffect effect;                 ///< of the messages up to this one, and of this one
};

}  // namespace emissary::reactor

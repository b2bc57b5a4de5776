// hub/mesh: an item of another hub, as the edge keeps it.
#pragma once

#include "eta/core/Clock.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace emissary::hub::mesh {

/// What owners and edges know an item by.
[[nodiscard]] inline std::string keyOf(std::string_view service, std::string_view name) {
    std::string key(service);
    key += '\0';
    key += name;
    return key;
}

inline constexpr std::uint32_t kNoOwner = 0xFFFFFFFF, kNoHome = 0xFFFFFFFF;

/// Nodes that are known at once: a bit of a mask each.
inline constexpr std::uint32_t kSlots = 64;
/// An owner is a life of a node in a slot: its number has the slot in its lowest bits. What belongs to a life that is
/// over is known by that number, and need not be walked over in the turn in which the life ends.
[[nodiscard]] constexpr std::uint32_t slotOf(std::uint32_t owner) noexcept {
    return owner % kSlots;
}
[[nodiscard]] constexpr std::uint32_t ownerIn(std::size_t slot, std::uint32_t life) noexcept {
    return life % (kNoOwner / kSlots) * kSlots + static_cast<std::uint32_t>(slot);  // kNoOwner is none of them
}

enum class Phase : std::uint8_t {
    free,    ///< not an item
    asking,  ///< no image of its owner yet, or no owner
    live,    ///< there is an image, and updates are expected
    ended,   ///< closed or refused by its owner
};

struct EdgeItem {
    std::string service, name;
    Phase phase = Phase::free;
    bool queued = false, shownOk = false, uncertain = false;
    bool looked = false, timed = false;  ///< StateQueue has it
    bool again = false;                  ///< while it is live: its image is to come once more
    std::uint16_t lane = 0;
    std::uint32_t owner = kNoOwner;  ///< ownerIn(); its life may be over (Edge::over())
    std::uint32_t home = kNoHome;    ///< service in Homes
    std::uint32_t placeAtHome = 0, placeInLane = 0;
    std::uint32_t ask = 0;  ///< number of the wish, as the owner quotes it
    std::uint32_t number = 0, version = 0;
    std::uint32_t seen = 0;  ///< the highest version that any record had
    std::uint32_t registration = 0;
    std::uint64_t refused = 0;    ///< slots of owners that have refused it, a bit each; see Edge::refusedOf()
    std::uint32_t refusedIn = 0;  ///< which of the sets of peers they belong to
    std::uint64_t covered = 0;    ///< the first sequence behind the owner's word; 0: there is none for this lane
    /// Records behind a statement from before these sequences may have come while the number was not known here.
    std::uint64_t ignoredUnicast = 0, ignoredWide = 0;
    eta::TimePoint askedAt = eta::TimePoint::max();
    eta::TimePoint okUntil = eta::TimePoint::min();  ///< by an earlier proof
};

}  // namespace emissary::hub::mesh
